"""A project, a home and secrets to attack, made anew for each attack.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import hashlib
import os
import shutil
import socket
import stat
import tempfile

SECRET = "hunter2-this-must-not-be-seen"

FILES = {
    "home/.ssh/id_ed25519": SECRET,
    "home/.netrc": SECRET,
    "home/.npmrc": SECRET,
    "home/.git-credentials": SECRET,
    "home/.aws/credentials": SECRET,
    "home/.config/git/credentials": SECRET,
    "home/.config/git/config": "[alias]\n\tseen = status\n",
    "home/.config/perfica/boards.json": SECRET,
    "home/.cargo/credentials.toml": SECRET,
    "home/.cargo/bin/tool": "#!/bin/sh\necho tool-runs\n",
    "home/.gitconfig": "[user]\n\tname = A\n\temail = a@example.org\n",
    "home/notes": SECRET,
    "outside/file": SECRET,
    "visible/file": "shown",
    "project/README": "readme",
    "project/docs/page": "page",
    "project/packages/foo/code": "foo",
    "project/packages/foo/sub/more": "more",
    "project/packages/bar/deep/code": "deep",
    "project/packages/free": "free",
    "project/web/index": "index",
    "project/web/api/code": "api",
    "project/web/x/y/z/code": "z",
    "project/.perfica/outputs/1.log": "output",
    "project/.perfica/.gitignore": "*\n",
    "project/.git/HEAD": "ref: refs/heads/main\n",
    "project/.git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
    "project/.git/hooks/sample": "#!/bin/sh\n",
    "project/.git/info/exclude": "",
    "project/vendor/lib/.git/HEAD": "ref: refs/heads/main\n",
    "project/vendor/lib/.git/config": "[core]\n\tbare = false\n",
    "project/vendor/lib/.git/hooks/sample": "#!/bin/sh\n",
}
FOLDERS = ["project/.git/objects", "project/.git/refs/heads", "project/vendor/lib/.git/objects",
           "project/vendor/lib/.git/refs", "run", "tmpdir"]

# loop: its own folder, and what is protected inside it (what the app would say)
LOOPS = {
    "whole": ("project", ["project/.perfica", "project/packages/foo", "project/packages/bar/deep"]),
    "sub": ("project/web", ["project/web/api", "project/web/x/y/z"]),
    "leaf": ("project/docs", []),
}
# What the plan protects by itself.
GIT = ["project/.git/hooks", "project/.git/config", "project/.git/info",
       "project/vendor/lib/.git/hooks", "project/vendor/lib/.git/config"]


class World:
    def __init__(self, loop, base=None):
        self.base = base or os.path.realpath(tempfile.mkdtemp(prefix="pfa-"))
        os.makedirs(self.base, exist_ok=True)
        os.chmod(self.base, 0o755)
        for name in FOLDERS:
            os.makedirs(self.path(name), exist_ok=True)
        for name, text in FILES.items():
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            with open(self.path(name), "w") as out:
                out.write(text)
        os.chmod(self.path("home/.cargo/bin/tool"), 0o755)
        own, protected = LOOPS[loop]
        self.own = self.path(own)
        self.protected = [self.path(p) for p in protected]
        self.covered = self.protected + [self.path(p) for p in GIT
                                         if (self.path(p) + "/").startswith(self.own + "/")]
        self.listeners = []
        self.heard = []

    def path(self, name):
        return os.path.join(self.base, name)

    def listen(self, name, kind=socket.AF_UNIX):
        """A service outside that an attack must not reach."""
        listener = socket.socket(kind, socket.SOCK_STREAM)
        if kind != socket.AF_UNIX:
            listener.bind(("127.0.0.1" if kind == socket.AF_INET else "::1", 0))
        elif name.startswith("@"):
            listener.bind("\0" + name[1:])
        else:
            listener.bind(self.path(name))
        listener.listen(8)
        listener.setblocking(False)
        self.listeners.append(listener)
        return listener.getsockname()[1] if kind != socket.AF_UNIX else name

    def was_reached(self):
        for listener in self.listeners:
            try:
                listener.accept()[0].close()
                return True
            except BlockingIOError:
                pass
        return False

    def _inside_own(self, path):
        return path == self.own or path.startswith(self.own + "/")

    def _is_covered(self, path):
        return any(path == c or path.startswith(c + "/") for c in self.covered)

    def picture(self):
        """Everything that must stay as it is: all but the own folder, and what is covered in it."""
        seen = {}
        todo = [self.base]
        while todo:
            folder = todo.pop()
            for entry in os.scandir(folder):
                path = entry.path
                free = self._inside_own(path) and not self._is_covered(path)
                if path.startswith(self.path("tmpdir")) or path.startswith(self.path("run")):
                    continue
                info = entry.stat(follow_symlinks=False)
                if not free and path != self.own:
                    seen[path] = self._describe(path, info)
                if stat.S_ISDIR(info.st_mode):
                    todo.append(path)
        # A covered place must still be the same thing under the same name.
        for path in self.covered:
            try:
                info = os.lstat(path)
                seen["inode " + path] = (info.st_ino, info.st_mode)
            except OSError:
                seen["inode " + path] = None
        return seen

    @staticmethod
    def _describe(path, info):
        if stat.S_ISLNK(info.st_mode):
            return ("link", os.readlink(path))
        if stat.S_ISREG(info.st_mode):
            with open(path, "rb") as file:
                return ("file", info.st_mode, info.st_uid, info.st_mtime_ns,
                        hashlib.sha256(file.read()).hexdigest())
        return ("other", info.st_mode, info.st_uid)

    def read(self, name):
        try:
            with open(self.path(name), errors="replace") as file:
                return file.read()
        except OSError:
            return None

    def done(self):
        for listener in self.listeners:
            listener.close()
        shutil.rmtree(self.base, ignore_errors=True)
