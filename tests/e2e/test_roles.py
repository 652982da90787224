#!/usr/bin/python3
"""Who may run commands: bubbles are made in the window, and what their tools leave out is refused with a sentence."""

import subprocess

from harness import AGENT, App, Client, confirm, content, main, outcome, records, wait_for

ROLES = ["Coder", "Reviewer", "Researcher", "Custom"]


def add_bubble(app, name, role):
    app.click("Bubbles", "page tab")
    app.click("Add Bubble…", "label")
    dialog = app.window("Add a Bubble")
    app.screen.xdotool("type", name)
    app.choose("Role", role, ROLES, dialog)
    if role == "Custom":  # read and write, but not run
        for tool, wanted in (("Read files", True), ("Write files", True), ("Run commands", False)):
            if app.is_on(tool, dialog) != wanted:
                app.click(tool, "label", dialog)
            wait_for(f"{tool} to be {wanted}", lambda: app.is_on(tool, dialog) == wanted)
    app.click("Add", "label", dialog)
    wait_for("the dialog to go", lambda: app.frame("Add a Bubble") is None)


def by_mcp(tap, app, home, folder, name, may):
    client = Client(folder, "--bubble", name)
    try:
        first = client.start("touch by-mcp")
        confirm(app)
        client.answer(first)
        result = client.run("touch by-mcp")
        if may:
            tap.equal(outcome(result), "ran", f"{name}: its command runs")
            return
        tap.ok(outcome(result) == "no-tool" and result["isError"], f"{name}: refused, no tool", result)
        told = content(result)["message"] + result["content"][0]["text"]
        tap.ok("Run commands" in told, f"{name}: a sentence names the missing tool", told)
        tap.ok(not (folder / "by-mcp").exists(), f"{name}: nothing ran")
        tap.equal(outcome(client.run("cat a.txt")), "no-tool", f"{name}: what only reads is a command too")
        row = records(home)[-1]
        tap.ok(row["outcome"] == "no-tool" and row["bubble"] == name, f"{name}: the refusal is recorded", row)
    finally:
        client.close()


def by_run(tap, app, folder, name, code):
    words = [str(AGENT), "run", "--bubble", name, "--", "touch", "by-run"]
    first = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    confirm(app)
    first.wait(30)
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60)
    tap.equal(done.returncode, code, f"{name}: perfica-agent run: exit {code}")
    if code != 0:
        tap.ok("Run commands" in done.stderr and len(done.stderr.strip().splitlines()) <= 3,
               f"{name}: and a sentence on standard error", done.stderr)
        tap.ok(not (folder / "by-run").exists(), f"{name}: nothing ran")


def scenario(tap, screen, home):
    folder = home.project(files={"a.txt": "0"})
    app = App(screen, home, folder)
    try:
        for name, role, may in (("looker", "Researcher", False), ("writer", "Custom", False), ("judge", "Reviewer", True)):
            add_bubble(app, name, role)
            by_mcp(tap, app, home, folder, name, may)
            by_run(tap, app, folder, name, 0 if may else 101)
            for left in ("by-mcp", "by-run"):
                (folder / left).unlink(missing_ok=True)
    finally:
        app.close()


if __name__ == "__main__":
    main(scenario)
