#!/usr/bin/python3
"""app/run: the demonstration is what README shows, and with a display the app starts as it was told to."""

import os
import subprocess
import sys

from harness import BUILD, ROOT, App, end_process, main, wait_for


def rows_of(text):
    """The rows of the table, without the seconds."""
    lines = [line for line in text.splitlines() if line.startswith("| `") and line.count(" | ") >= 4]
    return [line.rsplit("|", 2)[0] for line in lines]


def demonstration(tap):
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run([sys.executable, str(ROOT / "tests/e2e/demo.py")], capture_output=True, text=True, timeout=150,
                          env=environment)
    if not tap.ok(done.returncode == 0 and not done.stderr, "the demonstration ends well and complains of nothing", done.stderr):
        return
    seen, told = rows_of(done.stdout), rows_of((ROOT / "README.md").read_text())
    tap.equal(seen, told, "README shows the table of the demonstration")
    tap.equal(len(seen), 6, "of six commands")
    for name in ("window", "prompt", "dock"):
        # A picture of one colour is a picture of nothing.
        colours = subprocess.run(["identify", "-format", "%k", str(BUILD / "demo" / f"{name}.png")], capture_output=True,
                                 text=True, timeout=30).stdout
        tap.ok(colours.isdigit() and int(colours) > 100, f"{name}.png shows something", colours)


def app_run(tap, screen, home):
    """app/run builds in `build`; from another build folder there is nothing to see here."""
    if BUILD.resolve() != (ROOT / "build").resolve():
        return
    done = subprocess.run([str(ROOT / "app/run"), "--version"], capture_output=True, text=True, timeout=150)
    tap.ok(done.returncode == 0 and done.stdout.startswith("perfica "), "app/run passes options on", done.stdout + done.stderr)
    home.project("near")
    home.project("far")
    log = open(home.top / "run.log", "w")
    process = subprocess.Popen([str(ROOT / "app/run"), "near", str(home.home / "far")], cwd=home.home, stdout=log, stderr=log)
    try:
        wait_for("the gateway's socket", home.socket.exists, 60)
        app = App.__new__(App)
        app.screen, app.home, app.process = screen, home, process
        window = app.window()
        tap.ok(window is not None, "app/run with a display starts the app")
        tap.ok(wait_for("the boards", lambda: app.sees("~/near") and app.sees("~/far")),
               "folders become boards, those named from where one stands too")
    finally:
        end_process(process, 10)
    tap.equal((home.top / "run.log").read_text(), "", "and nothing is complained of")


def scenario(tap, screen, home):
    app_run(tap, screen, home)
    demonstration(tap)


if __name__ == "__main__":
    main(scenario)
