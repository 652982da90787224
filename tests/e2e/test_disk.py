#!/usr/bin/python3
"""Full disks: nothing runs that can't be recorded, a result is told though its output couldn't be kept, nothing is lost.

The small file systems are mounts of a namespace of this test's own.
"""

import os
import subprocess

from harness import APP, App, Client, attach, become_mounter, content, main, outcome, records, wait_for


def mount(folder, options):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=0700," + options, "tmpfs", str(folder)], check=True)


def unmount(folder):
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder):
    """Takes every byte that is left; returns the file that holds them."""
    name = folder / "filler"
    with open(name, "ab", buffering=0) as filler:
        for size in (1 << 16, 4096, 512, 1):
            try:
                while True:
                    filler.write(b"x" * size)
            except OSError:
                continue
    return name


def told(result):
    return str(content(result).get("message", "")) + result["content"][0]["text"]


def goes_on(tap, app, client, name):
    tap.ok(app.process.poll() is None, f"{name}: the app goes on")
    tap.equal(outcome(client.run("true")), "ran", f"{name}: with room again, commands run")


def record_full(tap, app, home, client, folder):
    before = {row["id"]: row["outcome"] for row in records(home)}
    filler = fill(home.state)
    ran, refused = 0, None
    for number in range(400):  # pages that the record holds already may be used again for a while
        result = client.run(f"touch ran-{number}")
        if outcome(result) != "ran":
            refused = number, result
            break
        ran += 1
    if not tap.ok(refused, "record full: a command is refused in the end"):
        return
    number, result = refused
    tap.equal(outcome(result), "error", f"record full: as Perfica's own error (after {ran} that still fitted)")
    tap.ok("record" in told(result) and "full" in told(result), "record full: a sentence says that the disk is full", told(result))
    tap.ok(not (folder / f"ran-{number}").exists(), "record full: and it did not run")
    tap.equal(outcome(client.run("touch another")), "error", "record full: the next one neither")
    tap.ok(not (folder / "another").exists(), "record full: that one did not run either")
    tap.ok(app.sees("full"), "record full: the window says so")
    filler.unlink()
    goes_on(tap, app, client, "record full")
    after = {row["id"]: row["outcome"] for row in records(home)}
    tap.ok(all(after.get(key) == value for key, value in before.items()), "record full: what was recorded is all there")
    rows = [row["command"] for row in records(home)]
    tap.ok(all(f"touch ran-{n}" in rows for n in range(ran)), "record full: every command that ran has its row")


def end_full(tap, app, home, client, folder):
    """The disk fills up while a command runs: how it ended is told, and recorded as soon as there is room."""
    number = client.start("sleep 2")
    row = wait_for("the started row", lambda: next((r for r in records(home) if r["command"] == "sleep 2"), None))
    filler = fill(home.state)
    base = home.database.with_name("activity.db-wal").stat().st_size
    result = client.answer(number)
    tap.equal((outcome(result), content(result)["exit_code"]), ("ran", 0), "full when it ends: its result is told")
    now = next(r["outcome"] for r in records(home) if r["id"] == row["id"])
    tap.ok(now in ("pending", "ran"), f"full when it ends: the row is there ({now}, {base} bytes in the side file)")
    filler.unlink()
    client.run("true")
    tap.equal(next(r["outcome"] for r in records(home) if r["id"] == row["id"]), "ran",
              "full when it ends: with room again, its end is recorded")


def output_full(tap, app, home, client, folder):
    outputs = folder / ".perfica" / "outputs"
    mount(outputs, "size=1m")
    try:
        result = content(client.run("seq 1 1000000", seconds=100))
        tap.equal((result["outcome"], result["exit_code"]), ("ran", 0), "output full: the command's result is told")
        tap.ok(result.get("output_file_cut"), "output full: its output is marked as cut", {k: v for k, v in result.items() if k != "stdout"})
        tap.ok("1000000" in str(result), "output full: the end of it is told all the same")
        kept = (folder / result["output_file"]).read_bytes()
        tap.ok(b"1\n2\n3\n" in kept[:100] and b"[perfica: output " in kept[-200:], "output full: what was kept ends with the mark", kept[-200:])
        result = content(client.run("false"))
        tap.equal((result["outcome"], result["exit_code"]), ("ran", 1), "output full: a command with no output is as ever")
    finally:
        unmount(outputs)
    mount(outputs, "size=64k,nr_inodes=1")
    try:
        result = client.run("touch should-not-run")
        tap.equal(outcome(result), "error", "no output file can be made: refused")
        tap.ok("No space left" in told(result) and not (folder / "should-not-run").exists(),
               "no output file can be made: a sentence says why, and it did not run", told(result))
        tap.equal(records(home)[-1]["outcome"], "error", "no output file can be made: the record is closed")
    finally:
        unmount(outputs)
    goes_on(tap, app, client, "output full")


def scratch_full(tap, app, client, folder, small):
    mount(small, "size=64k")
    result = content(client.run("dd if=/dev/zero of=small/big bs=4096 count=100"))
    tap.ok(result["outcome"] == "ran" and result["exit_code"] != 0, "the command's own disk full: its failure is its own", result)
    unmount(small)


def config_full(tap, app, home):
    path = home.config / "perfica" / "boards.json"
    before = path.read_bytes()
    filler = fill(path.parent)
    app.click("Board settings", "page tab")
    app.click("Full Auto", "label")
    app.answer("Turn On")
    tap.ok(wait_for("the notice", lambda: app.sees("No space left")), "settings full: the window says that they can't be saved")
    tap.ok(path.read_bytes() == before, "settings full: what was saved is all there")
    tap.equal(sorted(p.name for p in path.parent.iterdir() if p != filler), ["boards.json"], "settings full: nothing half-written is left")
    filler.unlink()
    app.click("Turn off", "label")
    wait_for("the change to be saved", lambda: path.read_bytes() == before)


def runtime_full(tap, screen, home, folder):
    fill(home.runtime)
    app = App(screen, home, folder)
    client = Client(folder)
    try:
        tap.equal(outcome(client.run("true")), "ran", "runtime folder full: sockets need no room, commands run")
    finally:
        client.close()
        app.close()
    other = home.top / "other-run"
    mount(other, "size=16k,nr_inodes=2")
    (other / "perfica").mkdir(mode=0o700)
    done = subprocess.run([str(APP)], capture_output=True, text=True, timeout=30,
                          env={**os.environ, "XDG_RUNTIME_DIR": str(other)})
    unmount(other)
    tap.equal(done.returncode, 2, "no room for the socket: exit 2")
    tap.ok(len(done.stderr.strip().splitlines()) == 1 and "No space left" in done.stderr, "no room for the socket: one sentence says so", done.stderr)


def scenario(tap, screen, home):
    folder = home.project("sample", files={"a.txt": "0"})
    mount(home.state, "size=1m")
    mount(home.config / "perfica", "size=256k")
    mount(home.runtime, "size=1m")
    app = App(screen, home, folder)
    client = attach(app, folder)
    try:
        for _ in range(5):
            client.run("true")
        record_full(tap, app, home, client, folder)
        end_full(tap, app, home, client, folder)
        output_full(tap, app, home, client, folder)
        scratch_full(tap, app, client, folder, folder / "small")
        config_full(tap, app, home)
    finally:
        client.close()
        app.close()
    runtime_full(tap, screen, home, folder)


if __name__ == "__main__":
    become_mounter()
    main(scenario)
