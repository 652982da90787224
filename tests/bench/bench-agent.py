#!/usr/bin/env python3
"""perfica-agent as agents meet it: a process for each check, and check --batch, on one core.

bench-agent.py AGENT CORPUS: prints one line for each measure.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

RUNS = 300
BATCH_ROUNDS = 20


def once(argv, folder, devnull):
    began = time.perf_counter_ns()
    pid = os.posix_spawn(argv[0], argv, {**os.environ, "LC_ALL": "C.UTF-8", "PWD": folder},
                         file_actions=[(os.POSIX_SPAWN_DUP2, devnull, 1)])
    os.waitpid(pid, 0)
    return (time.perf_counter_ns() - began) / 1e6


def show(name, values):
    values = sorted(values)
    p50, p95, p99 = (values[min(len(values) - 1, int(len(values) * q))] for q in (0.5, 0.95, 0.99))
    print(f"{name:<44} p50 {p50:6.2f} ms  p95 {p95:6.2f}  p99 {p99:6.2f}  worst {values[-1]:6.2f}", flush=True)


def batch(agent, lines, project, *options):
    """Lines a second through one process, reading and printing included."""
    text = "".join(json.dumps({"id": i, "command": line}) + "\n" for i, line in enumerate(lines)) * BATCH_ROUNDS
    with tempfile.TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        began = time.perf_counter()
        done = subprocess.run([agent, "check", "--json", "--batch", "--project", project, *options], stdin=file,
                              stdout=subprocess.PIPE, check=True)
        seconds = time.perf_counter() - began
    count = done.stdout.count(b"\n")
    if count != len(lines) * BATCH_ROUNDS:
        sys.exit(f"{count} answers to {len(lines) * BATCH_ROUNDS} lines")
    return count / seconds


def main():
    agent, corpus = sys.argv[1:]
    with open(corpus, encoding="utf-8") as file:
        lines = [json.loads(line)["command"] for line in file if line.strip()]
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as project:
        cases = [
            ("true, for comparison", ["/bin/true"]),
            ("perfica-agent --version", [agent, "--version"]),
            ("perfica-agent check 'git status'", [agent, "check", "git status"]),
            ("perfica-agent check --json, a pipeline", [agent, "check", "--json", "rg -n foo src | head -20"]),
        ]
        for name, argv in cases:
            once(argv, project, devnull)
            show(name, [once(argv, project, devnull) for _ in range(RUNS)])
        print(f"check --json --batch --no-disk: {batch(agent, lines, project, '--no-disk'):,.0f} lines a second "
              f"(goal 20,000)")
        print(f"check --json --batch: {batch(agent, lines, project):,.0f} lines a second (goal 10,000)", flush=True)


if __name__ == "__main__":
    main()
