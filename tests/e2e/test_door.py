#!/usr/bin/python3
"""Bad input at the gateway's door: each gets an error or a closed connection, and the app goes on."""

import json
import os
import socket
import subprocess
import time

from harness import AGENT, App, Client, attach, main


def connect(home):
    end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    end.connect(str(home.socket))
    end.settimeout(20)
    return end


def talk(home, data, seconds=20):
    """Sends data and returns what came back until the other side closed or a line is whole."""
    end = connect(home)
    end.settimeout(seconds)
    try:
        try:
            end.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass
        got = b""
        while not got.endswith(b"\n"):
            try:
                more = end.recv(65536)
            except (socket.timeout, ConnectionResetError):
                return got
            if not more:
                break
            got += more
        return got
    finally:
        end.close()


def code_of(reply):
    try:
        return json.loads(reply.splitlines()[0])["error"]["code"]
    except (ValueError, KeyError, IndexError, TypeError):
        return None


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def lines(tap, home, app):
    cases = [
        ("a line that is no JSON", b"this is no JSON\n", -32700),
        ("half a JSON object", b'{"jsonrpc": "2.0", "id": 1, "method": "hel\n', -32700),
        ("a list", b"[]\n", -32600),
        ("an unknown method", b'{"jsonrpc":"2.0","id":1,"method":"approve","params":{}}\n', -32601),
        ("another protocol version",
         b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":99,"client":"x","folder":"/"}}\n', -32001),
        ("run before hello", b'{"jsonrpc":"2.0","id":1,"method":"run","params":{"command":"true"}}\n', -32006),
        ("a command of the wrong type", b'{"jsonrpc":"2.0","id":1,"method":"run","params":{"command":7}}\n', -32602),
    ]
    for name, data, code in cases:
        reply = talk(home, data)
        tap.ok(code_of(reply) == code, f"{name}: error {code}", reply[:400])
    deep = b'{"jsonrpc":"2.0","id":1,"method":"hello","params":' + b"[" * 100000 + b"\n"
    reply = talk(home, deep)
    tap.ok(code_of(reply) is not None or reply == b"", "100,000 open brackets: an error", reply[:200])


def huge(tap, home, app):
    before = resident(app.process.pid)
    end = connect(home)
    sent, piece = 0, b"x" * (1 << 20)
    peak = before
    try:
        while sent < 100:
            end.sendall(piece)
            sent += 1
            peak = max(peak, resident(app.process.pid))
    except (BrokenPipeError, ConnectionResetError):
        pass
    finally:
        end.close()
    tap.ok(sent < 100, "a 100 MB line: the connection is closed on the way", f"{sent} MB were taken")
    tap.ok(peak - before < 16 * 1024, "and nothing of it is held in memory", f"{peak - before} KiB more")


def silent(tap, home):
    ends = [connect(home) for _ in range(5)]
    began = time.monotonic()
    closed = 0
    for end in ends:
        end.settimeout(30)
        try:
            while end.recv(4096):
                pass
            closed += 1
        except socket.timeout:
            pass
        except ConnectionResetError:
            closed += 1
    tap.equal(closed, 5, f"clients that say nothing are closed ({time.monotonic() - began:.0f} s)")


def crowd(tap, home):
    ends, refused = [], False
    try:
        for _ in range(400):
            try:
                ends.append(connect(home))
            except OSError:
                refused = True
                break
        time.sleep(0.5)
        answers = 0
        for end in ends[-20:]:
            end.setblocking(False)
            try:
                end.recv(4096)
                answers += 1
            except BlockingIOError:
                pass
            except OSError:
                answers += 1
        tap.ok(refused or answers, "400 connections: the last ones are turned away")
    finally:
        for end in ends:
            end.close()


def other_user(tap, home):
    if os.getuid() != 0:
        tap.ok(True, "another user (needs root to become one) # SKIP")
        return
    script = ("import socket,sys\ns=socket.socket(socket.AF_UNIX)\n"
              "try:\n s.connect(sys.argv[1])\n s.settimeout(5)\n"
              " s.sendall(b'{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\",\"params\":{\"protocol\":1}}\\n')\n"
              " d=s.recv(65536)\n print('got', d[:80])\nexcept OSError as e:\n print('closed', e)\n")
    for folder in (home.top, home.runtime, home.runtime / "perfica"):
        folder.chmod(0o755)
    home.socket.chmod(0o666)  # as if somebody had opened the doors: who the peer is still counts
    done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c",
                           script, str(home.socket)], capture_output=True, text=True, timeout=30)
    home.socket.chmod(0o600)
    (home.runtime / "perfica").chmod(0o700)
    home.runtime.chmod(0o700)
    tap.ok("boards" not in done.stdout and ("closed" in done.stdout or "got b''" in done.stdout or "error" in done.stdout),
           "another user is turned away", done.stdout + done.stderr)


# From inside a command: connects itself, from a child, from a double-forked one that waited for its parents to die.
INSIDE = """
import os, socket, sys, time
def attempt(name):
    try:
        s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect(sys.argv[1])
        s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"status","params":{"protocol":1}}\\n')
        data = s.recv(65536)
        word = 'reached' if b'"boards"' in data else 'turned away'
    except OSError as e:
        word = 'turned away (%s)' % e
    open(sys.argv[2], 'a').write(name + ': ' + word + '\\n')
attempt('direct')
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(0.5)
        attempt('double-forked')
    os._exit(0)
time.sleep(2)
"""


def inside(tap, home, client, folder):
    # The path stands in a file: written out in the script, the guard would refuse it.
    (folder / "where.txt").write_text(str(home.socket))
    script = folder / "probe.py"
    script.write_text(INSIDE.replace("sys.argv[1]", "open('where.txt').read()").replace("sys.argv[2]", "'out.txt'"))
    result = client.run("python3 probe.py")
    text = (folder / "out.txt").read_text() if (folder / "out.txt").exists() else ""
    tap.ok("direct:" in text and "reached" not in text, "a command can't reach the gateway, double-forked neither",
           text + json.dumps(result)[:800])


def scenario(tap, screen, home):
    folder = home.project(files={"a.txt": "0"})
    app = App(screen, home, folder)
    client = None
    try:
        lines(tap, home, app)
        huge(tap, home, app)
        silent(tap, home)
        crowd(tap, home)
        other_user(tap, home)
        client = attach(app, folder)
        inside(tap, home, client, folder)
        tap.ok(app.process.poll() is None, "the app goes on")
        done = subprocess.run([str(AGENT), "status"], capture_output=True, text=True, timeout=20)
        tap.equal(done.returncode, 0, "and answers")
    finally:
        if client:
            client.close()
        app.close()


if __name__ == "__main__":
    main(scenario)
