#!/usr/bin/python3
"""Asking a person: once, always, deny, nobody, no window, Full Auto; and who may ask at all."""

import time

from harness import App, Client, confirm, content, main, outcome, wait_for


def change(folder, text):
    (folder / "a.txt").write_text(text)


def waits(app):
    """The prompt for the command that waits, once it is on the screen."""
    return wait_for("the prompt", lambda: app.find("Allow once"))


def gone(app):
    wait_for("the prompt to go", lambda: app.find("Allow once") is None)


def attach(tap, app, folder, *arguments):
    client = Client(folder, *arguments)
    number = client.start("touch first.txt")
    wait_for("the question", lambda: app.find("Confirm"))
    tap.ok(not (folder / "first.txt").exists(), "an agent that nobody confirmed runs nothing")
    confirm(app)
    tap.equal(outcome(client.answer(number)), "ran", "once confirmed, what waited runs")
    return client


def once(tap, app, client, folder):
    change(folder, "1")
    number = client.start("git commit -am demo")
    button = waits(app)
    x, y = app.place_of(button)
    app.click_at(x, y)
    time.sleep(0.3)
    app.click_at(x, y)
    time.sleep(0.4)
    tap.ok(waits(app), "clicks within the first second allow nothing")
    tap.ok(app.sees("git commit"), "the prompt shows the command")
    app.answer("Allow once")
    result = client.answer(number)
    tap.equal((outcome(result), content(result).get("exit_code")), ("ran", 0), "Allow once: it ran")
    gone(app)


def deny(tap, app, client, folder):
    change(folder, "2")
    number = client.start("git commit -am demo")
    waits(app)
    tap.ok(True, "once is once: the same command asks again")
    app.answer("Deny")
    result = client.answer(number)
    tap.equal(outcome(result), "denied", "Deny: refused as a denial")
    tap.ok(result.get("isError"), "a denial is an error to the agent")
    gone(app)


def keys(tap, app, client, folder):
    number = client.start("git commit -am demo")
    waits(app)
    time.sleep(1.3)
    prompt = min(app.windows().items(), key=lambda w: w[1][2])[0]
    app.screen.xdotool("windowfocus", "--sync", prompt)
    time.sleep(1.3)
    for key in ("Return", "space", "Escape", "Return"):
        app.screen.xdotool("key", key)
    time.sleep(0.5)
    tap.ok(waits(app), "Enter, Space and Escape answer nothing by themselves")
    node = waits(app)
    try:
        node.queryAction().doAction(0)
    except Exception:
        pass
    time.sleep(0.5)
    tap.ok(waits(app), "an accessibility client can't allow")
    app.answer("Deny")
    tap.equal(outcome(client.answer(number)), "denied", "it still waited for a person")
    gone(app)


def always(tap, app, client, folder):
    change(folder, "3")
    number = client.start("git commit -am demo")
    waits(app)
    app.answer("Allow always this session")
    tap.equal(outcome(client.answer(number)), "ran", "Allow always: it ran")
    gone(app)
    change(folder, "4")
    tap.equal(outcome(client.run("git commit -am again")), "ran", "the same kind doesn't ask again")
    number = client.start("git tag v1")
    waits(app)
    tap.ok(True, "another kind still asks")
    app.answer("Deny")
    client.answer(number)
    gone(app)


def full_auto(tap, app, client, folder):
    app.click("Board settings")
    app.click("Full Auto")
    app.answer("Turn On")
    wait_for("the banner", lambda: app.sees("Full Auto is on"))
    change(folder, "6")
    tap.equal(outcome(client.run("git commit -am auto")), "ran", "Full Auto: no prompt")
    tap.equal(outcome(client.run("git push --force origin main")), "refused", "Full Auto doesn't allow what is refused")
    app.click("Turn off")
    number = client.start("git tag v2")
    waits(app)
    tap.ok(True, "Full Auto off: it asks again")
    app.answer("Deny")
    client.answer(number)
    gone(app)


def nobody(tap, app, client):
    result = client.run("git tag v3", seconds=60)
    tap.equal(outcome(result), "nobody", "nobody answered: refused, and not called a denial")
    gone(app)


def no_window(tap, app, client):
    window = max(app.windows().items(), key=lambda w: w[1][2])[0]
    number = client.start("git tag v4")
    waits(app)
    app.screen.xdotool("windowfocus", "--sync", window)
    app.screen.xdotool("key", "alt+F4")
    result = client.answer(number, 20)
    tap.equal(outcome(result), "no-window", "closing the window refuses what waits")
    tap.equal(outcome(client.run("git tag v5")), "no-window", "no window: refused at once")
    tap.equal(outcome(client.run("true")), "ran", "what needs no answer still runs")


def scenario(tap, screen, home):
    folder = home.project(files={"a.txt": "0", "Makefile": "all:\n\ttrue\n"})
    home.limits(prompt_seconds=25)
    app = App(screen, home, folder)
    client = attach(tap, app, folder)
    try:
        for step in (once, deny, keys, always, full_auto):
            step(tap, app, client, folder)
        nobody(tap, app, client)
        no_window(tap, app, client)
    finally:
        client.close()
        app.close()


if __name__ == "__main__":
    main(scenario)
