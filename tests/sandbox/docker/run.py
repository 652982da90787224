#!/usr/bin/env python3
"""Docker's sandbox against a real engine of the test's own; prints TAP.

run.py --image-run IMAGE_RUN --plan-run PLAN_RUN [--full] [--only PREFIX]

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
from engine import Engine, Missing, write_small_image  # noqa: E402
from registry import Refuser, Registry, SlowWay, free_port  # noqa: E402

IMAGE = "perfica-test"
ATTACKS = os.path.join(os.path.dirname(HERE), "attacks", "run.py")
# What CI takes of the attacks; all of them with --full.
CORE = ["own/write", "own/git-commit", "own/visible", "ending/1", "ending/kill", "write/app-folder-through-link",
        "rename/parent", "git/hook", "read/any-environment", "reach/project-socket", "reach/abstract-socket",
        "reach/docker", "reach/vsock", "rights/no-capabilities", "rights/filter", "rights/user-namespace",
        "rights/keyring-add", "rights/remount-writable", "descriptors/folder", "refused/own-is-link",
        "limit/ignores-term", "left/double-fork", "killed/app-at-30-ms", "killed/app-at-300-ms"]
CORE_NOT = ["write/app-folder-through-link-", "git/hook-", "git/hooks", "reach/project-socket-", "rename/parent-",
            "rights/user-namespace-", "own/write-", "descriptors/folder-", "refused/own-is-link-"]


def wait_until(what, probe, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = probe()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what} did not come in {seconds} s")


class House:
    """Somebody whose login shell says where Docker is."""

    count = 0

    def __init__(self, test, host, path="/usr/local/bin:/usr/bin:/bin"):
        House.count += 1
        self.test = test
        self.base = f"{test.engine.base}/house{House.count}"
        os.makedirs(f"{self.base}/run", mode=0o700)
        with open(f"{self.base}/.profile", "w") as out:
            out.write(f"export DOCKER_HOST={host} PATH={path}\n")
        self.env = {"HOME": self.base, "SHELL": "/bin/sh", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
                    "XDG_RUNTIME_DIR": f"{self.base}/run"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            if name in os.environ:
                self.env[name] = os.environ[name]

    def start(self, *words, **options):
        return subprocess.Popen([self.test.options.image_run, *words], env=self.env, stdout=subprocess.PIPE, text=True,
                                stdin=subprocess.DEVNULL, **options)

    def run(self, *words, **options):
        process = self.start(*words, **options)
        try:
            out = process.communicate(timeout=90)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError("it never came back: " + process.communicate()[0][-300:])
        return Told(out)

    def own_by(self, uid):
        for folder, folders, files in os.walk(self.base):
            for name in [folder] + [os.path.join(folder, f) for f in files]:
                os.chown(name, uid, uid)


class Told:
    """What image-run printed."""

    def __init__(self, text):
        self.text = text
        self.lines = text.splitlines()
        self.states = [line.split()[0] for line in self.lines if " size=" in line]
        self.numbers = [{k: int(v) for k, v in re.findall(r"(\w+)=(\d+)", line)} for line in self.lines
                        if " size=" in line]

    def after(self, word):
        return next((line[len(word) + 1:] for line in self.lines if line.startswith(word + " ")), "")

    def expect(self, problem="", check=""):
        assert problem in self.after("problem"), self.text
        assert check in self.after("check"), self.text


class Test:
    def __init__(self, options):
        self.options = options
        self.engine = Engine()
        self.host = f"unix://{self.engine.socket}"
        self.engine.make_image(IMAGE)
        self.registry = Registry(self.engine.base)
        self.name = f"{self.registry.host}/perfica/test:1"
        self.engine.make_image(self.name, write_small_image, 12_000_000)
        self.engine.cli("push", self.name)
        manifest = json.loads(self.engine.cli("manifest", "inspect", "--insecure", "-v", self.name).stdout)
        self.digest = manifest["Descriptor"]["digest"]
        self.size = sum(layer["size"] for layer in manifest["SchemaV2Manifest"]["layers"])
        self.engine.cli("rmi", self.name)

        os.makedirs(f"{self.engine.base}/home")

    def stop(self):
        self.registry.stop()
        self.engine.stop()

    def here(self, name):
        return self.engine.cli("image", "inspect", name, check=False).returncode == 0

    def forget_image(self):
        for line in self.engine.cli("images", "--digests", "--format", "{{.Repository}}@{{.Digest}}").stdout.split():
            if line.startswith("localhost:") and "<none>" not in line:
                self.engine.cli("rmi", line, check=False)

    # ---- The image ----

    def image_ask(self):
        """the size is told before anything is downloaded"""
        told = House(self, self.host).run("--name", self.name, "--only-ask")
        assert told.states == ["asking", "offered"], told.text
        assert told.numbers[-1]["size"] == self.size, (told.text, self.size)
        assert told.numbers[-1]["free"] > 0 and told.numbers[-1]["fits"] == 1, told.text
        assert not self.here(self.name) and told.after("pinned") == "-", told.text
        told.expect(check="ready=0|The image is not on this computer|Download the image|")

    def image_download(self):
        """downloaded, pinned, and what commands then run in"""
        house = House(self, self.host)
        told = house.run("--name", self.name)
        done = [n["done"] for n in told.numbers]
        assert told.states[-1] == "done" and "downloading" in told.states, told.text
        assert done == sorted(done) and done[-1] == self.size, told.text
        assert told.after("pinned") == self.digest, told.text
        told.expect(check="ready=1")
        assert self.run_plan(f"{self.registry.host}/perfica/test@{self.digest}", "true") == 0
        # A pin outlives the image, and another image of that name is not it.
        self.forget_image()
        house.run("--check").expect(check="ready=0|The image is not on this computer|Download the image|")
        other = self.name[:-1] + "2"
        self.engine.cli("import", "--change", "ENV a=b", self.small_tar(), other)
        house.run("--check").expect(check="The image on this computer is not the one that was pinned|"
                                          "Download the pinned image, or forget the pin|")
        again = house.run()
        assert again.after("pinned") == self.digest, again.text
        self.engine.cli("rmi", other)
        assert house.run("--forget", "--only-ask").after("pinned") == "-"
        self.forget_image()

    def small_tar(self):
        path = f"{self.engine.base}/small.tar"
        subprocess.run(["tar", "-C", HERE, "-cf", path, "run.py"], check=True)
        return path

    def image_cancel(self):
        """a cancelled download ends at the registry too"""
        way = SlowWay(self.registry.port, 2_000_000)
        try:
            told = House(self, self.host).run("--name", f"{way.host}/perfica/test:1", "--cancel-at", "1000000")
            assert told.states[-1] == "idle" and told.after("pinned") == "-", told.text
            wait_until("the end of the connection", lambda: way.open == 0, 10)
            assert way.bytes < self.size / 2, way.bytes
            assert not self.engine.cli("images", "-q", f"{way.host}/perfica/test").stdout
        finally:
            way.stop()

    def image_app_killed(self):
        """a download whose app is killed ends at the registry too"""
        way = SlowWay(self.registry.port, 2_000_000)
        try:
            process = House(self, self.host).start("--name", f"{way.host}/perfica/test:1")
            wait_until("bytes", lambda: way.bytes > 500_000)
            process.kill()
            process.communicate()
            wait_until("the end of the connection", lambda: way.open == 0, 10)
            assert way.bytes < self.size / 2, way.bytes
        finally:
            way.stop()

    def image_refusals(self):
        """each refusal of a registry in its own words"""
        login = Registry(self.engine.base, login=True)
        rate = Refuser(429, '{"errors":[{"code":"TOOMANYREQUESTS","message":"toomanyrequests: You have reached your '
                            'pull rate limit."}]}')
        garbage = Refuser(200, "<html>hello</html>")
        cases = [(f"{self.registry.host}/perfica/none:1", "its registry has no such image"),
                 (f"localhost:{free_port()}/perfica/test:1", "its registry can't be reached"),
                 (f"{login.host}/perfica/test:1", "wants a login"),
                 (f"{rate.host}/perfica/test:1", "asked too often"),
                 (f"{garbage.host}/perfica/test:1", "can't be had"),
                 ("--privileged", "is no name of an image"), ("Node", "is no name of an image")]
        try:
            for name, words in cases:
                told = House(self, self.host).run(f"--name={name}")
                told.expect(problem=words)
                assert "downloading" not in told.states and not told.after("pinned").strip("-"), told.text
        finally:
            for registry in (login, rate, garbage):
                registry.stop()

    def image_space(self):
        """what doesn't fit isn't downloaded"""
        place = f"{self.engine.base}/small"
        os.makedirs(place)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={int(self.size * 1.5)}", "none", place], check=True)
        engine = Engine("--data-root", place)
        try:
            told = House(self, f"unix://{engine.socket}").run("--name", self.name)
            assert told.states == ["asking", "offered"] and told.numbers[-1]["fits"] == 0, told.text
            assert not engine.cli("images", "-q").stdout
        finally:
            engine.stop()
            subprocess.run(["umount", "-l", place], check=True)

    def image_engine_dies(self):
        """an engine that dies during a download"""
        way = SlowWay(self.registry.port, 2_000_000)
        engine = Engine()
        try:
            process = House(self, f"unix://{engine.socket}").start("--name", f"{way.host}/perfica/test:1")
            wait_until("bytes", lambda: way.bytes > 500_000)
            engine.process.kill()
            told = Told(process.communicate(timeout=60)[0])
            assert told.states[-1] == "failed", told.text
            told.expect(problem="Docker", check="Docker is not running|Start Docker|sudo systemctl start docker")
        finally:
            way.stop()
            engine.stop()

    # ---- Diagnosis ----

    def row_denied(self):
        """somebody who may not use the engine"""
        house = House(self, self.host)
        house.own_by(1234)
        os.chmod(self.engine.socket, 0o600)
        told = house.run("--check", user=1234, group=1234, extra_groups=[])
        told.expect(check="You may not use Docker|Join the group")
        told.expect(check="sudo usermod -aG docker $USER")

    def row_missing(self):
        """no client at all"""
        programs = f"{self.engine.base}/programs"
        os.makedirs(programs)
        os.symlink("/usr/bin/env", f"{programs}/env")
        told = House(self, self.host, path=programs).run("--check")
        told.expect(check="Docker is not installed|Install Docker|")

    def row_far(self):
        """an engine on another computer"""
        told = House(self, "tcp://192.0.2.1:2375").run("--check")
        told.expect(check="on another computer")

    def row_down(self):
        """no engine"""
        told = House(self, "unix:///nonexistent/docker.sock").run("--check")
        told.expect(check="Docker is not running|Start Docker|sudo systemctl start docker")

    def row_cannot_run(self):
        """an image without what is needed"""
        self.engine.cli("import", self.small_tar(), "perfica-empty")
        told = House(self, self.host).run("--name", "perfica-empty", "--check")
        told.expect(check="ready=0|Docker can't make a sandbox here|")
        self.engine.cli("rmi", "perfica-empty")

    # ---- Running ----

    def plan(self, image, *command, **options):
        project = f"{self.engine.base}/project{random.randrange(10**9)}"
        os.makedirs(project)
        env = {"HOME": f"{self.engine.base}/home", "PATH": "/usr/local/bin:/usr/bin:/bin", "DOCKER_HOST": self.host,
               "XDG_RUNTIME_DIR": f"{self.engine.base}", "LANG": "C.UTF-8"}
        env.update(options.pop("env", {}))
        return subprocess.Popen([self.options.plan_run, "--backend", "docker", "--image", image, "--project", project,
                                 *options.pop("more", []), "--", *command], env=env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def run_plan(self, image, *command, **options):
        process = self.plan(image, *command, **options)
        self.out, self.err = process.communicate(timeout=60)
        return process.returncode

    def run_endings(self):
        """what never ran is never taken for the command's own end"""
        assert self.run_plan("perfica-no-such", "true") == 251, self.err
        assert "No such image" in self.err
        assert self.run_plan(IMAGE, "no-such-program") == 251, self.err
        assert self.run_plan(IMAGE, "/etc/passwd") == 251, self.err
        for code in (125, 126, 127):
            assert self.run_plan(IMAGE, "bash", "-c", f"exit {code}") == code, self.err
        assert not self.engine.containers()

    def run_proxies(self):
        """the client's own settings don't reach into the container"""
        config = f"{self.engine.base}/secret-config"
        os.makedirs(config)
        with open(f"{config}/config.json", "w") as out:
            json.dump({"proxies": {"default": {"httpProxy": "http://me:hunter2@192.0.2.1", "noProxy": "hunter2",
                                               "httpsProxy": "http://me:hunter2@192.0.2.1",
                                               "allProxy": "http://me:hunter2@192.0.2.1",
                                               "ftpProxy": "http://me:hunter2@192.0.2.1"}}}, out)
        code = self.run_plan(IMAGE, "bash", "-c", "cat /proc/*/environ | tr '\\0' '\\n'; env",
                             env={"DOCKER_CONFIG": config, "PROJECT_WORD": "seen"})
        assert code == 0 and "hunter2" not in self.out and "PROJECT_WORD=seen" in self.out, self.out

    def run_engine_socket(self):
        """the engine's socket isn't seen, wherever it lies"""
        code = self.run_plan(IMAGE, "python3", "-c",
                             "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])",
                             self.engine.socket, more=["--visible", self.engine.base])
        assert code == 1 and "refused" in self.err.lower(), (code, self.err)

    def run_mount_below(self):
        """a file system mounted below the project stays read-only too"""
        base = f"{self.engine.base}/mounts"
        os.makedirs(f"{base}/own")
        os.makedirs(f"{base}/other/m")
        subprocess.run(["mount", "-t", "tmpfs", "none", f"{base}/other/m"], check=True)
        try:
            code = self.run_plan(IMAGE, "bash", "-c", "echo x > ../other/m/new",
                                 more=["--project", base, "--own", f"{base}/own"])
            assert code == 1 and "Read-only" in self.err, (code, self.err)
            assert not os.listdir(f"{base}/other/m")
        finally:
            subprocess.run(["umount", "-l", f"{base}/other/m"], check=True)

    # ---- Kills ----

    @staticmethod
    def children(pid):
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == pid:
                        found.append(int(name))
            except (OSError, IndexError):
                pass
        return found

    def chain(self, pid):
        """app, launcher, supervisor, init: each a child of the one before."""
        chain = [pid]
        while len(chain) < 4:
            below = [child for child in self.children(chain[-1]) if self.is_ours(child)]
            if not below:
                break
            chain.append(below[0])
        return chain

    @staticmethod
    def is_ours(pid):
        """Not Docker's client, which the app asks about the engine."""
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                return b"perfica-supervise" in file.read()
        except OSError:
            return False

    def kill_each(self):
        """whoever is killed, the container goes"""
        rounds = 12 if self.options.full else 1
        for victim in ("app", "launcher", "supervisor", "init"):
            for number in range(rounds):
                mark = f"{random.randrange(100000, 999999)}.{number}"
                process = self.plan(IMAGE, "bash", "-c", f"trap '' TERM HUP; setsid sleep {mark} & sleep {mark}")
                index = ["app", "launcher", "supervisor", "init"].index(victim)
                chain = wait_until(victim, lambda: (c := self.chain(process.pid)) and len(c) > index and c, 10)
                time.sleep(random.random() * 1.2)
                try:
                    os.kill(chain[index], signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.communicate(timeout=40)
                wait_until(f"the end of the container ({victim})", lambda: not self.engine.containers(), 20)
                left = subprocess.run(["grep", "-lsa", mark, *[f"/proc/{p}/cmdline" for p in os.listdir("/proc")
                                                               if p.isdigit()]], capture_output=True, text=True).stdout
                left = [line for line in left.split() if f"/{os.getpid()}/" not in line and "/self/" not in line]
                assert not left, (victim, left)

    def kill_parallel(self):
        """sixteen at once, all stopped at their limit"""
        running = [self.plan(IMAGE, "sleep", "60", more=["--limit", "3"]) for _ in range(16 if self.options.full else 6)]
        codes = []
        for process in running:
            process.communicate(timeout=90)
            codes.append(process.returncode)
        assert set(codes) == {252}, codes
        wait_until("the end of the containers", lambda: not self.engine.containers(), 20)

    # ---- Attacks ----

    def attack(self, *more):
        words = [sys.executable, ATTACKS, "--runner", self.options.plan_run, "--backend", "docker", "--image", IMAGE,
                 *more]
        if not self.options.full:
            for name in CORE:
                words += ["--only", name]
            for name in CORE_NOT:
                words += ["--skip", name]
        self.engine.everybody()
        done = subprocess.run(words, env=self.engine.env, capture_output=True, text=True)
        failed = [line for line in done.stdout.splitlines() if line.startswith(("not ok", "# "))]
        print("# " + done.stdout.splitlines()[-1].lstrip("# "), flush=True)
        assert done.returncode == 0, "\n".join(failed)[:4000]
        assert not self.engine.containers()

    def attack_root(self):
        """the attacks, as root"""
        self.attack()

    def attack_user(self):
        """the attacks, as an ordinary user"""
        self.attack("--user", "1234")


CASES = ["image_ask", "image_download", "image_cancel", "image_app_killed", "image_refusals", "image_space",
         "image_engine_dies", "row_missing", "row_far", "row_down", "row_denied", "row_cannot_run",
         "run_endings", "run_proxies", "run_engine_socket", "run_mount_below", "kill_each", "kill_parallel",
         "attack_root", "attack_user"]
# Too slow for CI, or the same again.
FULL_ONLY = {"image_engine_dies", "attack_root"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--image-run", required=True)
    parser.add_argument("--plan-run", required=True)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    options.image_run, options.plan_run = (os.path.abspath(p) for p in (options.image_run, options.plan_run))
    cases = [name for name in CASES if (options.full or name not in FULL_ONLY or options.only) and
             (not options.only or any(name.startswith(p) for p in options.only))]
    try:
        test = Test(options)
    except Missing as reason:
        print(f"1..0 # SKIP {reason}".replace("\n", " "))
        return 0
    print(f"TAP version 13\n1..{len(cases)}", flush=True)
    failed = 0
    try:
        for number, name in enumerate(cases, 1):
            what = getattr(test, name).__doc__
            began = time.monotonic()
            try:
                skip = getattr(test, name)()
                print(f"ok {number} - {name}: {what}" + (f" # {skip}" if skip else ""), flush=True)
            except Exception:
                failed += 1
                print(f"not ok {number} - {name}: {what}", flush=True)
                print("# " + traceback.format_exc().replace("\n", "\n# "), flush=True)
            print(f"# {time.monotonic() - began:.1f} s", flush=True)
    finally:
        test.stop()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
