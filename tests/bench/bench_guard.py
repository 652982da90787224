#!/usr/bin/env python3
"""The guard on the labelled corpus, beside tree-sitter-bash's parse and cc-safety-net; hostile input; memory.

bench_guard.py BENCH-GUARD CORPUS
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import bench

ROUNDS = 15
PEER_LIMIT = 60
LONGEST = 131072
SHORT = 4096
HOSTILE_ROUNDS = 3
FEW, MANY = 10_000, 1_000_000
NPM_HOST = "registry." + "npmjs.org"


def records(path, pairs):
    path.write_bytes(b"".join(f"{project}\0{command}\0".encode() for project, command in pairs))
    return path


def lay_out(top, line):
    """The line's own small disk, or the project that the others share."""
    if not ({"files", "links", "git_config"} & line.keys()):
        return top / "shared"
    project = top / line["id"]
    for name, text in line.get("files", {}).items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755 if text.startswith("#!") else 0o644)
    for name, target in line.get("links", {}).items():
        project.mkdir(exist_ok=True)
        (project / name).symlink_to(target)
    if "git_config" in line:
        (project / ".git").mkdir(parents=True)
        (project / ".git" / "config").write_text("".join(
            "[{}]\n\t{} = {}\n".format(*key.split(".", 1), value) for key, value in line["git_config"].items()))
    return project


def shared_project(folder):
    for name in ("src", "test", "scripts", "build", "docs", ".git/hooks", "node_modules/.bin"):
        (folder / name).mkdir(parents=True)
    for name, text in {
            "package.json": '{"name": "app", "scripts": {"test": "jest", "build": "tsc", "lint": "eslint ."}}\n',
            "Makefile": "all: build\nbuild:\n\tcc -o app src/main.c\ntest: build\n\t./app --test\n",
            "README.md": "# app\n", "src/main.c": "int main (void) { return 0; }\n", ".env": "KEY=value\n",
            ".git/config": "[core]\n\tbare = false\n", ".git/HEAD": "ref: refs/heads/main\n",
            "scripts/check.sh": "#!/bin/sh\nexit 0\n"}.items():
        (folder / name).write_text(text)


def corpus(path, top):
    shared_project(top / "shared")
    pairs = []
    with open(path, encoding="utf-8") as file:
        for text in file:
            line = json.loads(text)
            project = lay_out(top, line)
            pairs.append((project, line["command"].replace("@PROJECT@", str(project)).replace("@NPM@", NPM_HOST)))
    return pairs


def numbers(argv, **options):
    done = subprocess.run(list(map(str, argv)), check=True, stdout=subprocess.PIPE, text=True, **options)
    return [float(line) for line in done.stdout.split()]


def tree_sitter(folder):
    """tree-sitter-bash with its library, compiled as the guard is, from what the npm packages bring."""
    modules, program = folder / "node_modules", folder / "tree-sitter"
    library = modules / "tree-sitter" / "vendor" / "tree-sitter" / "lib"
    grammar = modules / "tree-sitter-bash" / "src"
    if not program.exists():
        subprocess.run(["cc", "-O2", "-w", "-D_GNU_SOURCE", f"-I{library}/include", f"-I{library}/src", f"-I{grammar}",
                        "-o", program, bench.HERE / "peers" / "tree-sitter.c", library / "src" / "lib.c",
                        grammar / "parser.c", grammar / "scanner.c"],
                       check=True, stderr=subprocess.PIPE, timeout=PEER_LIMIT * 2)
    return program


def beside_peers(report, title, file):
    folder, why = bench.peers()
    program = None
    for name, run in (("tree-sitter-bash, parse alone", lambda: numbers([program, file, ROUNDS], timeout=PEER_LIMIT)),
                      ("cc-safety-net, in one process", lambda: numbers(
                          ["node", bench.HERE / "peers" / "cc-safety-net.mjs", file, 3], cwd=folder, timeout=PEER_LIMIT))):
        try:
            if folder is None:
                raise OSError(why)
            if name.startswith("tree"):
                program = tree_sitter(folder)
            report.add(title, name, run(), "us", total=True)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            report.skip(name, bench.last_words(getattr(error, "stderr", None)) or error)
    return program


def stopped_after_2_s(peer, file):
    try:
        return numbers([peer, file, 1], timeout=2)[0] / 1000
    except (subprocess.SubprocessError, IndexError):
        return 2000.0


def hostile(report, program, peer, top):
    """How long the longest takes, and that a character of it takes no longer than one of a short text."""
    folder = top / "hostile"
    folder.mkdir()
    done = subprocess.run([program, "hostile", folder, str(HOSTILE_ROUNDS), str(SHORT)], check=True,
                          stdout=subprocess.PIPE, text=True)
    kinds = []
    for number, line in enumerate(done.stdout.splitlines()):
        name, few, few_us, many, many_us = line.split("\t")
        kinds.append({"name": name, "file": folder / str(number), "ms": max(float(few_us), float(many_us)) / 1000,
                      "few": float(few_us) / int(few) * 1000, "many": float(many_us) / int(many) * 1000})
    title = f"{len(kinds)} kinds of hostile input, {SHORT:,} and {LONGEST:,} characters each, the slower of both"
    report.add(title, "hostile input, guard", [k["ms"] for k in kinds], "ms", goal={"worst": 50}, total=True)
    if peer is not None:
        report.add(title, "hostile input, tree-sitter-bash's parse (stopped after 2,000 ms)",
                   [stopped_after_2_s(peer, k["file"]) for k in kinds], "ms", total=True)
    for kind in sorted(kinds, key=lambda k: -k["ms"])[:8]:
        report.add(title, f"guard: {kind['name']}", kind["ms"], "ms")
    title = f"Growth: time for 1,000 characters of {LONGEST:,}, beside 1,000 of {SHORT:,}"
    grown = sorted(kinds, key=lambda k: -k["many"] / k["few"])
    report.add(title, "a long text's character takes times a short one's", [k["many"] / k["few"] for k in kinds], "x", total=True)
    for kind in grown[:8]:
        report.add(title, f"{kind['name']}, of {SHORT:,}", kind["few"], "us")
        report.add(title, kind["name"], kind["many"], "us", peer=f"{kind['name']}, of {SHORT:,}")


def main():
    program, path = sys.argv[1:]
    report = bench.Bench("guard")
    top = Path(tempfile.mkdtemp(prefix="perfica-bench-"))
    try:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        pairs = corpus(path, top)
        file = records(top / "corpus", pairs)
        title = f"The guard on {len(pairs):,} lines of the corpus (median of {ROUNDS} readings of each line)"
        tree = "tree-sitter-bash, parse alone"
        report.add(title, "guard, no disk", numbers([program, "time", file, ROUNDS, "no-disk"]), "us", peer=tree,
                   goal={"p50": 15, "p99": 200}, total=True)
        report.add(title, "guard, with disk", numbers([program, "time", file, ROUNDS, "disk"]), "us", peer=tree,
                   goal={"p50": 60, "p99": 200}, total=True)
        peer = beside_peers(report, title, file)
        hostile(report, program, peer, top)
        few, many = numbers([program, "memory", file, FEW, MANY])
        title = "Resident memory of a process that reads the corpus again and again"
        report.add(title, f"memory after {FEW:,} commands", few / 1024, "MiB")
        report.add(title, f"memory after {MANY:,} commands", many / 1024, "MiB", peer=f"memory after {FEW:,} commands",
                   goal={"difference": 1}, total=True)
        report.finish()
    finally:
        shutil.rmtree(top, ignore_errors=True)


if __name__ == "__main__":
    main()
