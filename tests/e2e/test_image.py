#!/usr/bin/python3
"""Docker's image as a person gets it: its size first, a yes, its download, its pin; then commands run in it.

A real engine and a real registry of the test's own. Skipped where none may run.
"""

import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "sandbox" / "docker"))

from harness import App, attach, content, main, wait_for
from engine import Engine, Missing, write_small_image
from registry import Registry, SlowWay

PICTURES = os.environ.get("PERFICA_PICTURES")


def picture(screen, name):
    if PICTURES:
        time.sleep(0.4)
        screen.picture(Path(PICTURES) / f"{name}.png")


def boards(home, image):
    folder = home.config / "perfica"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / "boards.json"
    path.write_text(json.dumps({"version": 1, "sandbox": True, "backend": "docker", "prompt_seconds": 120,
                                "visible": [], "image": image, "boards": []}))
    path.chmod(0o600)
    return path


def kept(path):
    return json.loads(path.read_text()).get("image_digest")


def manifest(engine, name):
    found = json.loads(engine.cli("manifest", "inspect", "--insecure", "-v", name).stdout)
    return found["Descriptor"]["digest"], sum(layer["size"] for layer in found["SchemaV2Manifest"]["layers"])


def with_engine(tap, screen, home, engine, registry, way):
    name = f"{registry.host}/perfica/small:1"
    engine.make_image(name, write_small_image, 24_000_000)
    engine.cli("push", name)
    digest, size = manifest(engine, name)
    engine.cli("rmi", name)
    slow = f"{way.host}/perfica/small:1"
    (home.home / ".bash_profile").write_text(f"export DOCKER_HOST=unix://{engine.socket}\n")
    settings = boards(home, slow)
    folder = home.project(files={"hello": "hello\n"})
    app = App(screen, home, folder)
    try:
        app.choose_menu("Settings")
        tap.ok(wait_for("the row", lambda: app.sees("The image is not on this computer")), "Settings say what is missing")
        picture(screen, "image-missing")
        app.click("Download Image…")
        wait_for("the offer", lambda: app.sees("Download this image?"))
        tap.ok(app.sees(f"{size / 1e6:.1f}"), "the size is shown first", app.texts())
        tap.equal(way.bytes < 100_000, True, "nothing is downloaded before the yes")
        picture(screen, "image-offer")
        app.click("Download")
        wait_for("progress", lambda: app.sees("Downloading…"))
        wait_for("bytes", lambda: way.bytes > 4_000_000)
        picture(screen, "image-progress")
        app.click("Cancel")
        wait_for("the dialog to go", lambda: not app.sees("Downloading…"))
        wait_for("the end of the connection", lambda: way.open == 0)
        tap.ok(way.bytes < size, "Cancel ends the download at the registry", way.bytes)
        tap.equal(kept(settings), None, "and nothing is pinned")

        way.rate = 100_000_000
        app.click("Download Image…")
        wait_for("the offer", lambda: app.sees("Download this image?"))
        app.click("Download")
        wait_for("the end", lambda: app.sees("The image is here, and pinned"), 40)
        picture(screen, "image-done")
        app.click("Close")
        wait_for("the check", lambda: app.sees("Ready"))
        tap.equal(kept(settings), digest, "what was shown is what is pinned")
        tap.ok(app.sees(digest), "the pin is in Settings")
        picture(screen, "image-ready")
        screen.xdotool("key", "Escape")

        client = attach(app, folder)
        ran = content(client.run("cat hello"))
        tap.equal((ran["outcome"], ran.get("exit_code"), ran.get("stdout")), ("ran", 0, "hello\n"), "a command runs in it")
        client.close()
        wait_for("no container", lambda: not engine.containers())
        tap.ok(True, "and its container is gone")
    finally:
        app.close()


def scenario(tap, screen, home):
    with Engine() as engine:
        registry = Registry(engine.base)
        way = SlowWay(registry.port, 2_000_000)
        try:
            with_engine(tap, screen, home, engine, registry, way)
        finally:
            way.stop()
            registry.stop()


if __name__ == "__main__":
    try:
        Engine().stop()
    except Missing as reason:
        print(f"1..0 # SKIP {reason}".replace("\n", " "))
        sys.exit(0)
    main(scenario)
