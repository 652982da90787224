#!/usr/bin/python3
"""The sandbox on and bubblewrap missing, not executable, too old or denied its namespaces: refused, and one step told.

The stand-ins are mounted over /usr/bin/bwrap in a mount namespace of this test's own.
"""

import os
import subprocess
from pathlib import Path

from harness import AGENT, App, BUILD, FULL, attach, become_mounter, content, main, outcome, records, wait_for

BWRAP = "/usr/bin/bwrap"
TOO_OLD = "#!/bin/sh\necho 'usage: bwrap [OPTIONS...] COMMAND'\necho '    --unshare-all   Unshare every namespace'\n"
NO_NAMESPACES = "#!/bin/sh\ncase \" $* \" in *' --help '*) exec %s --help ;; esac\n" \
                "echo 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n"


def told(result):
    return str(content(result).get("message", "")) + result["content"][0]["text"]


def bind(source):
    subprocess.run(["mount", "--bind", str(source), BWRAP], check=True)


def hide(home):
    """No file of that name at all: its folder is seen through another one that lacks it."""
    top = home.top / "overlay"
    for name in ("upper", "work"):
        (top / name).mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(top)], check=True)
    for name in ("upper", "work"):
        (top / name).mkdir()
    done = subprocess.run(["mount", "-t", "overlay", "overlay", "-o", f"lowerdir=/usr/bin,upperdir={top}/upper,workdir={top}/work",
                           "/usr/bin"], capture_output=True, text=True)
    if done.returncode != 0:
        subprocess.run(["umount", str(top)], check=True)
        return False
    os.unlink(BWRAP)
    return True


def unhide(home):
    subprocess.run(["umount", "--lazy", "/usr/bin"], check=True)
    subprocess.run(["umount", "--lazy", str(home.top / "overlay")], check=True)


def stand_in(home, name, text, mode=0o755):
    path = home.top / name
    path.write_text(text)
    path.chmod(mode)
    return path


def settings(app):
    app.screen.xdotool("key", "ctrl+comma")
    return app.window("Settings")


def case(tap, app, client, folder, name, words, commands):
    result = client.run("touch should-not-run", seconds=60)
    tap.equal(outcome(result), "unconfined", f"{name}: refused, as what can't be confined")
    tap.ok(not (folder / "should-not-run").exists(), f"{name}: it did not run without the sandbox")
    tap.ok(any(word in told(result) for word in words), f"{name}: the agent is told what is missing", told(result))
    tap.ok("person" in told(result) or "Settings" in told(result), f"{name}: and whose it is to mend", told(result))
    done = subprocess.run([str(AGENT), "status"], capture_output=True, text=True, timeout=30)
    tap.equal(done.returncode, 0, f"{name}: the app goes on")
    tap.equal(records(app.home)[-1]["outcome"], "unconfined", f"{name}: the record says so")
    frame = settings(app)
    app.click("Check Again", "label", frame)
    tap.ok(wait_for("the command in the box", lambda: any(app.sees(one, app.frame("Settings")) for one in commands)),
           f"{name}: Settings shows the one step, {' or '.join(commands)}")
    tap.ok(app.find("Copy", "label", app.frame("Settings")), f"{name}: with a button to copy it")
    app.screen.picture(BUILD / "meson-logs" / f"bwrap-{name.replace(' ', '-')}.png")
    app.screen.xdotool("key", "Escape")
    wait_for("Settings to close", lambda: app.frame("Settings") is None)


def scenario(tap, screen, home):
    folder = home.project("sample", files={"a.txt": "0"})
    home.limits(prompt_seconds=90)
    app = App(screen, home, folder)
    client = attach(app, folder)
    try:
        app.click("Board settings", "page tab")
        app.choose("Sandbox agent commands", "On")
        tap.equal(outcome(client.run("true")), "ran", "with bubblewrap a sandboxed command runs")
        real = home.top / "real-bwrap"
        real.write_bytes(Path(BWRAP).read_bytes())
        real.chmod(0o755)
        cases = [
            ("not executable", stand_in(home, "plain", "", 0o644), ["can't be started"], "chmod"),
            ("too old", stand_in(home, "old", TOO_OLD), ["too old or not bubblewrap"], "bubblewrap"),
            ("no namespaces", stand_in(home, "denied", NO_NAMESPACES % real), ["No permissions to create"],
             "unprivileged_userns_clone", "systempaths=unconfined"),  # in a container it is the container's step
        ]
        if not FULL:
            cases = cases[-1:]
        if hide(home):
            case(tap, app, client, folder, "missing", ["not installed"], ["install -y bubblewrap"])
            unhide(home)
        else:
            tap.ok(True, "missing (no overlay file system here) # SKIP")
        for name, source, words, *commands in cases:
            bind(source)
            try:
                case(tap, app, client, folder, name, words, commands)
            finally:
                subprocess.run(["umount", "--lazy", BWRAP], check=True)
        tap.equal(outcome(client.run("true")), "ran", "with bubblewrap back, sandboxed commands run again, with no restart")
    finally:
        client.close()
        app.close()


if __name__ == "__main__":
    become_mounter()
    main(scenario)
