#!/usr/bin/env python3
"""Runs the attacks through the real plan and prints TAP.

run.py --runner PLAN_RUN [--user UID] [--backend B] [--only PREFIX] [--programs FOLDER] [--list]

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import os
import random
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from table import ATTACKS  # noqa: E402
from world import SECRET, World  # noqa: E402

TIME = 40


def drop_to(uid):
    """An ordinary user with no other groups."""
    if os.getuid() == 0 and uid != 0:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def environment(world, service, mark):
    env = {
        "PATH": f"{world.path('project')}/bin::.:/usr/local/bin:/usr/bin:/bin",
        "HOME": world.path("home"), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "USER": "attacker",
        "B": world.base, "P": world.path("project"), "S": str(service), "MARK": mark,
        "OUTSIDE_PID": str(os.getpid()), "XDG_RUNTIME_DIR": world.path("run"),
        "ATTACK_TOKEN": SECRET, "MY_PASSWORD": SECRET, "PLAIN_URL": f"http://me:{SECRET}@host/",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus", "DISPLAY": ":77",
        "SSH_AUTH_SOCK": world.path("run/agent"), "LD_LIBRARY_PATH": world.path("outside"),
    }
    for name in ("DOCKER_HOST", "DOCKER_CONFIG", "ASAN_OPTIONS", "UBSAN_OPTIONS", "G_DEBUG"):
        if name in os.environ:
            env[name] = os.environ[name]
    return env


def marked(mark):
    """Processes that still sleep for this attack."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if words and words[0].endswith(b"sleep") and mark.encode() in words:
            found.append(int(pid))
    return found


def gone_soon(mark):
    for _ in range(40):
        left = marked(mark)
        if not left:
            return []
        time.sleep(0.05)
    for pid in left:
        os.kill(pid, 9)
    return left


