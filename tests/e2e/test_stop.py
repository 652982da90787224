#!/usr/bin/python3
"""Restart Gateway and Quit, by their menu, while commands run: asked about, told to the agent, nothing left."""

import time
import uuid

from harness import App, attach, content, main, nothing_left, outcome, processes_with, records, wait_for

SLEEPER = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(300)
time.sleep(300)
"""


def waits(app):
    return wait_for("the prompt", lambda: app.find("Allow once"))


def always(tap, app, client, folder):
    (folder / "a.txt").write_text("1")
    number = client.start("git commit -am one")
    waits(app)
    app.answer("Allow always this session")
    tap.equal(outcome(client.answer(number)), "ran", "Allow always: it ran")
    (folder / "a.txt").write_text("2")
    tap.equal(outcome(client.run("git commit -am two")), "ran", "and holds for the next one")


def start_sleeper(client):
    marker = f"mark-stop-{uuid.uuid4()}"
    number = client.start(f"python3 sleeper.py {marker}")
    wait_for("the command to run", lambda: len(processes_with(marker)) >= 2)
    return number, marker


def the_record(home, marker):
    return next((row["outcome"] for row in records(home) if marker in row["command"]), None)


def stopped(tap, home, client, number, marker, what):
    """What both ends have to see when the gateway stops under a command."""
    result = client.answer(number, 20)
    tap.ok(outcome(result) == "gateway-stopped" and result.get("isError"), f"{what}: the agent is told that the gateway stopped", result)
    tap.ok("stopped" in content(result).get("message", ""), f"{what}: in a sentence", content(result))
    tap.ok(nothing_left(marker), f"{what}: nothing of the command is left", processes_with(marker))
    tap.ok(wait_for("the record", lambda: the_record(home, marker) == "gateway-stopped"), f"{what}: the record is closed")


def no_answer_yet(client, number):
    time.sleep(0.5)
    with client.condition:
        return number not in client.answers


def restart(tap, app, home, client, folder):
    number, marker = start_sleeper(client)
    asking = client.start("git tag waits")
    waits(app)
    app.choose_menu("Restart Gateway")
    wait_for("the question", lambda: app.find("Stop and Restart"))
    app.answer("Cancel")
    tap.ok(no_answer_yet(client, number) and processes_with(marker), "Restart, Cancel: the command goes on")
    tap.ok(waits(app), "Restart, Cancel: what waits for an answer still waits")
    app.choose_menu("Restart Gateway")
    app.answer("Stop and Restart")
    stopped(tap, home, client, number, marker, "Restart")
    tap.equal(outcome(client.answer(asking)), "gateway-stopped", "Restart: what waited for an answer is told so too")
    tap.ok(wait_for("the prompt to go", lambda: app.find("Allow once") is None), "Restart: its question is gone")


def forgotten(tap, app, client, folder):
    tap.equal(outcome(client.run("true")), "ran", "after it the same agent reconnects, confirmed as before")
    (folder / "a.txt").write_text("3")
    number = client.start("git commit -am three")
    waits(app)
    tap.ok(True, "and “Always” is forgotten: the same kind asks again")
    app.answer("Deny")
    client.answer(number)


def idle_restart(tap, app, home, client):
    before = home.socket.stat().st_ino
    app.choose_menu("Restart Gateway")
    wait_for("another socket", lambda: home.socket.exists() and home.socket.stat().st_ino != before)
    tap.ok(app.find("Stop and Restart") is None, "with nothing running it restarts and asks nothing")
    tap.equal(outcome(client.run("true")), "ran", "and the agent reconnects")


def quit_app(tap, app, home, client, folder):
    number, marker = start_sleeper(client)
    app.choose_menu("Quit")
    wait_for("the question", lambda: app.find("Stop and Quit"))
    tap.ok(app.sees("1 command is running"), "Quit: the app asks and says what runs")
    app.answer("Cancel")
    tap.ok(no_answer_yet(client, number) and processes_with(marker) and app.process.poll() is None,
           "Quit, Cancel: the command goes on")
    app.choose_menu("Quit")
    app.answer("Stop and Quit")
    tap.equal(app.process.wait(20), 0, "Quit: the app ends, exit 0")
    tap.equal([p.name for p in home.database.parent.iterdir()], ["activity.db"], "Quit: the record is one whole file")
    stopped(tap, home, client, number, marker, "Quit")
    tap.ok(not home.socket.exists(), "Quit: its socket is gone")
    tap.equal(outcome(client.run("true")), "not-running", "an agent is told that Perfica isn't running")


def term(tap, app, home, client):
    """A log-out: nobody is there to be asked."""
    number, marker = start_sleeper(client)
    app.process.terminate()
    stopped(tap, home, client, number, marker, "SIGTERM")
    tap.equal(app.process.wait(10), 0, "SIGTERM: the app ends, exit 0")


def scenario(tap, screen, home):
    folder = home.project(files={"a.txt": "0", "sleeper.py": SLEEPER})
    home.limits(short_seconds=100, long_seconds=100, prompt_seconds=60)
    app = App(screen, home, folder)
    client = attach(app, folder)
    try:
        always(tap, app, client, folder)
        restart(tap, app, home, client, folder)
        forgotten(tap, app, client, folder)
        idle_restart(tap, app, home, client)
        quit_app(tap, app, home, client, folder)
        app = App(screen, home)
        tap.equal(outcome(client.run("true")), "ran", "once Perfica is back, the same agent goes on")
        term(tap, app, home, client)
    finally:
        client.close()
        app.close()


if __name__ == "__main__":
    main(scenario)
