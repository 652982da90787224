#!/usr/bin/env python3
"""The house's own rules, held against the tree: rooms, words that must not be written, one place for versions."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# A room and the rooms whose headers it may include, lowest first.
ROOMS = {
    "guard": ["guard"],
    "sandbox": ["sandbox"],
    "app/wire": ["app/wire"],
    "app/gateway": ["app/gateway", "app/wire", "sandbox", "guard"],
    "app/agent": ["app/agent", "app/wire", "guard"],
    "ui": ["ui", "app/gateway", "app/wire", "sandbox", "guard"],
}
TOOLKIT = re.compile(r"#\s*include\s*<(gtk|gdk|adwaita|vte)[/.]")
INCLUDE = re.compile(r'#\s*include\s*"([^"]+)"')
VERSION = re.compile(r"\b(GTK|ADW|VTE|GLIB|PANGO)_CHECK_VERSION\b")
# Written apart here for the same reason they are looked for.
REGISTRIES = ["registry." + "npmjs.org", "deb." + "debian.org", "security." + "debian.org"]
MARKS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def tracked():
    out = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [Path(p) for p in out.decode().split("\0") if p]


def room_of(path):
    text = str(path)
    return max((r for r in ROOMS if text.startswith(r + "/")), key=len, default=None)


def check(path, text, headers, faults):
    room = room_of(path)
    if path.suffix in (".c", ".h") and room:
        for name in INCLUDE.findall(text):
            if "/" in name:
                faults.append(f"{path}: include \"{name}\" by its bare name")
            owner = headers.get(name)
            if owner and owner not in ROOMS[room]:
                faults.append(f"{path}: {room} reaches up to {owner} ({name})")
        if room != "ui" and TOOLKIT.search(text):
            faults.append(f"{path}: a toolkit header outside ui")
        if VERSION.search(text) and path.name != "perfica-compat.c":
            faults.append(f"{path}: a version check outside ui/perfica-compat.c")
    if path.suffix in (".c", ".h", ".py", ".sh", ".ui") and path.name != "house.py" and MARKS.search(text):
        faults.append(f"{path}: an unfinished mark")
    for host in REGISTRIES:
        if host in text:
            faults.append(f"{path}: writes out a registry's host")


def main():
    files = tracked()
    headers = {p.name: room_of(p) for p in files if p.suffix == ".h" and room_of(p)}
    faults = []
    for path in files:
        try:
            text = (ROOT / path).read_text()
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue
        check(path, text, headers, faults)
    tops = {p.parts[0] for p in files}
    allowed = {"app", "guard", "sandbox", "ui", "po", "data", "tests", "meson.build", "README.md", "LICENSE",
               "meson_options.txt", ".clang-format", ".editorconfig", ".gitignore", ".ci"}
    faults += [f"{name}: not a room of the house" for name in sorted(tops - allowed)]
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
