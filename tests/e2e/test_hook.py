#!/usr/bin/python3
"""An agent's own shell tool: its hook rewrites the command, and what it then runs goes the whole way."""

import json
import subprocess

from harness import AGENT, App, confirm, main, records, wait_for


def hook(folder, command, dialect="claude", tool="Bash"):
    given = {"session_id": "s", "cwd": str(folder), "hook_event_name": "PreToolUse", "tool_name": tool,
             "tool_input": {"command": command, "description": "d"}, "tool_use_id": "t"}
    done = subprocess.run([str(AGENT), "hook", dialect], cwd=folder, input=json.dumps(given), text=True,
                          capture_output=True, timeout=30)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def decision(answer):
    return answer[1]["hookSpecificOutput"]["permissionDecision"]


def rewritten(answer):
    return answer[1]["hookSpecificOutput"]["updatedInput"]["command"]


def native(folder, line):
    """As the agent's shell tool runs a line."""
    return subprocess.Popen(["bash", "-c", line], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def scenario(tap, screen, home):
    folder = home.project("one", {"a.txt": "hello\n", ".env": "TOKEN=hunter2\n"})
    before = hook(folder, "ls")
    tap.ok(before[0] == 2 and decision(before) == "deny" and before[2], "with no app it denies", before)
    app = App(screen, home, folder)
    try:
        refused = hook(folder, "git push --force origin main")
        tap.ok(refused[0] == 0 and decision(refused) == "deny", "what is refused is denied with the reason", refused)
        allowed = hook(folder, "cat a.txt && exit 7")
        tap.equal(decision(allowed), "allow", "what isn't refused is rewritten")
        process = native(folder, rewritten(allowed))
        confirm(app)
        out, err = process.communicate(timeout=60)
        tap.equal((out, process.returncode), ("hello\n", 7), "the line gives the command's own output and exit code")
        again = hook(folder, "echo \"it's $((1+1))\" | cat")
        process = native(folder, rewritten(again))
        out, err = process.communicate(timeout=60)
        tap.equal((out, process.returncode), ("it's 2\n", 0), "one confirmation is for hook and line alike")
        push = native(folder, rewritten(hook(folder, "git push origin main")))
        app.answer("Deny")
        out, err = push.communicate(timeout=60)
        tap.ok(push.returncode == 102 and "Denied by the person" in err, "a question is the window's", (push.returncode, err))
        read = {"cwd": str(folder), "tool_name": "Read", "tool_input": {"file_path": str(folder / ".env")}}
        done = subprocess.run([str(AGENT), "hook", "claude"], cwd=folder, input=json.dumps(read), text=True,
                              capture_output=True, timeout=30)
        tap.ok(json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny",
               "its own file tool may not read a secret", done.stdout)
        rows = wait_for("the rows", lambda: records(home))
        tap.ok(any("cat a.txt" in str(row) for row in rows), "what the native tool ran is recorded", rows)
    finally:
        app.close()


if __name__ == "__main__":
    main(scenario)
