#!/usr/bin/env python3
"""The app and its client where a folder they need is missing, not ours or can't be written: one sentence, exit 2.

Each case is a namespace of its own, in which everything but the case's folder can't be written.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

APP, AGENT = Path(sys.argv[1]), Path(sys.argv[2])
SCHEMAS = Path(sys.argv[3])
UID = os.getuid()


class Tap:
    def __init__(self):
        self.count = self.failures = 0

    def ok(self, good, name, seen=""):
        self.count += 1
        self.failures += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        if not good:
            print("".join(f"# {line}\n" for line in str(seen).splitlines()), end="")


def run(top, program, variables, mounts=()):
    words = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run", "--bind", str(top), str(top),
             "--die-with-parent", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "LC_ALL", "C.UTF-8",
             "--setenv", "GSETTINGS_SCHEMA_DIR", str(SCHEMAS), "--setenv", "GSETTINGS_BACKEND", "memory"]
    for name, value in variables.items():
        words += ["--setenv", name, str(value)]
    done = subprocess.run([*words, *map(str, mounts), "--", *map(str, program)], capture_output=True, text=True, timeout=30,
                          stdin=subprocess.DEVNULL)
    return done.returncode, (done.stdout + done.stderr).strip()


def good_place(top):
    folders = {}
    for name, key in (("run", "XDG_RUNTIME_DIR"), ("config", "XDG_CONFIG_HOME"), ("state", "XDG_STATE_HOME"), ("home", "HOME")):
        (top / name).mkdir(mode=0o700)
        folders[key] = top / name
    return folders


def cases(top):
    """Name, what changes, mounts, exit code, words of the sentence."""
    plain = top / "plain"
    plain.write_text("a file\n")
    linked = top / "linked"
    linked.mkdir(mode=0o700)
    (linked / "perfica").symlink_to("/usr")
    missing = top / "missing"
    wide = top / "wide"
    wide.mkdir()
    wide.chmod(0o777)
    locked = top / "locked"
    locked.mkdir(mode=0o700)
    kept = top / "kept"
    (kept / "perfica").mkdir(mode=0o700, parents=True)
    read_only = ("--ro-bind", locked, locked)
    yield "no XDG_RUNTIME_DIR and none of the system's", {"XDG_RUNTIME_DIR": None}, (), 2, (f"/run/user/{UID}", "XDG_RUNTIME_DIR")
    yield "an empty XDG_RUNTIME_DIR", {"XDG_RUNTIME_DIR": ""}, (), 2, (f"/run/user/{UID}",)
    yield "a relative XDG_RUNTIME_DIR", {"XDG_RUNTIME_DIR": "run"}, (), 2, (f"/run/user/{UID}",)
    yield "an XDG_RUNTIME_DIR that isn't there", {"XDG_RUNTIME_DIR": missing}, (), 2, (str(missing),)
    yield "an XDG_RUNTIME_DIR that is a file", {"XDG_RUNTIME_DIR": plain}, (), 2, (str(plain),)
    yield "an XDG_RUNTIME_DIR that others can write to", {"XDG_RUNTIME_DIR": wide}, (), 2, (str(wide),)
    if UID == 0:
        other = top / "other"
        other.mkdir(mode=0o700)
        os.chown(other, 1234, 1234)
        yield "an XDG_RUNTIME_DIR of somebody else", {"XDG_RUNTIME_DIR": other}, (), 2, (str(other),)
    yield "an XDG_RUNTIME_DIR that can't be written", {"XDG_RUNTIME_DIR": locked}, read_only, 2, (f"{locked}/perfica", "Read-only")
    yield "a socket's folder that is a link", {"XDG_RUNTIME_DIR": linked}, (), 2, (f"{linked}/perfica",)
    for key in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        yield f"an {key} that can't be written", {key: locked}, read_only, 2, (f"{locked}/perfica", "Read-only")
        yield f"an {key} whose folder of ours can't be written", {key: kept}, ("--ro-bind", kept, kept), 2, (f"{kept}/perfica", "Read-only")
        yield f"an {key} that is a file", {key: plain}, (), 2, (f"{plain}/perfica",)
        yield f"an {key} with a link in our place", {key: linked}, (), 2, (f"{linked}/perfica",)
    home = {"XDG_STATE_HOME": None, "XDG_CONFIG_HOME": None}
    yield "a home folder that can't be written", {**home, "HOME": locked}, read_only, 2, (str(locked), "Read-only")
    yield "a home folder that isn't there", {**home, "HOME": "/nonexistent/home"}, (), 2, ("/nonexistent/home", "Read-only")
    yield "no HOME, and the one of the system can't be written", {**home, "HOME": None}, (), 2, ("perfica",)
    yield "no display", {}, (), 1, ("display",)


def main():
    tap = Tap()
    if subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], capture_output=True).returncode:
        print("1..0 # SKIP bwrap makes no namespace here")
        return 0
    top = Path(tempfile.mkdtemp(prefix="perfica-places-"))
    folders = good_place(top)
    for name, changes, mounts, expected, words in cases(top):
        variables = {k: v for k, v in {**folders, **changes}.items() if v is not None}
        code, text = run(top, [APP], variables, mounts)
        tap.ok(code == expected, f"{name}: exit {expected}", f"{code}: {text}")
        tap.ok(len(text.splitlines()) == 1 and all(word in text for word in words), f"{name}: one sentence", text)
        if "XDG_RUNTIME_DIR" in changes:
            code, text = run(top, [AGENT, "run", "--", "true"], variables, mounts)
            tap.ok(code not in (0, 139) and len(text.splitlines()) == 1, f"{name}: the client says it in a sentence too",
                   f"{code}: {text}")
    # The person's own folder of the system is found without the variable.
    code, text = run(top, [APP], {k: v for k, v in folders.items() if k != "XDG_RUNTIME_DIR"},
                     ("--perms", "0700", "--dir", f"/run/user/{UID}"))
    tap.ok(code == 1 and "display" in text, "without XDG_RUNTIME_DIR the folder in /run/user does", f"{code}: {text}")
    shutil.rmtree(top, ignore_errors=True)
    print(f"1..{tap.count}")
    return 1 if tap.failures else 0


if __name__ == "__main__":
    sys.exit(main())
