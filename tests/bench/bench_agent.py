#!/usr/bin/env python3
"""perfica-agent as agents meet it: a process for each check, and check --batch, on one core.

bench_agent.py AGENT CORPUS
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bench

RUNS = 200
BATCH_ROUNDS = 20


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
    agent, corpus = (str(Path(word).resolve()) for word in sys.argv[1:])
    report = bench.Bench("agent")
    with open(corpus, encoding="utf-8") as file:
        lines = [json.loads(line)["command"] for line in file if line.strip()]
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    cases = {
        "true": ["/bin/true"],
        "bash -n": ["/bin/bash", "-n", "-c", "git status"],
        "perfica-agent --version": [agent, "--version"],
        "perfica-agent check 'git status'": [agent, "check", "git status"],
        "perfica-agent check --json, a pipeline": [agent, "check", "--json", "rg -n foo src | head -20"],
    }
    with tempfile.TemporaryDirectory() as project:
        ways = {name: lambda argv=argv: bench.time_process(argv, project)[0] for name, argv in cases.items()}
        bench.interleave(ways, 5)
        samples = bench.interleave(ways, RUNS)
        for name, values in samples.items():
            report.add("A process for each check", name, values, "ms", peer=None if name == "true" else "true",
                       total="check" in name)
        for name, options, goal in (("check --json --batch --no-disk", ["--no-disk"], 20_000),
                                    ("check --json --batch", [], 10_000)):
            rate = max(batch(agent, lines, project, *options) for _ in range(3))
            report.add("Many checks in one process, on one core (the best of 3)", name, rate, "lines/s",
                       goal={"value": goal}, total=True)
    report.finish()


if __name__ == "__main__":
    main()
