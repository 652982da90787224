"""The real app on a virtual screen, driven as a person would: read through AT-SPI, clicked with xdotool.

One screen, one session bus and one app per process; everything is ended by pid.
"""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("PERFICA_BUILD", ROOT / "build"))
APP = BUILD / "app" / "perfica"
AGENT = BUILD / "app" / "agent" / "perfica-agent"
SUPERVISE = BUILD / "sandbox" / "perfica-supervise"

DEADLINE = 20.0
FULL = os.environ.get("PERFICA_TEST_FULL") == "1"


class Failure(AssertionError):
    pass


def wait_for(what, probe, seconds=DEADLINE, pause=0.05):
    """Polls until probe() is true and returns its value."""
    end = time.monotonic() + seconds
    while True:
        value = probe()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure(f"waited {seconds:.0f} s for {what}")
        time.sleep(pause)


def end_process(process, seconds=5):
    if process is None or process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def picture_path():
    folder = BUILD / "meson-logs"
    return (folder if os.access(folder, os.W_OK) else Path(tempfile.gettempdir())) / f"{Path(sys.argv[0]).stem}.png"


def broken_picture(screen):
    try:
        screen.picture(picture_path())
    except Exception:
        pass


class Screen:
    """Xvfb, a window manager and a session bus of its own."""

    def __init__(self, size="1280x800", bus=True):
        self.processes = []
        read, write = os.pipe()
        self.xvfb = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", size + "x24", "-nolisten", "tcp"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise Failure("Xvfb did not start")
        self.display = ":" + number
        self.environment = {
            "DISPLAY": self.display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GSETTINGS_BACKEND": "memory",
            "ADW_DISABLE_PORTAL": "1", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "0",
            "GSETTINGS_SCHEMA_DIR": str(BUILD / "data"), "GTK_USE_PORTAL": "0",
        }
        os.environ.pop("WAYLAND_DISPLAY", None)
        if bus:
            self.bus = subprocess.Popen(["dbus-daemon", "--session", "--print-address=1", "--nofork"],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.processes.append(self.bus)
            self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().strip()
        os.environ.update(self.environment)
        self.manager = subprocess.Popen(["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.processes.append(self.manager)

    def picture(self, path):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["import", "-window", "root", str(path)], check=True, timeout=30)

    def xdotool(self, *words):
        done = subprocess.run(["xdotool", *map(str, words)], capture_output=True, text=True, timeout=20)
        return done.stdout.strip()

    def close(self):
        for process in reversed(self.processes):
            end_process(process)
        end_process(self.xvfb)


class Home:
    """A person's folders, all of them temporary."""

    def __init__(self):
        self.top = Path(tempfile.mkdtemp(prefix="perfica-e2e-"))
        self.home = self.top / "home"
        self.runtime = self.top / "run"
        self.config = self.home / ".config"
        self.state = self.home / ".local" / "state"
        for folder in (self.home, self.runtime, self.config, self.state, self.home / ".cache"):
            folder.mkdir(parents=True)
        self.runtime.chmod(0o700)
        self.environment = {
            "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.runtime), "XDG_CONFIG_HOME": str(self.config),
            "XDG_STATE_HOME": str(self.state), "XDG_CACHE_HOME": str(self.home / ".cache"), "SHELL": "/bin/bash",
            "GIT_CONFIG_GLOBAL": str(self.home / ".gitconfig"),
        }
        (self.home / ".gitconfig").write_text("[user]\n\tname = Demo\n\temail = demo@example.invalid\n"
                                              "[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n")
        os.environ.update(self.environment)

    @property
    def socket(self):
        return self.runtime / "perfica" / "gateway"

    @property
    def database(self):
        return self.state / "perfica" / "activity.db"

    def limits(self, **values):
        folder = self.config / "perfica"
        folder.mkdir(mode=0o700, exist_ok=True)
        (folder / "limits.json").write_text(json.dumps(values))

    def project(self, name="sample", files=None, git=True):
        folder = self.home / name
        folder.mkdir()
        for path, text in (files or {}).items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
            if text.startswith("#!"):
                target.chmod(0o755)
        if git:
            run = lambda *words: subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)
            run("init", "-q")
            run("add", "-A")
            run("commit", "-q", "--allow-empty", "-m", "start")
        return folder

    def close(self):
        subprocess.run(["chmod", "-R", "u+rwX", str(self.top)], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.top, ignore_errors=True)


class App:
    """The running app and what a person sees of it."""

    def __init__(self, screen, home, *arguments, wait=True):
        self.screen, self.home = screen, home
        self.log = open(home.top / "perfica.log", "a+")
        environment = dict(os.environ)
        self.process = subprocess.Popen([str(APP), *map(str, arguments)], env=environment,
                                        stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL)
        self._accessible = None
        if wait:
            wait_for("the gateway's socket", self.is_up)
            self.window()
            # A window that isn't mapped yet can ask nothing.
            wait_for("the window on the screen", self.windows)

    def is_up(self):
        if self.process.poll() is not None:
            raise Failure(f"perfica ended with {self.process.returncode}:\n{self.output()}")
        return self.home.socket.exists()

    def output(self):
        self.log.flush()
        return Path(self.log.name).read_text()

    # What is on the screen -------------------------------------------------

    def accessible(self):
        import pyatspi
        for node in pyatspi.Registry.getDesktop(0):
            try:
                if node and node.get_process_id() == self.process.pid:
                    return node
            except Exception:
                continue
        return None

    def nodes(self, start=None, depth=0, limit=40):
        node = start or self.accessible()
        if node is None:
            return
        try:
            children = [node.getChildAtIndex(i) for i in range(min(node.childCount, 400))]
        except Exception:
            return
        for child in children:
            if child is None:
                continue
            yield child
            if depth < limit:
                yield from self.nodes(child, depth + 1, limit)

    def frames(self):
        node = self.accessible()
        if node is None:
            return []
        try:
            return [f for f in (node.getChildAtIndex(i) for i in range(node.childCount)) if f is not None]
        except Exception:
            return []

    def frame(self, title):
        for frame in self.frames():
            try:
                if title in (frame.name or ""):
                    return frame
            except Exception:
                continue
        return None

    def window(self, title=""):
        return wait_for(f"a window “{title}”", lambda: self.frame(title))

    def find(self, name, role=None, frame=None):
        """The first thing on the screen with that accessible name; a question's window before the one below it."""
        for top in [frame] if frame is not None else reversed(self.frames()):
            for node in self.nodes(top):
                try:
                    if node.name == name and (role is None or node.getRoleName() == role):
                        return node
                except Exception:
                    continue
        return None

    def shown(self, name, role=None):
        """Like find(), but only what has a size: not what lies on a page that is hidden."""
        import pyatspi
        for node in self.nodes():
            try:
                if (node.name == name and (role is None or node.getRoleName() == role)
                        and node.queryComponent().getExtents(pyatspi.WINDOW_COORDS).width > 0):
                    return node
            except Exception:
                continue
        return None

    def texts(self, frame=None):
        found = []
        for node in self.nodes(frame):
            try:
                if node.name:
                    found.append(node.name)
                text = node.queryText() if "Text" in node.get_interfaces() else None
                if text and text.characterCount:
                    found.append(text.getText(0, min(text.characterCount, 20000)))
            except Exception:
                continue
        return found

    def sees(self, words, frame=None):
        return any(words in text for text in self.texts(frame))

    # What a person does ----------------------------------------------------

    def windows(self):
        """The app's visible X windows: id -> (x, y, width, height, title)."""
        found = {}
        for window in self.screen.xdotool("search", "--onlyvisible", "--pid", self.process.pid).split():
            shell = self.screen.xdotool("getwindowgeometry", "--shell", window)
            values = dict(line.split("=", 1) for line in shell.splitlines() if "=" in line)
            if "X" in values:
                title = self.screen.xdotool("getwindowname", window)
                found[window] = (int(values["X"]), int(values["Y"]), int(values["WIDTH"]), int(values["HEIGHT"]), title)
        return found

    def frame_of(self, node):
        while node is not None and node.parent is not None and node.parent.getRoleName() != "application":
            node = node.parent
        return node

    def place_of(self, node):
        """The middle of a widget, on the screen."""
        import pyatspi
        box = node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        frame = self.frame_of(node)
        size = frame.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        candidates = list(self.windows().values())
        named = [w for w in candidates if w[4] == frame.name] or candidates
        best = min(named, key=lambda w: abs(w[2] - size.width) + abs(w[3] - size.height), default=None)
        if best is None:
            raise Failure("the window of a widget is not on the screen")
        return best[0] + box.x + box.width // 2, best[1] + box.y + box.height // 2

    def click_at(self, x, y):
        # From beside: --sync waits 15 s for a pointer that is there already.
        self.screen.xdotool("mousemove", x + 1, y)
        self.screen.xdotool("mousemove", "--sync", x, y)
        self.screen.xdotool("click", 1)

    def click(self, name, role=None, frame=None):
        """A real click of the mouse in the middle of a widget."""
        node = wait_for(f"“{name}” on the screen", lambda: self.find(name, role, frame))
        x, y = self.place_of(node)
        self.click_at(x, y)
        return node

    def is_sensitive(self, node):
        import pyatspi
        return node.getState().contains(pyatspi.STATE_SENSITIVE)

    def is_on(self, name, frame=None):
        """Whether the switch of that name is on."""
        import pyatspi
        return any(node.getState().contains(pyatspi.STATE_CHECKED) for node in self.nodes(frame)
                   if node.getRoleName() == "check box" and name in (node.name or ""))

    def answer(self, name, frame=None):
        """Clicks an answer until its question is gone.

        The first second counts for nothing, and so does the click that gives a window the focus.
        """
        wait_for(f"“{name}” on the screen", lambda: self.find(name, None, frame))
        for _ in range(8):
            node = self.find(name, None, frame)
            if node is not None and self.is_sensitive(node):
                try:
                    self.click_at(*self.place_of(node))
                except (Failure, NotImplementedError):
                    pass
            try:
                wait_for("the question to go", lambda: self.find(name, None, frame) is None, 1.6)
                return
            except Failure:
                continue
        raise Failure(f"“{name}” did not answer")

    def answer_alert(self, name):
        """One click on a button of the alert that is open. An alert holds its buttons twice, for wide and for
        narrow; those out of use have no place."""
        def shown():
            for node in self.nodes():
                try:
                    if node.name == name and self.place_of(node)[0] > 0 and self.width_of(node) > 0:
                        return node
                except Exception:
                    continue
            return None
        node = wait_for(f"“{name}” in an alert", shown)
        self.click_at(*self.place_of(node))

    @staticmethod
    def width_of(node):
        import pyatspi
        return node.queryComponent().getExtents(pyatspi.WINDOW_COORDS).width

    def click_last(self, name):
        """Clicks the last widget of that name, such as the newest entry's button."""
        def all_of():
            return [node for node in self.nodes() if node.name == name]
        node = wait_for(f"“{name}” on the screen", all_of)[-1]
        self.click_at(*self.place_of(node))

    def choose_menu(self, item):
        """Picks an item of the main menu: a real click on its button, another on the item."""
        import pyatspi
        button = wait_for("the menu's button", lambda: self.shown("Main Menu", "push button"))
        self.click_at(*self.place_of(button))
        entry = wait_for(f"“{item}” in the menu", lambda: self.shown(item, "menu item"))
        menu = entry
        while menu.getRoleName() != "menu":
            menu = menu.parent
        outer = menu.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        # A popover is a window of its own, as large as its menu.
        window = wait_for("the menu's window", lambda: next(
            (w for w in self.windows().values() if (w[2], w[3]) == (outer.width, outer.height)), None))
        time.sleep(0.4)  # it grows into place
        box = entry.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        self.click_at(window[0] + box.x - outer.x + box.width // 2, window[1] + box.y - outer.y + box.height // 2)

    # Pages ------------------------------------------------------------------

    def choose(self, row, option, options=("Default", "On", "Off"), frame=None):
        """Picks an option of a combo row, by the keyboard of its list."""
        self.click(row, None, frame)
        time.sleep(0.6)
        self.screen.xdotool("key", "Home")
        for _ in range(list(options).index(option)):
            self.screen.xdotool("key", "Down")
        time.sleep(0.2)
        self.screen.xdotool("key", "Return")
        time.sleep(0.6)

    def close(self):
        if sys.exc_info()[0] is not None:  # what was on the screen when the scenario broke
            broken_picture(self.screen)
        end_process(self.process, 10)


class Client:
    """An MCP client on perfica-agent's standard input and output (the demonstration's own; e2e uses the SDK too)."""

    def __init__(self, folder, *arguments):
        self.process = subprocess.Popen([str(AGENT), "mcp", *arguments], cwd=folder, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.next_id = 0
        self.answers = {}
        self.condition = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()
        self.server = self.request("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "demo-client", "version": "1"}})
        self.notify("notifications/initialized")

    def _read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            with self.condition:
                if "id" in message and ("result" in message or "error" in message):
                    self.answers[message["id"]] = message
                self.condition.notify_all()
        with self.condition:
            self.answers[None] = True
            self.condition.notify_all()

    def send(self, method, params=None):
        self.next_id += 1
        message = {"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params or {}}
        self.process.stdin.write((json.dumps(message) + "\n").encode())
        self.process.stdin.flush()
        return self.next_id

    def notify(self, method, params=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        self.process.stdin.write((json.dumps(message) + "\n").encode())
        self.process.stdin.flush()

    def answer(self, number, seconds=60):
        with self.condition:
            self.condition.wait_for(lambda: number in self.answers or None in self.answers, seconds)
            if number not in self.answers:
                raise Failure("no answer over MCP")
            message = self.answers.pop(number)
        if "error" in message:
            raise Failure(f"MCP error {message['error']}")
        return message["result"]

    def request(self, method, params=None, seconds=60):
        return self.answer(self.send(method, params), seconds)

    def start(self, command, **arguments):
        return self.send("tools/call", {"name": "run_command", "arguments": {"command": command, **arguments}})

    def run(self, command, seconds=60, **arguments):
        return self.answer(self.start(command, **arguments), seconds)

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


def content(result):
    """The typed part of an MCP result."""
    return result["structuredContent"]


def outcome(result):
    return content(result)["outcome"]


def confirm(app):
    """The person's word for a new agent: a real click."""
    app.answer("Confirm")


def attach(app, folder, *arguments):
    """A client that the person has confirmed: its first command waits for that."""
    client = Client(folder, *arguments)
    number = client.start("true")
    confirm(app)
    first = client.answer(number)
    if outcome(first) != "ran":
        raise Failure(f"a new agent was answered {first}")
    return client


class Tap:
    """Points of a test, as TAP."""

    def __init__(self):
        self.count = self.failed = 0

    def ok(self, good, name, detail=""):
        self.count += 1
        if good:
            print(f"ok {self.count} - {name}", flush=True)
        else:
            self.failed += 1
            print(f"not ok {self.count} - {name}", flush=True)
            for line in str(detail).splitlines()[:60]:
                print(f"# {line}", flush=True)
        return good

    def equal(self, got, wanted, name):
        return self.ok(got == wanted, name, f"got {got!r}\nwanted {wanted!r}")

    def done(self):
        print(f"1..{self.count}", flush=True)
        return 1 if self.failed or not self.count else 0


def processes_with(marker):
    """Pids whose environment or command line holds a marker; ours left out."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            text = (entry / "cmdline").read_bytes() + b"\0" + (entry / "environ").read_bytes()
        except OSError:
            continue
        if marker.encode() in text:
            found.append(int(entry.name))
    return found


def nothing_left(marker, seconds=8):
    """Whether every process with that marker is gone in time."""
    try:
        wait_for("every process to be gone", lambda: not processes_with(marker), seconds)
        return True
    except Failure:
        return False


def children_of(pid):
    out = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(word) for word in out.split()]


def launcher_of(app):
    """The small process that forks every supervisor."""
    for pid in children_of(app.process.pid):
        try:
            with open(f"/proc/{pid}/cmdline") as line:
                if "perfica-supervise" in line.read():
                    return pid
        except OSError:
            continue
    return None


def records(home):
    """The rows of the record, oldest first, read beside the running app."""
    if not home.database.exists():
        return []
    base = sqlite3.connect(f"file:{home.database}?mode=ro", uri=True, timeout=5)
    base.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in base.execute("select * from entries order by id")]
    finally:
        base.close()


def kill(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def become_ordinary():
    """Begins this test again as nobody in particular, for whom a mode of a file counts."""
    if os.getuid() == 0:
        os.execvp("setpriv", ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all",
                              "--bounding-set=-all", "--no-new-privs", sys.executable, *sys.argv])


def become_mounter():
    """Begins again where mounting is ours: root's own mount namespace, or a user's with a user namespace."""
    if os.environ.get("PERFICA_TEST_MOUNTS") == "1":
        return
    os.environ["PERFICA_TEST_MOUNTS"] = "1"
    words = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    os.execvp(words[0], [*words, "--", sys.executable, *sys.argv])


def main(scenario, ordinary_user=False, **screen):
    """Runs scenario(tap, screen, home) and cleans up whatever happens."""
    if ordinary_user:
        become_ordinary()
    tap, home, view = Tap(), Home(), None
    try:
        view = Screen(**screen)
        scenario(tap, view, home)
    except Exception as error:  # a scenario that breaks is a failed point, with its picture
        import traceback
        tap.ok(False, f"the scenario ran to its end (picture: {picture_path()})", traceback.format_exc() + f"\n{error}")
        log = home.top / "perfica.log"
        if log.exists():
            for line in log.read_text(errors="replace").splitlines()[-30:]:
                print(f"# app: {line}", flush=True)
    finally:
        if view is not None:
            view.close()
        home.close()
    sys.exit(tap.done())
