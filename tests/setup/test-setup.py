#!/usr/bin/env python3
"""app/run and tests/run where they can't go on: one sentence, exit 2, nothing built, no waiting.

The scripts run whole, in a mount namespace with another /etc/os-release and a PATH of stand-ins.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# What the scripts themselves use; everything else is missing from PATH.
TOOLS = ["bash", "cat", "cut", "dirname", "env", "flock", "grep", "head", "mkdir", "mktemp", "rm", "sed", "sort", "tail",
         "tr", "true"]

DEBIAN = 'ID=debian\nVERSION_ID="12"\n'
OTHERS = [
    ("Fedora", 'ID=fedora\nVERSION_ID=41\n', "dnf install", "gtk4-devel"),
    ("a derivative of Red Hat's", 'ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.4"\n', "dnf install", "vte291-gtk4-devel"),
    ("Arch", "ID=arch\n", "pacman -S --needed", "vte4"),
    ("a derivative of Arch", "ID=manjaro\nID_LIKE=arch\n", "pacman -S --needed", "json-glib"),
    ("openSUSE", 'ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\nVERSION_ID="20261101"\n', "zypper install", "sqlite3-devel"),
    ("Ubuntu", 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n', "apt install", "libgtk-4-dev"),
    ("a derivative of Ubuntu", 'ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_ID="22"\n', "apt install", "libadwaita-1-dev"),
    ("an older Debian", 'ID=debian\nVERSION_ID="11"\n', "apt install", "libgtk-4-dev"),
    ("a system nobody knows", "ID=plan9\n", "of Debian's", "libgtk-4-dev"),
    ("a system that says nothing", "", "of Debian's", "libgtk-4-dev"),
]
# What apt-get says, and what the person is told.
FAILURES = [
    ("no network", "Err:1 http://mirror.invalid/debian bookworm InRelease\n  Temporary failure resolving 'mirror.invalid'\n"
     "E: Failed to fetch http://mirror.invalid/debian/dists/bookworm/InRelease\n", "there is no network"),
    ("a network that swallows packets", "E: Failed to fetch http://mirror.invalid/x.deb  Could not connect to mirror.invalid:80, "
     "connection timed out\n", "there is no network"),
    ("an apt that is busy", "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 12 (apt-get)\n", "lock"),
    ("a full disk", "E: Write error - write (28: No space left on device)\n", "the disk is full"),
    ("sources without the package", "E: Unable to locate package libgtk-4-dev\n", "sources do not have them"),
    ("anything else", "E: Sub-process /usr/bin/dpkg returned an error code (1)\n", "Sub-process /usr/bin/dpkg returned"),
]


class Place:
    """A folder of stand-ins, and what they were called with."""

    def __init__(self, os_release, user=0, tools=()):
        self.top = Path(tempfile.mkdtemp(prefix="perfica-setup-"))
        self.bin = self.top / "bin"
        self.bin.mkdir()
        self.calls = self.top / "calls"
        self.installed = self.top / "installed"
        for name in [*TOOLS, *tools]:
            (self.bin / name).symlink_to(shutil.which(name))
        (self.top / "os-release").write_text(os_release)
        self.stand_in("id", f"echo {user}")
        # As dpkg does: what was installed is there, nothing else is.
        self.stand_in("dpkg-query", f'[ -e {self.installed} ] && printf "ii "')

    def stand_in(self, name, body):
        script = self.bin / name
        script.write_text(f'#!/bin/bash\nprintf "%s\\n" "{name} $*" >>{self.calls}\n{body}\n')
        script.chmod(0o755)

    def run(self, *command, seconds=20):
        began = time.monotonic()
        # The project itself can't be written: whoever gets as far as building it fails otherwise than expected.
        done = subprocess.run(
            ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", str(self.top), str(self.top),
             "--ro-bind", str(self.top / "os-release"), "/etc/os-release", "--unshare-net", "--die-with-parent",
             "--clearenv", "--setenv", "PATH", str(self.bin), "--setenv", "TMPDIR", str(self.top),
             "--chdir", str(ROOT), "--", *command],
            capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL)
        return done.returncode, done.stderr, time.monotonic() - began

    def called(self, name):
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        return [line for line in lines if line.split()[0] == name]

    def close(self):
        shutil.rmtree(self.top, ignore_errors=True)


class Tap:
    def __init__(self):
        self.count = self.failures = 0

    def ok(self, good, name, seen=""):
        self.count += 1
        self.failures += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        if not good:
            print("".join(f"# {line}\n" for line in str(seen).splitlines()), end="")

    def one_sentence(self, name, code, text, *words):
        self.ok(code == 2, f"{name}: exit 2", f"{code}: {text}")
        lines = [line for line in text.splitlines() if not line.startswith("Installing: ")]
        self.ok(len(lines) == 1 and all(word in lines[0] for word in words), f"{name}: one sentence says so", text)


def elsewhere(tap):
    for name, os_release, how, package in OTHERS:
        place = Place(os_release)
        code, text, _ = place.run("app/run")
        tap.one_sentence(name, code, text, how, f" {package} ")
        tap.ok(not place.called("dpkg-query"), f"{name}: dpkg is not asked", text)
        place.close()
    # Only what is missing is named, and only what the command at hand needs.
    place = Place("ID=fedora\n", tools=["git", "bwrap"])
    code, text, _ = place.run("env", "DISPLAY=:0", "app/run")
    tap.ok(code == 2 and " meson " in text and " git " not in text and " bubblewrap " not in text and "xdotool" not in text,
           "with a display, what is there and what only the demonstration needs goes unnamed", text)
    code, text, _ = place.run("tests/run", "--unit")
    tap.ok(code == 2 and " meson " in text and " clang " in text and " xdotool" in text, "tests/run names what tests need", text)
    place.close()


def failing(tap):
    for name, words, sentence in FAILURES:
        place = Place(DEBIAN)
        (place.top / "words").write_text(words)
        place.stand_in("apt-get", f"cat {place.top}/words >&2; exit 100")
        code, text, _ = place.run("app/run")
        tap.one_sentence(name, code, text, sentence, "libgtk-4-dev")
        calls = place.called("apt-get")
        tap.ok(len(calls) == 2 and all("Acquire::Retries=1" in c and "Timeout=20" in c for c in calls),
               f"{name}: apt is tried once with its lists and once to fetch them, bounded", calls)
        place.close()


def rights(tap):
    place = Place(DEBIAN, user=1000)
    place.stand_in("apt-get", "exit 0")
    code, text, _ = place.run("app/run")
    tap.one_sentence("neither root nor sudo", code, text, "neither root", "libgtk-4-dev")
    place.stand_in("sudo", 'echo "sudo: a terminal is required to read the password" >&2; exit 1')
    code, text, _ = place.run("app/run")
    tap.one_sentence("sudo that does not let the user", code, text, "sudo does not let", "libgtk-4-dev")
    tap.ok(not place.called("apt-get"), "without rights apt is not called", place.called("apt-get"))
    place.stand_in("sudo", 'exec "$@"')
    place.stand_in("apt-get", f"case $* in *install*) : >{place.installed} ;; esac")
    code, text, _ = place.run("bash", "-euc", ". app/setup.sh; need_packages app/packages.txt; need_packages app/packages.txt")
    tap.ok(code == 0 and text.startswith("Installing: ") and len(text.splitlines()) == 1, "sudo installs, once", text)
    tap.ok(len(place.called("apt-get")) == 1 and "--no-install-recommends" in place.called("apt-get")[0]
           and " libgtk-4-dev" in place.called("apt-get")[0], "by one call of apt", place.called("apt-get"))
    place.close()


def stale(tap):
    place = Place(DEBIAN)
    place.stand_in("apt-get", f"""case $* in *update*) : >{place.top}/fresh; exit 0 ;; esac
