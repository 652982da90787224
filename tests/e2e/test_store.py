#!/usr/bin/python3
"""Settings and record that can't be read or written: a clear word, nothing runs, nothing is lost. As an ordinary user."""

import os
import sqlite3
import subprocess

from harness import APP, FULL, App, Client, attach, content, main, outcome, records, wait_for

GARBAGE = b"\x00\xff{\"version\": 1, \"boards\": [garbage" * 200


def told(result):
    return str(content(result).get("message", "")) + result["content"][0]["text"]


def refused(tap, client, name, words):
    result = client.run("touch should-not-run")
    tap.ok(outcome(result) not in ("ran", None) and result["isError"], f"{name}: a command is refused", result)
    tap.ok(any(word in told(result) for word in words), f"{name}: and told why in a sentence", told(result))


def start(screen, home):
    app = App(screen, home, wait=False)
    wait_for("the gateway's socket", app.is_up)
    wait_for("a window", app.frames)
    return app


def bytes_of(path):
    """What a file holds, whatever its mode; None for a folder."""
    if path.is_dir():
        return None
    mode = path.stat().st_mode & 0o777
    path.chmod(0o600)
    data = path.read_bytes()
    path.chmod(mode)
    return data


def asides(path):
    return sorted(path.parent.glob(path.name + ".unreadable-*"))


def afresh(tap, app, home, path, before, name):
    """The person begins anew: what can't be read is kept beside."""
    app.click("Start Afresh…", "label")
    wait_for("the question", lambda: app.find("Start Afresh"))
    app.answer("Start Afresh")
    kept = wait_for("the file that was kept", lambda: asides(path))
    tap.equal(len(kept), 1, f"{name}: Start Afresh keeps one file aside")
    tap.ok(bytes_of(kept[0]) == before, f"{name}: with every byte of it")
    wait_for("a new file", path.exists)
    for one in kept:
        one.rmdir() if one.is_dir() else one.unlink()


def boards_case(tap, screen, home, folder, name, damage, words):
    path = home.config / "perfica" / "boards.json"
    good = path.read_bytes()
    damage(path)
    before = bytes_of(path)
    app = start(screen, home)
    client = Client(folder)
    try:
        tap.ok(wait_for("the problem", lambda: any(app.sees(word) for word in words)), f"{name}: the window says what is wrong")
        refused(tap, client, name, words)
        tap.ok(bytes_of(path) == before, f"{name}: the file stays as it is until the person has chosen")
        app.close()
        tap.ok(bytes_of(path) == before, f"{name}: quitting neither writes over it")
        app = start(screen, home)
        afresh(tap, app, home, path, before, name)
        tap.ok(app.process.poll() is None, f"{name}: and the app goes on")
    finally:
        client.close()
        app.close()
        subprocess.run(["chmod", "-R", "u+rwX", str(path)], check=False)
        subprocess.run(["rm", "-rf", str(path)], check=True)
        path.write_bytes(good)
        path.chmod(0o600)


def as_folder(path):
    path.unlink()
    path.mkdir()


def boards(tap, screen, home, folder):
    cases = [
        ("boards.json garbage", lambda p: p.write_bytes(GARBAGE), ["can't be read"]),
        ("boards.json mode 000", lambda p: p.chmod(0), ["Permission denied"]),
        ("boards.json of a newer Perfica", lambda p: p.write_text('{"version": 9}'), ["newer Perfica"]),
        ("boards.json is a folder", as_folder, ["no regular file"]),
    ]
    for name, damage, words in cases if FULL else cases[:2]:
        boards_case(tap, screen, home, folder, name, damage, words)
    app = App(screen, home)
    tap.ok(app.sees("sample"), "with the good file back the board is there again")
    app.close()


def record_case(tap, screen, home, folder, name, damage, mend, words):
    path = home.database
    for side in ("-wal", "-shm"):
        path.with_name(path.name + side).unlink(missing_ok=True)
    good = path.read_bytes()
    damage(path)
    before = None if name.endswith("locked") else bytes_of(path)
    app = start(screen, home)
    client = Client(folder)
    try:
        tap.ok(wait_for("the problem", lambda: any(app.sees(word) for word in words)), f"{name}: the window says what is wrong")
        refused(tap, client, name, words)
        tap.ok(not (folder / "should-not-run").exists(), f"{name}: nothing ran that could not be recorded")
        tap.ok(not app.sees("The boards cannot be read"), f"{name}: the boards aren't blamed for it")
        mend(tap, app, home, path, before, name)
        tap.equal(outcome(client.run("true")), "ran", f"{name}: once mended, commands run")
        tap.ok(app.sees("sample"), f"{name}: the boards are all there")
    finally:
        client.close()
        app.close()
        subprocess.run(["chmod", "-R", "u+rwX", str(path.parent)], check=False)
        for left in [*path.parent.glob("activity.db-*"), path]:
            left.unlink(missing_ok=True)
        path.write_bytes(good)


