#!/usr/bin/python3
"""The run: what comes back, the sandbox, the time limit, and that nothing survives a kill."""

import json
import os
import random
import sqlite3
import time
import uuid
from pathlib import Path

from harness import App, attach, children_of, content, kill, launcher_of, main, nothing_left, outcome, processes_with, wait_for

# 200 processes that fork and die again and again, each in a session of its own; bounded in number and time.
HOPPERS = """
import os, sys, time
end = time.monotonic() + 20
def hop():
    while time.monotonic() < end:
        if os.fork():
            os._exit(0)
        os.setsid()
        time.sleep(0.002)
for _ in range(200):
    if os.fork() == 0:
        hop()
        os._exit(0)
time.sleep(60)
"""

SETSID = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(300)
time.sleep(300)
"""


def plain(tap, client, folder):
    answer = client.run("make test")
    result = content(answer)
    tap.equal((result["outcome"], result["exit_code"]), ("ran", 0), "make test: exit 0")
    tap.ok("tests passed" in json.dumps(result), "its output comes back", json.dumps(result)[:600])
    tap.ok(0 < result["duration_ms"] < 60000, "and its duration", result)
    tap.equal(content(client.run("make fail"))["exit_code"], 2, "a failing exit code is reported as it is")
    tap.equal(content(client.run("test -t 0")).get("exit_code"), 1, "its standard input is no terminal")
    outputs = list((folder / ".perfica" / "outputs").iterdir())
    tap.ok(outputs, "the whole output is kept in .perfica/outputs")
    tap.equal(outcome(client.run("tail -f a.txt")), "refused", "what never exits is refused")
    refused = client.run("git push --force origin main")
    tap.ok(outcome(refused) == "refused" and content(refused)["verdict"]["findings"], "a refusal carries findings", refused)
    tap.equal(outcome(client.run("cat .env")), "refused", "a secret is refused")


def environment(tap, client):
    text = content(client.run("env"))["stdout"]
    tap.ok(text and "hunter2" not in text, "secrets are scrubbed from the environment")
    for name in ("TMPDIR=", "CI=1", "PAGER=cat", "GIT_TERMINAL_PROMPT=0"):
        tap.ok(f"\n{name}" in "\n" + text, f"{name} is set", text)


def big_output(tap, client, folder, app):
    result = content(client.run("seq 1 3000000", seconds=120))
    tap.equal((result["outcome"], result["exit_code"]), ("ran", 0), "20 MB of output: exit 0")
    path = folder / result["output_file"]
    tap.ok(path.read_bytes().rstrip().endswith(b"3000000"), "the whole of it is on disk")
    tap.ok(len(json.dumps(result)) < 1 << 20, "head and tail are what the agent gets")


def sandboxed(tap, app, client, folder, home):
    app.click("Board settings")
    app.choose("Sandbox agent commands", "On")
    marker = Path("/opt") / folder.name
    answer = content(client.run("make escape"))
    tap.ok(not marker.exists(), "sandbox: a build can't write outside the project")
    tap.ok(answer["outcome"] == "ran" and answer["exit_code"] != 0, "it fails as a command", answer)
    tap.ok("read-only" in json.dumps(answer) or "sandbox" in (answer.get("message") or "").lower(),
           "and the answer says that the sandbox was why", answer)
    answer = content(client.run("make online"))
    tap.ok(answer["exit_code"] != 0 and "network" in (answer.get("message") or ""), "no network, and the answer says so", answer)
    answer = content(client.run("make inside"))
    tap.ok(answer["exit_code"] == 0 and (folder / "made.txt").exists(), "it may write in its own folder", answer)
    answer = content(client.run("make app-folder"))
    tap.ok(answer["exit_code"] != 0, ".perfica can't be written", answer)
    answer = content(client.run("make steer"))
    tap.ok(not (folder / ".git" / "commondir").exists(), "what would steer the person's git is set aside")
    tap.ok("perfica-kept" in (answer.get("message") or ""), "and the answer says so", answer)
    app.choose("Sandbox agent commands", "Off")
    app.answer("Turn Off")


def limits(tap, client, folder):
    for name, script in (("setsid", SETSID), ("hoppers", HOPPERS)):
        marker = f"mark-{name}-{uuid.uuid4()}"
        (folder / f"{name}.py").write_text(script)
        began = time.monotonic()
        result = content(client.run(f"python3 {name}.py {marker}", seconds=60))
        seconds = time.monotonic() - began
        tap.equal(result["outcome"], "limit", f"{name}: stopped at the limit ({seconds:.1f} s)")
        tap.ok(nothing_left(marker), f"{name}: nothing of it is left", processes_with(marker))


def cancel(tap, client, folder):
    marker = f"mark-cancel-{uuid.uuid4()}"
    number = client.start(f"python3 setsid.py {marker}")
    wait_for("the command to run", lambda: processes_with(marker))
    client.notify("notifications/cancelled", {"requestId": number})
    tap.ok(nothing_left(marker), "cancelled by the agent: nothing is left")


def killed(tap, app, client, folder, whom, delay):
    """Kills one of ours while a command runs; nothing of the command survives. Returns False once the app is gone."""
    marker = f"mark-kill-{uuid.uuid4()}"
    (folder / "setsid.py").write_text(SETSID)
    client.start(f"python3 setsid.py {marker}")
    if delay is None:
        wait_for("the command to run", lambda: processes_with(marker))
        time.sleep(0.2)
    else:
        time.sleep(delay)
    launcher = wait_for("the launcher", lambda: launcher_of(app), pause=0.005)
    if whom == "app":
        kill(app.process.pid)
        app.process.wait()
    elif whom == "launcher":
        kill(launcher)
    else:
        for pid in children_of(launcher):
            kill(pid)
    good = nothing_left(marker)
    tap.ok(good, f"{whom} killed {'while a command runs' if delay is None else f'after {delay * 1000:.0f} ms'}: nothing is left",
           processes_with(marker))
    for pid in processes_with(marker):
        kill(pid)


def kills(tap, app, client, folder, home, screen):
    for whom in ("supervisor", "launcher"):
        killed(tap, app, client, folder, whom, None)
        for _ in range(3):
            killed(tap, app, client, folder, whom, random.uniform(0, 0.03))
        tap.equal(outcome(client.run("true")), "ran", f"{whom} killed: the next command runs")
    killed(tap, app, client, folder, "app", None)
    again = App(screen, home, folder)
    rows = sqlite3.connect(f"file:{home.database}?mode=ro", uri=True).execute("select count(*) from sqlite_master").fetchone()
    tap.ok(rows[0] > 0, "the record survives kill -9")
    tap.ok(wait_for("the entries", lambda: again.sees("make test")), "and the window shows it after the restart")
    return again


def scenario(tap, screen, home):
    os.environ["MY_API_TOKEN"] = "hunter2"
    (home.home / ".bashrc").write_text("export OTHER_SECRET=hunter2\n")
    folder = home.project(f"escape-{os.getpid()}", files={
        "a.txt": "0", ".env": "KEY=hunter3\n",
        "Makefile": ("test:\n\t@echo 3 tests passed\n\nfail:\n\t@false\n\n"
                     "tool: tool.c\n\t$(CC) -o tool tool.c\n\n"
                     "escape: tool\n\t./tool home\n\ninside: tool\n\t./tool inside\n\n"
                     "online: tool\n\t./tool online\n\nsteer: tool\n\t./tool steer\n\napp-folder: tool\n\t./tool app\n"),
        "tool.c": TOOL})
    home.limits(short_seconds=6, long_seconds=10, prompt_seconds=90)
    app = App(screen, home, folder)
    client = attach(app, folder)
    try:
        plain(tap, client, folder)
        environment(tap, client)
        big_output(tap, client, folder, app)
        sandboxed(tap, app, client, folder, home)
        limits(tap, client, folder)
        cancel(tap, client, folder)
        app = kills(tap, app, client, folder, home, screen)
    finally:
        client.close()
        app.close()


# A compiled program: what the guard can't see, the sandbox must hold.
TOOL = r"""
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int
write_file (const char *path)
{
  int fd = open (path, O_WRONLY | O_CREAT, 0644);
  if (fd < 0)
    {
      fprintf (stderr, "tool: %s: %s\n", path, strerror (errno));
      return 1;
    }
  return write (fd, "x", 1) != 1;
}

int
main (int argc, char **argv)
{
  char path[4096];
  const char *what = argc > 1 ? argv[1] : "";
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons (80) };
  char cwd[4000];

  if (getcwd (cwd, sizeof cwd) == NULL)
    return 3;
  if (strcmp (what, "home") == 0)
    {
      snprintf (path, sizeof path, "/opt/%s", strrchr (cwd, '/') + 1);
      return write_file (path);
    }
  if (strcmp (what, "inside") == 0)
    return write_file ("made.txt");
  if (strcmp (what, "steer") == 0)
    return write_file (".git/commondir");
  if (strcmp (what, "app") == 0)
    return write_file (".perfica/outputs/forged.log");
  inet_pton (AF_INET, "192.0.2.1", &address.sin_addr);
  if (connect (socket (AF_INET, SOCK_STREAM, 0), (struct sockaddr *) &address, sizeof address) != 0)
    {
      fprintf (stderr, "tool: connect: %s\n", strerror (errno));
      return 1;
    }
  return 0;
}
"""


if __name__ == "__main__":
    main(scenario)
