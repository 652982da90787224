#!/usr/bin/python3
"""One instance, boards that survive, folders that can't be boards, no bus, no display, no runtime folder."""

import os
import subprocess
import time

from harness import APP, AGENT, App, Client, confirm, content, main, outcome, wait_for


def status(home):
    done = subprocess.run([str(AGENT), "status"], capture_output=True, text=True, timeout=20)
    return done.stdout + done.stderr


def second(tap, home, app, other):
    began = time.monotonic()
    done = subprocess.run([str(APP), str(other)], capture_output=True, text=True, timeout=20)
    tap.equal(done.returncode, 0, f"a second perfica hands its folder over and ends ({time.monotonic() - began:.1f} s)")
    tap.ok(app.process.poll() is None, "the first goes on")
    wait_for("the question", lambda: app.find("Open"))
    third = home.project("three")
    for _ in range(2):
        subprocess.run([str(APP), str(third)], capture_output=True, text=True, timeout=20)
    time.sleep(0.5)
    tap.ok(app.sees(str(other)) and not app.sees(str(third)), "a third folder waits until the second is answered")
    app.answer_alert("Cancel")
    wait_for("the question about the third", lambda: app.sees(str(third)))
    tap.ok(True, "then it is asked about, once")
    app.answer_alert("Open")
    tap.ok(wait_for("the third board", lambda: app.sees("three")), "and becomes a board")
    tap.ok(app.find("Open") is None and not app.sees("two"), "the one that was declined doesn't")


def refused_folders(tap, home):
    for folder, name in (("/", "/"), (home.home, "the home folder"), (home.config / "perfica", "our own config folder"),
                         (home.config, "a folder around our config folder")):
        done = subprocess.run([str(APP), str(folder)], capture_output=True, text=True, timeout=20)
        text = done.stdout + done.stderr
        tap.ok(done.returncode != 0 and text.strip(), f"{name} can't be a board", text)
        tap.ok("Traceback" not in text and len(text.strip().splitlines()) <= 2, f"{name}: one sentence says why", text)


def without(tap, name, code, **changes):
    environment = {k: v for k, v in os.environ.items() if changes.get(k, v) is not None}
    environment.update({k: v for k, v in changes.items() if v is not None})
    done = subprocess.run([str(APP)], capture_output=True, text=True, timeout=20, env=environment)
    tap.equal(done.returncode, code, f"{name}: exit {code}")
    tap.ok(1 <= len(done.stderr.strip().splitlines()) <= 2, f"{name}: one sentence", done.stderr)


def scenario(tap, screen, home):
    one, two = home.project("one"), home.project("two")
    app = App(screen, home, one)
    try:
        tap.ok(app.sees("one"), "the folder on the command line is a board")
        second(tap, home, app, two)
        refused_folders(tap, home)
        other = home.top / "other"
        other.mkdir(0o700)
        apart = {"XDG_RUNTIME_DIR": str(other), "XDG_CONFIG_HOME": str(home.top / "c")}
        without(tap, "no display", 1, DISPLAY=None, WAYLAND_DISPLAY=None, **apart)
        without(tap, "no settings schema", 2, GSETTINGS_SCHEMA_DIR=None, **apart)
    finally:
        app.close()
    os.environ.pop("DBUS_SESSION_BUS_ADDRESS", None)
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent/bus"
    app = App(screen, home, wait=False)
    try:
        wait_for("the gateway's socket without a session bus", app.is_up)
        tap.ok(True, "it runs without a session bus")
        tap.ok("one" in wait_for("the boards", lambda: status(home)), "boards survive a restart", status(home))
        done = subprocess.run([str(APP)], capture_output=True, text=True, timeout=20)
        tap.equal(done.returncode, 0, "without a bus there is still one instance")
    finally:
        app.close()


if __name__ == "__main__":
    main(scenario)
