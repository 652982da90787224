"""A real Docker engine of the test's own: its data, its socket, its image made of this system's files.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time

# What the attacks use. Their packages' files, and those of the libraries they link, are the image.
PROGRAMS = ["bash", "sh", "git", "python3", "unshare", "mount", "setpriv", "setsid", "dmesg", "ip", "ps", "grep",
            "sed", "find", "awk", "hostname", "date", "getent", "ls", "cp", "perl", "xargs", "tar", "gzip"]
PREFIXES = ("bin", "lib", "lib64", "usr", "etc/alternatives", "etc/passwd", "etc/group", "etc/ssl")
NOT = ("usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info", "usr/lib/debug", "usr/share/lintian",
       "usr/share/perl", "usr/lib/git-core/git-shell")


class Missing(Exception):
    """Something the test needs is not on this machine."""


def find(program):
    path = shutil.which(program, path="/usr/sbin:/usr/local/bin:/usr/bin:/sbin:/bin")
    if not path:
        raise Missing(f"{program} is not installed")
    return path


def run(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


def owner(path):
    """The package that a file came with; names under /bin and /lib are known without /usr too."""
    for name in (path, path.removeprefix("/usr"), "/usr" + path):
        done = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(":")[0].split(",")[0]
    return None


def closure(packages):
    seen, todo = set(), list(packages)
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        done = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status},${Pre-Depends},${Depends}", name],
                              capture_output=True, text=True)
        if not done.stdout.startswith("installed,"):
            continue
        seen.add(name)
        for wish in done.stdout.split(",")[1:]:
            first = wish.split("|")[0].split("(")[0].strip().split(":")[0]
            if first:
                todo.append(first)
    return seen


def image_files():
    programs = [os.path.realpath(find(p)) for p in PROGRAMS]
    owners = {owner(p) for p in programs} - {None} | {"libc6", "libc-bin", "coreutils"}
    owners |= {"lib" + o.replace("-minimal", "-stdlib") for o in owners if o.startswith("python3.")}
    packages = closure(owners)
    names = set()
    for line in run("dpkg", "-L", *sorted(packages)).splitlines():
        name = line.lstrip("/")
        if name.startswith(PREFIXES) and not name.startswith(NOT):
            names.add(name)
    return names | {"etc/passwd", "etc/group", "lib64"}


def write_image(path):
    """A tar of a root folder, without a network: links and files as they are here."""
    merged = os.path.islink("/bin")
    with tarfile.open(path, "w") as archive:
        for name in ("bin", "sbin", "lib", "lib64", "lib32"):
            if os.path.islink("/" + name):
                archive.add("/" + name, name, recursive=False)
        for name in ("tmp", "var/tmp", "proc", "sys", "dev", "run", "root", "home"):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if name.endswith("tmp") else 0o755
            archive.addfile(entry)
        done = set()
        for name in sorted(image_files()):
            if merged and name.split("/")[0] in ("bin", "sbin", "lib", "lib64"):
                name = "usr/" + name
            if name in done or not os.path.lexists("/" + name):
                continue
            done.add(name)
            archive.add("/" + name, name, recursive=False)
        for program in PROGRAMS:
            link = find(program)
            while os.path.islink(link):
                name = ("/usr" + link if merged and not link.startswith("/usr") else link).lstrip("/")
                if name.startswith(PREFIXES) and name not in done:
                    done.add(name)
                    archive.add(link, name, recursive=False)
                link = os.path.normpath(os.path.join(os.path.dirname(link), os.readlink(link)))


def libraries(program):
    """What a program links, as ldd finds it."""
    out = run("ldd", program)
    return {word for line in out.splitlines() for word in line.split() if word.startswith("/")}


def write_small_image(path, size):
    """Just enough to run something, and @size bytes that can't be pressed together."""
    programs = [find("bash"), find("cat"), find("true")]
    names = {name for program in programs for name in libraries(program)} | set(programs)
    with tarfile.open(path, "w") as archive:
        for name in ("tmp", "var/tmp", "proc", "sys", "dev", "run", "home"):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if name.endswith("tmp") else 0o755
            archive.addfile(entry)
        for name in names:
            archive.add(os.path.realpath(name), name.lstrip("/"))
        entry = tarfile.TarInfo("filling")
        entry.size = size
        with open("/dev/urandom", "rb") as random:
            archive.addfile(entry, random)


class Engine:
    def __init__(self, *options):
        if os.getuid() != 0:
            raise Missing("an engine can only be started by root")
        self.docker, self.dockerd = find("docker"), find("dockerd")
        find("containerd")
        self.base = tempfile.mkdtemp(prefix="pfd-")
        os.chmod(self.base, 0o755)
        self.socket = f"{self.base}/sock"
        self.log = open(f"{self.base}/log", "w+")
        self.group = ""
        self.process = subprocess.Popen(
            [self.dockerd, "--data-root", f"{self.base}/data", "--exec-root", f"{self.base}/exec",
             "--pidfile", f"{self.base}/pid", "-H", f"unix://{self.socket}", "--iptables=false", "--bridge=none",
             *options], stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL, cwd=self.base)
        self.env = dict(os.environ, DOCKER_HOST=f"unix://{self.socket}", DOCKER_CONFIG=f"{self.base}/config")
        if not self.wait():
            self.stop()
            raise Missing("this system lets no engine run: " + self.words[-300:])

    def wait(self):
        for _ in range(300):
            if self.process.poll() is not None:
                break
            if subprocess.run([self.docker, "version"], env=self.env, capture_output=True).returncode == 0:
                return True
            time.sleep(0.1)
        return False

    def cli(self, *words, check=True):
        return subprocess.run([self.docker, *words], env=self.env, capture_output=True, text=True, check=check)

    def make_image(self, name, write=write_image, *more):
        """Imports this system's files as @name."""
        path = f"{self.base}/image.tar"
        write(path, *more)
        self.cli("import", path, name)
        os.unlink(path)

    def containers(self):
        return self.cli("ps", "-aq", "--no-trunc").stdout.split()

    def everybody(self):
        """Lets every user of this machine use it, as the group “docker” would be."""
        os.chmod(self.socket, 0o666)

    def stop(self):
        if self.process.poll() is None:
            for name in self.cli("ps", "-aq", check=False).stdout.split():
                self.cli("rm", "-f", name, check=False)
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.seek(0)
        self.words = self.log.read()
        self.log.close()
        for line in reversed(open("/proc/mounts").read().splitlines()):
            place = line.split()[1]
            if place.startswith(self.base + "/"):
                subprocess.run(["umount", "-l", place], capture_output=True)
        shutil.rmtree(self.base, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
