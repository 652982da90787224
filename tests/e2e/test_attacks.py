#!/usr/bin/python3
"""The attacks on the sandbox, each through the real app: perfica-agent run sends a compiled tool that carries it out.

test_attacks.py [--all] [--user]: the core of the table, or all of it; as who runs it, or as an ordinary user.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import harness
from harness import AGENT, App, wait_for

sys.dont_write_bytecode = True
sys.path.insert(0, str(harness.ROOT / "tests" / "sandbox" / "attacks"))
from run import Attack, environment  # noqa: E402
from table import ATTACKS  # noqa: E402
from world import LOOPS, World  # noqa: E402

# What the guard can't see into: it runs the script that lies beside it.
TOOL = r"""
#include <fcntl.h>
#include <unistd.h>
int
main (void)
{
  static char script[1 << 20];
  int fd = open (".attack", O_RDONLY);
  ssize_t n = read (fd, script, sizeof script - 1);

  close (fd);
  /* The attacks are written for a folder without us. */
  unlink (".attack");
  unlink ("attack-tool");
  return n <= 0 || execl ("/bin/bash", "bash", "--norc", "--noprofile", "-p", "-c", script, (char *) NULL);
}
"""
CORE_OF_EACH = 3   # so many of each group of the table make the core
# perfica-agent's exit codes as the attack suite's own.
CODES = {105: 250, 107: 252, 109: 251, 110: 251, 111: 251}


class ThroughApp(Attack):
    """An attack whose confined half goes through the app."""

    def __init__(self, row, place):
        super().__init__(row, SimpleNamespace(backend="bubblewrap", runner=None, image=None, programs=None))
        self.place = place
        self.in_control = False

    def world(self):
        return World(self.loop, self.place.base)

    def control(self):
        self.in_control = True
        try:
            return super().control()
        finally:
            self.in_control = False

    def service(self, world):
        """The tool lies there before the world's picture is taken."""
        service = super().service(world)
        if not self.in_control:
            script = self.script if "also" not in self.extras else f"{self.extras['also']} & {self.script}"
            words = environment(world, service, self.mark)
            exports = "".join(f"export {name}={words[name]}\n" for name in ("B", "P", "S", "MARK", "OUTSIDE_PID"))
            Path(world.own, ".attack").write_text(exports + script)
            tool = Path(world.own, "attack-tool")
            tool.write_bytes(self.place.tool)
            tool.chmod(0o755)
        return service

    def run(self, world, service, confined):
        code, out, err = super().run(world, service, confined)
        if confined and self.wanted == "no plan" and code in (100, 111, 113):
            code = 250  # the guard or the gateway refused it before the sandbox had to
        return CODES.get(code, code) if confined else code, out, err

    def command(self, world, confined):
        if not confined:
            return super().command(world, confined)
        limit = ["--timeout", str(self.extras["limit"])] if "limit" in self.extras else []
        return [str(AGENT), "run", "--board", "project", "--bubble", self.loop, *limit, "--", "./attack-tool"]

    @staticmethod
    def is_output(path):
        return "/.perfica/outputs/" in path and not path.endswith("/1.log")

    def names(self, world):
        ours = (".attack", "attack-tool")
        return [name for name in Attack.names(world)
                if not self.is_output(name) and os.path.basename(name) not in ours]

    def judge_world(self, world, before, names, out):
        picture = world.picture
        world.picture = lambda: {key: value for key, value in picture().items() if not self.is_output(key)}
        return super().judge_world(world, before, names, out)


class Place:
    """One world that stays in its place, with the app that has it as a board."""

    def __init__(self, screen, home, loop, tool):
        self.tool = tool
        self.loop = loop
        self.base = str(home.top / f"world-{loop}")
        world = World(loop, self.base)
        own, protected = LOOPS[loop]
        relative = lambda path: os.path.relpath(path, "project")
        loops = [{"name": loop, "folder": relative(own)}]
        loops += [{"name": f"other-{n}", "folder": relative(path)} for n, path in enumerate(protected) if ".perfica" not in path]
        clients = [{"program": program, "client": "perfica-agent run"}
                   for program in (os.path.realpath(sys.executable), str(AGENT))]
        boards = {"version": 1, "sandbox": True, "backend": "bubblewrap", "prompt_seconds": 20,
                  "visible": [world.path("visible")], "boards": [{
                      "id": f"world-{loop}", "name": "project", "folder": world.path("project"), "full_auto": False,
                      "sandbox": "on", "best_effort_tree": False, "loops": loops,
                      "bubbles": [{"name": loop, "role": "coder", "loop": loop, "tools": ["read", "write", "run"],
                                   "clients": clients}]}]}
        folder = home.config / "perfica"
        folder.mkdir(mode=0o700, exist_ok=True)
        (folder / "boards.json").write_text(json.dumps(boards))
        (folder / "boards.json").chmod(0o600)
        self.kept = dict(os.environ)
        for name, value in environment(world, 0, "0").items():
            if name not in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "LD_LIBRARY_PATH", "PATH"):
                os.environ[name] = value
        self.app = App(screen, home, wait=False)
        wait_for("the gateway's socket", self.app.is_up)
        os.environ.clear()
        os.environ.update(self.kept)

    def attack(self, tap, row):
        complaint = RuntimeAttack(row, self).judge()
        tap.ok(complaint is None, row[0], complaint or "")


class RuntimeAttack(ThroughApp):
    """perfica-agent finds the real gateway; the attack's own environment names another runtime folder."""

    def run(self, world, service, confined):
        import run as module
        before = module.environment
        runtime = os.environ["XDG_RUNTIME_DIR"]
        if confined:
            module.environment = lambda *words: {**before(*words), "XDG_RUNTIME_DIR": runtime}
        try:
            return super().run(world, service, confined)
        finally:
            module.environment = before


def core(rows):
    taken, seen = [], {}
    for row in rows:
        group = row[0].split("/")[0]
        seen[group] = seen.get(group, 0) + 1
        if seen[group] <= CORE_OF_EACH:
            taken.append(row)
    return taken


def compile_tool(home):
    source, tool = home.top / "tool.c", home.top / "tool"
    source.write_text(TOOL)
    subprocess.run([os.environ.get("CC", "cc"), "-O1", "-o", str(tool), str(source)], check=True)
    return tool.read_bytes()


def scenario(tap, screen, home):
    rows = ATTACKS if "--all" in sys.argv else core(ATTACKS)
    only = [word for word in sys.argv[1:] if not word.startswith("--")]
    if only:
        rows = [row for row in ATTACKS if any(row[0].startswith(word) for word in only)]
    tool = compile_tool(home)
    for loop in LOOPS:
        place = Place(screen, home, loop, tool)
        try:
            for row in rows:
                if row[1] == loop:
                    place.attack(tap, row)
            tap.ok(place.app.process.poll() is None, f"{loop}: the app goes on after all of them")
        finally:
            place.app.close()
    print(f"# {tap.count - tap.failed} of {tap.count} properties hold through the app as uid {os.getuid()}", flush=True)


if __name__ == "__main__":
    harness.main(scenario, ordinary_user="--user" in sys.argv)
