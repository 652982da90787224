#!/usr/bin/python3
"""Much of everything: commands in a row, 64 at once, a huge output, folders that vanish; nothing of ours grows.

PERFICA_TEST_FULL=1: 10,000 commands and 1 GB instead of 90 and 50 MB.
"""

import subprocess
import time

from harness import AGENT, FULL, App, attach, children_of, content, launcher_of, main, outcome, records, wait_for

ROW = 10000 if FULL else 90
OUTPUT = 1 << 30 if FULL else 50 << 20
# Between two readings of the app's memory; GTK's own caches and the list's rows settle in the first part.
GROWTH = 24 * 1024


def size_of(pid):
    """Resident memory in KiB, open descriptors, threads."""
    with open(f"/proc/{pid}/status") as status:
        words = dict(line.split(":", 1) for line in status)
    names = subprocess.run(["ls", f"/proc/{pid}/fd"], capture_output=True, text=True).stdout.split()
    return int(words["VmRSS"].split()[0]), len(names), int(words["Threads"])


def settled(app):
    wait_for("every supervisor to be gone", lambda: not children_of(launcher_of(app)))
    time.sleep(1)
    return size_of(app.process.pid), size_of(launcher_of(app))


def row(tap, app, home, client):
    for number in range(ROW // 3):
        client.run("true")
    before = settled(app)
    known = len(records(home))
    began = time.monotonic()
    bad = [number for number in range(ROW) if outcome(client.run("true")) != "ran"]
    seconds = time.monotonic() - began
    after = settled(app)
    tap.equal(bad, [], f"{ROW} commands in a row ({seconds / ROW * 1000:.1f} ms each)")
    tap.equal(len(records(home)) - known, ROW, "each has its row")
    for name, old, new, more in (("app", before[0], after[0], GROWTH), ("launcher", before[1], after[1], 512)):
        tap.ok(new[0] - old[0] < more, f"{name}: memory {old[0]} -> {new[0]} KiB")
        tap.ok(new[1] <= old[1] + 2, f"{name}: descriptors {old[1]} -> {new[1]}")
        tap.ok(new[2] <= old[2] + 4, f"{name}: threads {old[2]} -> {new[2]}")


def at_once(tap, app, folder):
    began = time.monotonic()
    words = [str(AGENT), "run", "--", "sleep 1; echo done"]
    running = [subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(64)]
    results = [(process.communicate(timeout=120), process.returncode) for process in running]
    good = sum(1 for (out, _), code in results if code == 0 and out == "done\n")
    told = {(code, err.strip()[:200]) for (_, err), code in results if code != 0}
    tap.equal(good, 64, f"64 commands at once ({time.monotonic() - began:.1f} s)")
    if told:
        print(f"# {told}", flush=True)
    wait_for("every supervisor to be gone", lambda: not children_of(launcher_of(app)))


def huge(tap, app, client, folder):
    before = size_of(app.process.pid)
    number = client.start(f"head -c {OUTPUT} /dev/zero")
    peak = before[0]
    supervisor = 0
    while number not in client.answers:
        peak = max(peak, size_of(app.process.pid)[0])
        for pid in children_of(launcher_of(app)):
            try:
                supervisor = max(supervisor, size_of(pid)[0])
            except (OSError, KeyError):
                continue
        time.sleep(0.1)
    result = content(client.answer(number, 600))
    tap.equal((result["outcome"], result["exit_code"]), ("ran", 0), f"{OUTPUT >> 20} MB of output: exit 0")
    tap.equal(result["stdout_bytes"], OUTPUT, "every byte of it was counted")
    kept = (folder / result["output_file"]).stat().st_size
    tap.ok(kept == OUTPUT or result.get("output_file_cut"), f"{kept >> 20} MB are kept, cut with a mark: {result.get('output_file_cut')}")
    tap.ok(peak - before[0] < 48 * 1024, f"the app's memory: {before[0]} -> at most {peak} KiB")
    tap.ok((supervisor or not FULL) and supervisor < 16 * 1024, f"the supervisor's memory: at most {supervisor} KiB")


def vanishing(tap, app, client, home, folder):
    moved = folder.with_name("moved")
    (folder / "a.txt").write_text("1")
    number = client.start("git commit -am swapped")
    wait_for("the prompt", lambda: app.find("Allow once"))
    folder.rename(moved)
    folder.symlink_to(moved)
    app.answer("Allow once")
    result = client.answer(number)
    tap.ok(outcome(result) not in ("ran", "pending"), "the folder became a link between the question and the run: refused", result)
    log = subprocess.run(["git", "-C", str(moved), "log", "--oneline"], capture_output=True, text=True).stdout
    tap.ok("swapped" not in log, "and nothing ran", log)
    folder.unlink()
    result = client.run("touch ran-anyway")
    tap.ok(outcome(result) not in ("ran", "pending") and result["isError"], "the project's folder is gone: refused", result)
    tap.ok(str(content(result).get("message", "")).strip(), "with a sentence", content(result))
    moved.rename(folder)
    tap.equal(outcome(client.run("true")), "ran", "with the folder back, commands run")


def scenario(tap, screen, home):
    folder = home.project("sample", files={"a.txt": "0"})
    home.limits(short_seconds=300, long_seconds=300, prompt_seconds=90)
    app = App(screen, home, folder)
    client = attach(app, folder)
    try:
        row(tap, app, home, client)
        # "perfica-agent run" is another client; the person knows it after the first.
        first = subprocess.Popen([str(AGENT), "run", "--", "true"], cwd=folder)
        app.answer("Confirm")
        tap.equal(first.wait(60), 0, "perfica-agent run is confirmed")
        at_once(tap, app, folder)
        huge(tap, app, client, folder)
        vanishing(tap, app, client, home, folder)
        tap.ok(app.process.poll() is None, "the app goes on")
    finally:
        client.close()
        app.close()


if __name__ == "__main__":
    main(scenario)
