#!/usr/bin/python3
"""What a person does in the window beside answering: stop what runs, confirm an agent that has gone."""

import subprocess
import uuid

from harness import AGENT, App, attach, confirm, content, end_process, main, outcome, processes_with, wait_for

SETSID = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    time.sleep(120)
time.sleep(120)
"""


def starts(client, folder):
    marker = f"mark-stop-{uuid.uuid4()}"
    (folder / "setsid.py").write_text(SETSID)
    number = client.start(f"python3 setsid.py {marker}")
    wait_for("the command to run", lambda: len(processes_with(marker)) >= 2)
    return marker, number


def stopped(tap, client, number, marker, where):
    result = content(client.answer(number))
    tap.equal(result["outcome"], "cancelled", f"{where}: the command was stopped")
    tap.ok("person stopped it" in result["message"], f"{where}: the agent hears who stopped it", result)
    wait_for("every process to be gone", lambda: not processes_with(marker), 8)
    tap.ok(True, f"{where}: nothing of it is left")


def stop_in_row(tap, app, client, folder):
    marker, number = starts(client, folder)
    app.click("Stop")
    stopped(tap, client, number, marker, "Stop in the list")
    wait_for("the button to go", lambda: app.find("Stop") is None)
    tap.ok(app.sees("cancelled"), "the list says so")


def stop_in_details(tap, app, client, folder):
    marker, number = starts(client, folder)
    row = wait_for("the entry", lambda: next((n for n in app.nodes() if n.name and marker in n.name), None))
    app.click_at(*app.place_of(row))
    frame = wait_for("the details", lambda: app.frame("Command"))
    app.click("Stop", None, frame)
    stopped(tap, client, number, marker, "Stop in the details")
    tap.ok(wait_for("the details to say so", lambda: app.sees("person stopped it", app.frame("Command"))),
           "the details show what the agent was told")
    app.screen.xdotool("key", "Escape")
    wait_for("the details to close", lambda: app.frame("Command") is None)


def run_agent(folder, *command):
    return subprocess.Popen([str(AGENT), "run", "--", *command], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def first_run(tap, app, folder):
    """perfica-agent run, the first time: one question, and the same run goes on."""
    agent = run_agent(folder, "touch", "made.txt")
    try:
        wait_for("the question", lambda: app.find("Confirm"))
        tap.ok(not (folder / "made.txt").exists() and agent.poll() is None, "a first run waits for the person")
        tap.ok(app.find("1 waiting"), "and the window says that something waits")
        confirm(app)
        out, err = agent.communicate(timeout=30)
        tap.equal((agent.returncode, (folder / "made.txt").exists()), (0, True), "confirmed: that very run goes on")
    finally:
        end_process(agent)


def left(tap, app, home, screen, folder):
    """An agent that was gone before anybody looked can still be confirmed, or declined."""
    agent = run_agent(folder, "true")
    wait_for("the question", lambda: app.find("Confirm"))
    end_process(agent)
    wait_for("the question to go with it", lambda: app.find("Confirm") is None)
    app.click("Bubbles")
    wait_for("the list of those that ask", lambda: app.sees("Agents that ask to join"))
    screen.picture(home.top / "joining.png")
    app.click("Confirm…")
    wait_for("its question", lambda: app.find("Confirm"))
    confirm(app)
    wait_for("the list to go", lambda: app.find("Confirm…") is None)
    done = subprocess.run([str(AGENT), "run", "--", "true"], cwd=folder, capture_output=True, text=True, timeout=30)
    tap.ok(done.returncode == 0, "confirmed after it had left: its next run needs no question", done.stderr)
    app.click("Activity")


def declined(tap, app, folder):
    agent = run_agent(folder, "true")
    try:
        wait_for("the question", lambda: app.find("Confirm"))
        app.answer("Turn away")
        out, err = agent.communicate(timeout=30)
        tap.ok(agent.returncode != 0 and "turned" in err, "turned away: the agent hears it at once", err)
    finally:
        end_process(agent)


def connect(tap, app, screen, home):
    """From an empty board to what an agent needs."""
    app.click("Connect an Agent…")
    frame = wait_for("the settings", lambda: app.frame("Settings"))
    wait_for("the agents' page", lambda: app.find("Claude Code", None, frame))
    app.click("Claude Code", None, frame)
    tap.ok(wait_for("the check", lambda: app.find("Check that it fires", None, frame)),
           "an empty board leads to the agents' snippets")
    screen.picture(home.top / "connect.png")
    screen.xdotool("key", "Escape")
    wait_for("the settings to close", lambda: app.frame("Settings") is None)


def scenario(tap, screen, home):
    folder = home.project("window", files={"a.txt": "0"})
    home.limits(short_seconds=60, long_seconds=60, prompt_seconds=60)
    other = home.project("other", files={"a.txt": "0"})
    third = home.project("third", files={"a.txt": "0"})
    app = App(screen, home, folder, other, third)
    connect(tap, app, screen, home)
    first_run(tap, app, other)
    left(tap, app, home, screen, third)
    app.click("window")
    client = attach(app, folder)
    try:
        stop_in_row(tap, app, client, folder)
        stop_in_details(tap, app, client, folder)
        tap.equal(outcome(client.run("true")), "ran", "and the agent goes on")
        declined(tap, app, folder)
    finally:
        client.close()
        app.close()


if __name__ == "__main__":
    main(scenario)
