#!/usr/bin/env python3
"""Adds up the JUnit reports and steps of a run and prints "N passed, N failed".

report.py REPORTS [BENCH]: with the folder of the benchmarks' JSON files, also their summary. Numbers never fail.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def readable(path):
    """The report without what XML forbids: tests print hostile text."""
    text = path.read_bytes().decode("utf-8", "replace")
    text = re.sub(r"&#(x[0-9a-fA-F]+|[0-9]+);", "\ufffd", text)
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)


def cases(path):
    for suite in ElementTree.fromstring(readable(path)).iter("testsuite"):
        for case in suite.iter("testcase"):
            failed = case.find("failure") is not None or case.find("error") is not None
            skipped = case.find("skipped") is not None
            name = f"{case.get('classname') or suite.get('name')} {case.get('name')}"
            yield name, "fail" if failed else "skip" if skipped else "pass"
        # A test that crashed before its first point has no case of its own.
        if suite.find("testcase") is None and suite.get("name"):
            bad = int(suite.get("failures") or 0) + int(suite.get("errors") or 0)
            yield suite.get("name"), "fail" if bad else "pass"


def summary(folder):
    """One table of what counts most in each benchmark."""
    # The benchmarks' own module lays tables out.
    sys.path.insert(0, str(Path(__file__).resolve().parent / "bench"))
    import bench

    reports = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    rows = [{**row, "name": f"{report['name']}: {row['name']}"} for report in reports for group in report["groups"]
            for row in group["rows"] if row["total"]]
    if not rows:
        return
    print(f"\nBenchmarks, in {sum(report['seconds'] for report in reports):.0f} s on {reports[0]['cores']} cores:")
    print("\n".join(bench.table(rows)))
    for report in reports:
        for skipped in report["not_run"]:
            print(f"  not run: {report['name']}: {skipped['name']}: {skipped['why']}")
    met = [met for row in rows for met in row["met"].values()]
    print(f"  {sum(met)} of {len(met)} goals met (load at the end: {max(report['load'] for report in reports):.1f}; "
          f"with others at work the numbers say little)\n")


def main():
    folder = Path(sys.argv[1])
    if len(sys.argv) > 2:
        summary(Path(sys.argv[2]))
    results = []
    for report in sorted(folder.glob("*.xml")):
        found = list(cases(report))
        by = {state: sum(1 for _, s in found if s == state) for state in ("pass", "fail", "skip")}
        print(f"{report.stem}: {by['pass']} passed, {by['fail']} failed, {by['skip']} skipped")
        results += [(f"{report.stem}: {name}", state) for name, state in found]
    steps = folder / "steps.tsv"
    if steps.exists():
        for line in steps.read_text().splitlines():
            state, name = line.split("\t", 1)
            results.append((name, state))
    failed = [name for name, state in results if state == "fail"]
    for name in failed:
        print(f"FAILED {name}")
    passed = sum(1 for _, state in results if state == "pass")
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
