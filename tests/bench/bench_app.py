#!/usr/bin/env python3
"""The real app on a virtual screen: a command's whole way, the prompt, the start, the memory.

bench_app.py SCREEN-PROBE BENCH-SANDBOX

GNOME Console is the peer of the start and the memory: a window of GTK and libadwaita with a terminal in it.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import bench
import harness
from harness import AGENT, App, Home, Screen, end_process, wait_for

RUNS = 100
PROMPTS = 25
STARTS = 10
MEMORIES = 3
IDLE_S = 5
FILTER_FD = 100


class Probe:
    """The independent look at the screen. Start it before what makes the window."""

    def __init__(self, program, seconds=20):
        self.process = subprocess.Popen([program, str(seconds)], stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "ready":
            raise harness.Failure("the probe can't see the screen")

    def since(self, began_ns):
        """Milliseconds to the mapped and to the drawn window."""
        out, _ = self.process.communicate()
        if self.process.returncode != 0:
            raise harness.Failure("no window came")
        return [(int(word) - began_ns) / 1e6 for word in out.split()]


def spawn_by_hand(words, filter_file, folder):
    """As bench.time_process, with the filter at the descriptor that the words name."""
    actions = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    actions.append((os.POSIX_SPAWN_OPEN, FILTER_FD, filter_file, os.O_RDONLY, 0))
    began = time.perf_counter_ns()
    pid = os.posix_spawnp(words[0], words, {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, file_actions=actions)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status != 0:
        raise harness.Failure(f"bwrap by hand in {folder}: exit code {status}")
    return (time.perf_counter_ns() - began) / 1e6


def through_agent(folder):
    took, status = bench.time_process([AGENT, "run", "--", "true"], folder)
    if status != 0:
        raise harness.Failure(f"perfica-agent run in {folder}: exit code {status}")
    return took


def commands(report, app, folders, program, top):
    """`true` through the app, on a board without and on one with the sandbox."""
    tmpdir = top / "by-hand"
    tmpdir.mkdir()
    words = {}
    for backend, folder in zip(("none", "bubblewrap"), folders):
        words[backend] = subprocess.run([program, "words", backend, folder, tmpdir, top / "filter"], check=True,
                                        stdout=subprocess.PIPE, text=True).stdout.splitlines()
    bare, confined = folders
    ways = {
        "true, for comparison": lambda: bench.time_process(["/usr/bin/true"])[0],
        "perfica-agent --version": lambda: bench.time_process([AGENT, "--version"])[0],
        "bwrap by hand, not confined": lambda: spawn_by_hand(words["none"], top / "filter", bare),
        "perfica-agent run true": lambda: through_agent(bare),
        "bwrap by hand, confined": lambda: spawn_by_hand(words["bubblewrap"], top / "filter", confined),
        "perfica-agent run true, sandboxed": lambda: through_agent(confined),
    }
    bench.interleave(ways, 3)
    beside = {"perfica-agent run true": "bwrap by hand, not confined",
              "perfica-agent run true, sandboxed": "bwrap by hand, confined"}
    for name, values in bench.interleave(ways, RUNS).items():
        report.add("A command's whole way: agent, guard, record, sandbox, answer", name, values, "ms",
                   peer=beside.get(name), total=name.startswith("perfica-agent run"))


def prompts(report, app, client, probe):
    mapped, drawn = [], []
    for number in range(PROMPTS):
        eye = Probe(probe)
        windows = len(app.windows())
        began = time.monotonic_ns()
        request = client.start(f"git tag bench-{number}")
        times = eye.since(began)
        if number > 0:
            mapped.append(times[0])
            drawn.append(times[1])
        client.notify("notifications/cancelled", {"requestId": request})
        wait_for("the prompt to go", lambda: len(app.windows()) <= windows)
    title = "From an agent's request to the prompt on the screen (looked at every 2 ms)"
    report.add(title, "request to prompt mapped", mapped, "ms")
    report.add(title, "request to prompt drawn", drawn, "ms", total=True)


def tree_of(pid):
    found, parents = [pid], {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents.setdefault(int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]), []).append(int(entry.name))
            except OSError:
                continue
    for one in found:
        found.extend(parents.get(one, []))
    return found


def memory_of(pids):
    """Mebibytes: PSS and RSS."""
    sums = {"Pss": 0, "Rss": 0}
    for pid in pids:
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        for line in text.splitlines():
            name = line.split(":")[0]
            if name in sums:
                sums[name] += int(line.split()[1])
    return sums["Pss"] / 1024, sums["Rss"] / 1024


def start(argv, folder, probe, idle):
    """Times to mapped and drawn, and, if asked, the memory of the program and of its whole tree."""
    eye = Probe(probe)
    began = time.monotonic_ns()
    process = subprocess.Popen(list(map(str, argv)), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        times = eye.since(began)
        if idle:
            time.sleep(max(0, IDLE_S - (time.monotonic_ns() - began) / 1e9))
            times += [*memory_of([process.pid]), *memory_of(tree_of(process.pid))]
        return times
    finally:
        end_process(process)
        time.sleep(0.3)


def starts(report, folder, probe):
    programs = {"GNOME Console": ["kgx"], "perfica": [harness.APP]}
    if shutil.which("kgx") is None:
        report.skip("GNOME Console", "kgx is not installed")
        del programs["GNOME Console"]
    results = {name: [] for name in programs}
    for number in range(STARTS + 1):
        for name, argv in programs.items():
            times = start(argv, folder, probe, 0 < number <= MEMORIES)
            if number > 0:
                results[name].append(times)
    for what, column in (("exec to window mapped", 0), ("exec to window drawn", 1)):
        for name, rows in results.items():
            report.add("From exec to the window on the screen (looked at every 2 ms)", f"{name}: {what}",
                       [row[column] for row in rows], "ms", peer=f"GNOME Console: {what}" if name == "perfica" else None,
                       total=column == 1)
    for what, column in (("PSS", 2), ("RSS", 3), ("PSS with its processes", 4), ("RSS with its processes", 5)):
        for name, rows in results.items():
            report.add(f"Resident memory, idle, {IDLE_S} s after the start", f"{name}: idle {what}",
                       [row[column] for row in rows if len(row) > 2], "MiB",
                       peer=f"GNOME Console: idle {what}" if name == "perfica" else None, total=column == 2)


def lay_out_boards(screen, home, folders):
    """Two boards, the second with the sandbox, and our agents confirmed on both, as the app itself remembers it."""
    for folder in folders:
        App(screen, home, folder).close()
    path = home.config / "perfica" / "boards.json"
    text = json.loads(path.read_text())
    for board in text["boards"]:
        board["sandbox"] = "on" if board["folder"] == str(folders[1]) else "off"
        for bubble in board["bubbles"]:
            bubble["clients"] = [{"program": str(AGENT), "client": name} for name in ("perfica-agent run", "demo-client")]
    path.write_text(json.dumps(text))


def main():
    probe, program = (str(Path(word).resolve()) for word in sys.argv[1:])
    report = bench.Bench("app")
    home, screen = Home(), None
    try:
        screen = Screen()
        folders = [home.project(name, files={"a.txt": "0"}) for name in ("bare", "sandboxed")]
        lay_out_boards(screen, home, folders)
        app = App(screen, home, folders[0])
        try:
            commands(report, app, folders, program, home.top)
            client = attached(folders[0])
            try:
                prompts(report, app, client, probe)
            finally:
                client.close()
        finally:
            app.close()
        starts(report, folders[0], probe)
        report.finish()
    finally:
        if screen is not None:
            screen.close()
        home.close()


def attached(folder):
    client = harness.Client(folder)
    outcome = harness.outcome(client.run("true"))
    if outcome != "ran":
        raise harness.Failure(f"a confirmed agent was answered “{outcome}”")
    return client


if __name__ == "__main__":
    main()
