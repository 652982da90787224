#!/usr/bin/env python3
"""A command's cost in each sandbox, taking turns: bare, bwrap by hand, ours, Docker, and what npm brings.

bench_sandbox.py BENCH-SANDBOX
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import bench

ROUNDS = 200
HAND, HAND_NONE = "bwrap by hand, confined", "bwrap by hand, not confined"
GROUP = "true, from the start to the result"


def works(argv, folder, environment=None):
    """None, or why the program can't be measured here."""
    try:
        done = subprocess.run(list(map(str, argv)), cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else bench.last_words(done.stderr or done.stdout) or f"exit code {done.returncode}"


def docker_image(top):
    """A local image that has nothing but a `true`, made from what is here: nothing is downloaded."""
    if shutil.which("docker") is None:
        return None, "docker is not installed"
    why = works(["docker", "info", "--format", "{{.ServerVersion}}"], top)
    if why:
        return None, "no engine: " + why
    tree = top / "image"
    (tree / "usr" / "bin").mkdir(parents=True)
    (top / "true.c").write_text("int main (void) { return 0; }\n")
    name = f"perfica-bench:{os.getpid()}"
    try:
        subprocess.run(["cc", "-static", "-o", tree / "usr" / "bin" / "true", top / "true.c"], check=True, capture_output=True)
        tar = subprocess.run(["tar", "-C", tree, "-c", "."], check=True, capture_output=True).stdout
        subprocess.run(["docker", "import", "-", name], input=tar, check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        return None, f"no image could be made: {error}"
    return name, None


def npm_peers(report, project):
    """(name, every, argv) of the sandboxes that npm brings and that start here."""
    folder, why = bench.peers()
    names = "@anthropic-ai/sandbox-runtime (srt)", "@openai/codex's sandbox"
    if folder is None:
        for name in names:
            report.skip(name, why)
        return
    modules = folder / "node_modules"
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    programs = list((modules / "@openai" / f"codex-linux-{machine}").glob("vendor/*/bin/codex"))
    commands = [["node", modules / "@anthropic-ai" / "sandbox-runtime" / "dist" / "cli.js", "true"],
                [*programs[:1], "sandbox", "/usr/bin/true"] if programs else None]
    for name, argv in zip(names, commands):
        why = works(argv, project) if argv else "the package has no program for this machine"
        if why:
            report.skip(name, why)
        else:
            yield name, 20, list(map(str, argv))


def main():
    program = Path(sys.argv[1]).resolve()
    report = bench.Bench("sandbox")
    top = Path(tempfile.mkdtemp(prefix="perfica-bench-"))
    image = None
    try:
        # Not below /tmp, where some won't keep their settings.
        project, tmpdir, home = top / "project", top / "tmp", bench.OUT / "home"
        for folder in (project, tmpdir, home, home / ".codex"):
            folder.mkdir(parents=True, exist_ok=True)
        os.environ["HOME"] = str(home)
        os.chdir(project)
        peers = list(npm_peers(report, project))
        image, why = docker_image(top)
        if image:
            peers.append(("docker run by hand", 20, ["docker", "run", "--rm", "--pull", "never", "--network", "none",
                                                     image, "/usr/bin/true"]))
        else:
            report.skip("Docker, by hand and ours", why)
        words = [word for name, every, argv in peers for word in ("--", name, str(every), *argv)]
        done = subprocess.run([program, str(ROUNDS), project, tmpdir, *([image] if image else []), *words], check=True,
                              stdout=subprocess.PIPE, text=True)
        samples = {}
        for line in done.stdout.splitlines():
            name, *values = line.split("\t")
            samples[name] = list(map(float, values))
        hand, ours = samples.pop("64 at once by hand"), samples.pop("64 at once ours")
        beside = {"ours, not confined": HAND_NONE, "ours, confined": HAND, HAND: "bare", HAND_NONE: "bare",
                  "ours, Docker": "docker run by hand"}
        for name, values in samples.items():
            report.add(GROUP, name, values, "ms", peer=beside.get(name, HAND if name != "bare" else None),
                       goal={"difference": 2} if name == "ours, confined" else None, total=name != "bare")
        title = f"64 confined commands at once on {os.cpu_count()} cores, all of them"
        report.add(title, "64 × bwrap by hand", hand, "ms", total=True)
        report.add(title, "64 × ours", ours, "ms", peer="64 × bwrap by hand", total=True)
        report.finish()
    finally:
        if image:
            subprocess.run(["docker", "rmi", "-f", image], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shutil.rmtree(top, ignore_errors=True)


if __name__ == "__main__":
    main()
