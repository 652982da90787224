#!/usr/bin/python3
"""Published MCP clients against the real app: both eras, every tool call answered with its result."""

import json
import subprocess
from pathlib import Path

from harness import AGENT, App, confirm, main

HERE = Path(__file__).resolve().parent / "mcp"


def events(folder, commands, *options):
    done = subprocess.run(["node", str(HERE / "client.mjs"), "--agent", str(AGENT), "--cwd", str(folder), *options, *commands],
                          capture_output=True, text=True, timeout=100)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return lines, done.stdout + done.stderr


def of_kind(lines, kind):
    return [line for line in lines if line["event"] == kind]


def confirm_sdk(tap, app, folder, name):
    """The client stays connected while the person reads the question."""
    words = ["node", str(HERE / "client.mjs"), "--agent", str(AGENT), "--cwd", str(folder)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
        client.stdin.write(json.dumps({"id": 1, "command": "true"}) + "\n")
        client.stdin.flush()
        confirm(app)
        line = {}
        while line.get("event") != "result":
            line = json.loads(client.stdout.readline())
        tap.equal(line["result"]["structuredContent"]["outcome"], "ran",
                  f"{name}: its first call waits until the person has confirmed it")
        client.stdin.close()
        client.wait(20)


def drive(tap, app, folder, name, options, first):
    commands = ["make test", "git push --force origin main", "cat .env", "sh -c ls", "make fail"]
    if first:
        confirm_sdk(tap, app, folder, name)
    lines, text = events(folder, commands, *options)
    ready = of_kind(lines, "ready")
    tap.ok(ready and "run_command" in ready[0]["tools"], f"{name}: lists run_command", text)
    results = [line["result"] for line in of_kind(lines, "result")]
    if not tap.equal(len(results), len(commands), f"{name}: every call is answered"):
        return
    made = results[0]["structuredContent"]
    tap.equal((made["outcome"], made["exit_code"]), ("ran", 0), f"{name}: make test ran, exit 0")
    tap.ok("ok 1" in json.dumps(made), f"{name}: with its output", json.dumps(made)[:500])
    tap.ok(any(key.startswith("duration") for key in made), f"{name}: and its duration", list(made))
    for index, command in enumerate(commands[1:4], 1):
        got = results[index]
        tap.ok(got.get("isError") and got["structuredContent"]["outcome"] == "refused", f"{name}: {command}: refused",
               json.dumps(got)[:500])
    failed = results[4]["structuredContent"]
    tap.equal((failed["outcome"], failed["exit_code"]), ("ran", 2), f"{name}: a failure is an exit code, no refusal")


def scenario(tap, screen, home):
    folder = home.project(files={"Makefile": "test:\n\t@echo ok 1\n\nfail:\n\t@false\n", ".env": "A=b\n"})
    app = App(screen, home, folder)
    try:
        drive(tap, app, folder, "sdk", ["--client", "sdk"], True)
        for era in ("legacy", "auto", "modern"):
            drive(tap, app, folder, f"client {era}", ["--client", "client", "--era", era], False)
    finally:
        app.close()


if __name__ == "__main__":
    main(scenario)