def mend_afresh(tap, app, home, path, before, name):
    afresh(tap, app, home, path, before, name)


def newer(path):
    base = sqlite3.connect(path)
    base.execute("pragma user_version = 99")
    base.close()


def foreign(path):
    path.unlink()
    base = sqlite3.connect(path)
    base.execute("create table cookies (id)")
    base.close()


def record(tap, screen, home, folder):
    record_case(tap, screen, home, folder, "activity.db garbage", lambda p: p.write_bytes(GARBAGE), mend_afresh,
                ["not a database"])
    if FULL:
        record_case(tap, screen, home, folder, "activity.db mode 000", lambda p: p.chmod(0), mend_afresh,
                    ["Permission denied"])
        record_case(tap, screen, home, folder, "activity.db of a newer Perfica", newer, mend_afresh, ["newer Perfica"])
        record_case(tap, screen, home, folder, "activity.db of another program", foreign, mend_afresh, ["another program"])
    holder = []

    def lock(path):
        base = sqlite3.connect(path, isolation_level=None)
        base.execute("begin exclusive")
        holder.append(base)

    def unlock(tap, app, home, path, before, name):
        rows = len(records_of(holder[0]))
        holder.pop().close()
        app.click("Try Again", "label")
        wait_for("the record", lambda: len(records(home)) >= rows)
        tap.ok(not asides(path), f"{name}: nothing was set aside")

    record_case(tap, screen, home, folder, "activity.db locked", lock, unlock, ["locked"])


def records_of(base):
    return base.execute("select id from entries").fetchall()


def while_running(tap, screen, home, folder):
    """The record fails under the running app: that command is refused, later ones run, nothing is lost."""
    app = start(screen, home)
    client = Client(folder)
    try:
        tap.equal(outcome(client.run("true")), "ran", "locked under way: before it commands run")
        known = len(records(home))
        base = sqlite3.connect(home.database, isolation_level=None)
        base.execute("begin immediate")
        result = client.run("touch should-not-run", seconds=30)
        tap.equal(outcome(result), "error", "locked under way: a command is refused")
        tap.ok("record" in told(result) and not (folder / "should-not-run").exists(), "locked under way: told why, and not run",
               told(result))
        base.rollback()
        base.close()
        tap.equal(outcome(client.run("true")), "ran", "locked under way: afterwards commands run again")
        tap.ok(len(records(home)) > known, "locked under way: and are recorded")
    finally:
        client.close()
        app.close()


def no_place(tap, home, name, folder, mode=0o500):
    folder.mkdir(parents=True, exist_ok=True)
    before = folder.stat().st_mode
    folder.chmod(mode)
    done = subprocess.run([str(APP)], capture_output=True, text=True, timeout=30)
    folder.chmod(before & 0o777)
    tap.equal(done.returncode, 2, f"{name}: exit 2")
    tap.ok(len(done.stderr.strip().splitlines()) == 1 and str(folder) in done.stderr, f"{name}: one sentence names the folder", done.stderr)


def folders(tap, home):
    for name, top in (("state", home.state), ("config", home.config), ("runtime", home.runtime)):
        no_place(tap, home, f"the {name} folder is read-only", top / "perfica")
        moved = top / "perfica"
        moved.rename(top / "moved")
        no_place(tap, home, f"the folder around the {name} folder is read-only", top)
        moved.exists() and moved.rmdir()
        (top / "moved").rename(moved)


def scenario(tap, screen, home):
    folder = home.project("sample", files={"a.txt": "0"})
    app = App(screen, home, folder)
    client = attach(app, folder)
    tap.equal(outcome(client.run("true")), "ran", "before all that it works")
    client.close()
    app.close()
    tap.ok(os.getuid() != 0, "as an ordinary user")
    boards(tap, screen, home, folder)
    record(tap, screen, home, folder)
    while_running(tap, screen, home, folder)
    folders(tap, home)
    tap.ok(records(home)[0]["command"] == "true", "and the first record is still there")


if __name__ == "__main__":
    main(scenario, ordinary_user=True)