class Attack:
    def __init__(self, row, options):
        self.name, self.loop, self.script, self.wanted = row[:4]
        self.extras = row[4] if len(row) > 4 else {}
        self.options = options
        # Where a container differs, and that is no fault: what it is there.
        self.wanted = self.extras.get(options.backend, self.wanted)
        self.mark = f"{random.randrange(100000, 999999)}.{random.randrange(1000)}"

    def service(self, world):
        where = self.extras.get("listen")
        if where == 4:
            return world.listen("", socket.AF_INET)
        if where == 6:
            return world.listen("", socket.AF_INET6)
        return world.listen(where).lstrip("@") if where else 0

    def world(self):
        return World(self.loop)

    def command(self, world, confined):
        script = self.script
        if "also" in self.extras:
            script = f"{self.extras['also']} & {script}"
        line = ["bash", "--norc", "--noprofile", "-p", "-c", script]
        if not confined:
            return line
        start = [self.options.runner, "--backend", self.options.backend,
                 "--project", world.path("project"), "--own", world.own,
                 "--home", world.path("home"), "--visible", world.path("visible"),
                 "--tmpdir", world.path("tmpdir"), "--limit", str(self.extras.get("limit", 30))]
        if self.options.image:
            start += ["--image", self.options.image]
        for path in world.protected:
            start += ["--protect", path]
        return start + ["--"] + line

    def run(self, world, service, confined):
        env = environment(world, service, self.mark)
        if self.options.programs and confined:
            env["PATH"] = f"{self.options.programs}:{env['PATH']}"
        fds = []
        for name, number, flags in (("leak", 9, os.O_RDONLY | os.O_DIRECTORY),
                                    ("leak_file", 8, os.O_RDONLY)):
            if name in self.extras:
                fd = os.open(world.path(self.extras[name]), flags)
                os.dup2(fd, number)
                if fd != number:
                    os.close(fd)
                fds.append(number)
        if not confined:
            for name in ("LD_LIBRARY_PATH",):
                env[name] = "/x"
        process = subprocess.Popen(self.command(world, confined), env=env, cwd=world.own
                                   if os.path.isdir(world.own) else "/",
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, pass_fds=fds)
        for fd in fds:
            os.close(fd)
        if "kill_after" in self.extras:
            time.sleep(self.extras["kill_after"])
            process.kill()
        try:
            out, err = process.communicate(timeout=TIME)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            return None, out, err
        return process.returncode, out, err

    def control(self):
        """The same, outside: an attack that never works proves nothing."""
        world = self.world()
        try:
            service = self.service(world)
            code, _, err = self.run(world, service, False)
            if code != 0:
                return f"the attack doesn't even work outside: {code} {err.decode()[-200:]}"
            return None
        finally:
            world.done()

    def judge(self):
        if self.wanted == "denied" and self.extras.get("control", True):
            complaint = self.control()
            if complaint:
                return complaint
        world = self.world()
        try:
            service = self.service(world)
            if "host" in self.extras:
                subprocess.run(["sh", "-c", self.extras["host"]], check=True,
                               env=environment(world, 0, self.mark))
            before = world.picture()
            names = self.names(world)
            code, out, err = self.run(world, service, True)
            return (self.judge_ending(code, out, err) or self.judge_world(world, before, names, out)
                    or self.judge_left())
        finally:
            world.done()

    @staticmethod
    def names(world):
        return sorted(os.path.join(folder, name) for folder, folders, files in os.walk(world.base)
                      if not folder.startswith(world.path("run")) for name in folders + files)

    def judge_ending(self, code, out, err):
        text = err.decode(errors="replace")[-300:]
        if code is None:
            return "it never came back"
        if self.wanted == "no plan":
            return None if code == 250 else f"it was not refused: {code} {text}"
        if self.wanted in ("killed", "harmless"):
            return None
        if code in (250, 251, 254, 255) and self.wanted != f"code {code}":
            return f"it did not run: {code} {text}"
        if self.wanted == "denied":
            return None if code != 0 else f"it worked: {out[-200:]!r}"
        wanted = 0 if self.wanted == "works" else int(self.wanted.split()[1])
        return None if code == wanted else f"exit {code}, wanted {wanted}: {text}"

    def judge_world(self, world, before, names, out):
        after = world.picture()
        if after != before:
            changed = [k for k in set(before) | set(after) if before.get(k) != after.get(k)]
            return f"changed outside: {changed[:4]}"
        if world.was_reached():
            return "the service outside was reached"
        if SECRET.encode() in out:
            return "a secret was printed"
        if "bytes" in self.extras and len(out) != self.extras["bytes"]:
            return f"{len(out)} bytes came out"
        if "gone" in self.extras and os.path.lexists(world.path(self.extras["gone"])):
            return f"{self.extras['gone']} is still there"
        if self.extras.get("same_names") and self.names(world) != names:
            return f"left behind: {set(self.names(world)) ^ set(names)}"
        return None

    def judge_left(self):
        if self.extras.get("mark"):
            left = gone_soon(self.mark)
            if left:
                return f"processes are left: {left}"
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runner", required=True)
    parser.add_argument("--user", type=int)
    parser.add_argument("--backend", default="bubblewrap")
    parser.add_argument("--image")
    parser.add_argument("--programs", help="a folder of stand-ins, first in PATH")
    parser.add_argument("--only", action="append")
    parser.add_argument("--skip", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    options.runner = os.path.abspath(options.runner)
    rows = [row for row in ATTACKS
            if not options.only or any(row[0].startswith(p) for p in options.only)]
    rows = [row for row in rows if not any(row[0].startswith(p) for p in options.skip)]
    if options.list:
        print("\n".join(row[0] for row in rows))
        return 0
    if options.user is not None:
        drop_to(options.user)
    print(f"TAP version 13\n1..{len(rows)}", flush=True)
    failed = 0
    for number, row in enumerate(rows, 1):
        complaint = Attack(row, options).judge()
        failed += complaint is not None
        print(f"{'not ok' if complaint else 'ok'} {number} - {row[0]}", flush=True)
        if complaint:
            print("# " + complaint.replace("\n", "\n# "), flush=True)
    print(f"# {len(rows) - failed} of {len(rows)} properties hold as uid {os.getuid()} "
          f"through {options.backend}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
