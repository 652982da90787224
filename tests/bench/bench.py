"""What the benchmarks share: quantiles, tables beside a peer of the same run, one JSON file each.

Timings are never passed or failed: a goal that was missed is shown as missed, and the process ends with 0.
"""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = Path(os.environ.get("PERFICA_BUILD", ROOT / "build")).resolve()
OUT = BUILD / "bench"
QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "worst": 1.0}


def quantiles(values):
    values = sorted(values)
    return {name: values[min(len(values) - 1, int(len(values) * q))] for name, q in QUANTILES.items()}


def last_words(text):
    """The line of a program's complaint that says most."""
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return next((line for line in lines if "rror" in line), lines[-1] if lines else "")


def shown(value):
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.1f}" if abs(value) >= 100 else f"{value:.2f}"


class Bench:
    """The measures of one benchmark, in groups; each group is a table."""

    def __init__(self, name):
        self.name = name
        self.groups = []
        self.not_run = []
        self.began = time.monotonic()

    def add(self, group, name, values, unit, peer=None, goal=None, total=False):
        """values: samples, or one number. goal: {quantile or "value": most} (least, if the unit is a rate)."""
        row = {"name": name, "unit": unit, "peer": peer, "goal": goal or {}, "total": total}
        if isinstance(values, (int, float)):
            row["value"] = values
        else:
            row.update(quantiles(values), samples=len(values))
        found = next((g for g in self.groups if g["title"] == group), None)
        if found is None:
            found = {"title": group, "rows": []}
            self.groups.append(found)
        found["rows"].append(row)
        return row

    def skip(self, name, why):
        self.not_run.append({"name": name, "why": " ".join(str(why).split())[:200]})

    def finish(self):
        for group in self.groups:
            complete(group)
            print(f"\n{group['title']}")
            for line in table(group["rows"]):
                print(line)
        for skipped in self.not_run:
            print(f"not run: {skipped['name']}: {skipped['why']}")
        seconds = time.monotonic() - self.began
        print(f"({self.name}: {seconds:.0f} s)", flush=True)
        OUT.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"name": self.name, "seconds": round(seconds, 1), "cores": os.cpu_count(),
                           "load": os.getloadavg()[0], "groups": self.groups, "not_run": self.not_run}, indent=1)
        (OUT / f"{self.name}.json").write_text(text + "\n")


def complete(group):
    """Fills in the ratio to the peer and whether each goal is met."""
    by_name = {row["name"]: row for row in group["rows"]}
    for row in group["rows"]:
        peer = by_name.get(row["peer"])
        key = "value" if "value" in row else "p50"
        if peer and peer.get(key):
            row["ratio"] = row[key] / peer[key]
            row["difference"] = row[key] - peer[key]
        row["met"] = {}
        for what, limit in row["goal"].items():
            if what == "difference":
                if "difference" in row:
                    row["met"][what] = row["difference"] <= limit
            elif row["unit"].endswith("/s"):
                row["met"][what] = row[what] >= limit
            else:
                row["met"][what] = row[what] <= limit


def goal_text(row):
    parts = []
    for what, limit in row["goal"].items():
        sign = ">=" if row["unit"].endswith("/s") else "<="
        label = {"value": "", "difference": "+"}.get(what, what + " ")
        verdict = {True: "met", False: "MISSED", None: "?"}[row["met"].get(what)]
        parts.append(f"{label}{sign}{limit:g} {verdict}")
    return ", ".join(parts)


def table(rows):
    head = ["", "p50", "p95", "p99", "worst", "unit", "beside", "goal"]
    lines = [head]
    for row in rows:
        beside = f"{row['difference']:+.2f}, x{row['ratio']:.2f} {row['peer']}" if "ratio" in row else ""
        numbers = ([shown(row["value"]), "", "", ""] if "value" in row
                   else [shown(row[q]) for q in QUANTILES])
        lines.append([row["name"], *numbers, row["unit"], beside, goal_text(row)])
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for line in lines:
        cells = [cell.rjust(w) if 0 < i < 5 else cell.ljust(w) for i, (cell, w) in enumerate(zip(line, widths))]
        yield ("  " + "  ".join(cells)).rstrip()


def peers():
    """The folder with the npm peers in node_modules, installed when they are not there; None and why not."""
    folder = OUT / "peers"
    done = folder / "installed"
    wanted = (HERE / "peers" / "package-lock.json").read_text()
    if done.exists() and done.read_text() == wanted:
        return folder, None
    if shutil.which("npm") is None:
        return None, "npm is not installed"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(HERE / "peers" / name, folder / name)
    try:
        result = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240)
    except subprocess.TimeoutExpired:
        return None, "npm took longer than 240 s"
    if result.returncode != 0:
        return None, f"npm: {result.stderr[-300:]}"
    done.write_text(wanted)
    return folder, None


def time_process(argv, folder=None, environment=None):
    """Milliseconds from the spawn of a program to its end; its output goes nowhere."""
    environment = environment or {**os.environ, "LC_ALL": "C.UTF-8"}
    actions = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    before = os.getcwd()
    if folder:
        os.chdir(folder)
        environment = {**environment, "PWD": str(folder)}
    try:
        began = time.perf_counter_ns()
        pid = os.posix_spawnp(argv[0], list(map(str, argv)), environment, file_actions=actions)
        _, status = os.waitpid(pid, 0)
        took = (time.perf_counter_ns() - began) / 1e6
    finally:
        if folder:
            os.chdir(before)
    return took, os.waitstatus_to_exitcode(status)


def interleave(ways, rounds):
    """ways: {name: function that returns milliseconds}. They take turns, so a busy moment hits all of them."""
    samples = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            samples[name].append(way())
    return samples
