#!/usr/bin/python3
"""What a person does in the window beside answering: stop what runs, confirm an agent that has gone."""

import uuid

from harness import App, attach, content, main, outcome, processes_with, wait_for

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


def scenario(tap, screen, home):
    folder = home.project("window", files={"a.txt": "0"})
    home.limits(short_seconds=60, long_seconds=60, prompt_seconds=60)
    app = App(screen, home, folder)
    client = attach(app, folder)
    try:
        stop_in_row(tap, app, client, folder)
        stop_in_details(tap, app, client, folder)
        tap.equal(outcome(client.run("true")), "ran", "and the agent goes on")
    finally:
        client.close()
        app.close()


if __name__ == "__main__":
    main(scenario)