[ -e {place.top}/fresh ] || {{ echo 'E: Failed to fetch x.deb  404  Not Found' >&2; exit 100; }}
: >{place.installed}""")
    code, text, _ = place.run("bash", "-euc", ". app/setup.sh; need_packages app/packages.txt")
    tap.ok(code == 0 and len(place.called("apt-get")) == 3, "stale lists are fetched anew, then it installs", text)
    place.close()
    place = Place("ID=debian\n")
    place.stand_in("apt-get", f": >{place.installed}")
    code, text, _ = place.run("bash", "-euc", ". app/setup.sh; need_packages app/packages.txt")
    tap.ok(code == 0 and len(place.called("apt-get")) == 1, "testing and unstable, which have no number, are Debian too", text)
    place.close()


def lists(tap):
    """Every line of the lists can be read: a name, a probe, names elsewhere."""
    for path in ("app/packages.txt", "app/demo-packages.txt", "tests/packages.txt"):
        for line in (ROOT / path).read_text().splitlines():
            words = line.split("#")[0].split()
            if not words:
                continue
            good = (len(words) >= 2 and (words[1] == "-" or words[1].split(":")[0] in ("cmd", "pc", "py"))
                    and all(w == "anywhere" or w.split(":")[0] in ("fedora", "arch", "suse") for w in words[2:]))
            tap.ok(good, f"{path}: {words[0]}", line)


def main():
    tap = Tap()
    if subprocess.run(["bwrap", "--ro-bind", "/", "/", "--unshare-net", "true"], capture_output=True).returncode:
        print("1..0 # SKIP bwrap makes no namespace here")
        return 0
    os.chdir(ROOT)
    for part in (elsewhere, failing, rights, stale, lists):
        part(tap)
    print(f"1..{tap.count}")
    return 1 if tap.failures else 0


if __name__ == "__main__":
    sys.exit(main())
