"""Registries of the test's own: Debian's, a slow way to it, and one that only refuses.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import http.server
import signal
import socket
import subprocess
import tempfile
import threading
import time

from engine import find

# "user:word"; nobody logs in with it.
PASSWORDS = "user:$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC\n"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Registry:
    """Debian's docker-registry, on this computer only."""

    def __init__(self, base, login=False):
        self.port = free_port()
        self.base = tempfile.mkdtemp(prefix="registry-", dir=base)
        config = f"{self.base}/config.yml"
        with open(config, "w") as out:
            out.write("version: 0.1\nlog: {level: error}\n"
                      f"storage: {{filesystem: {{rootdirectory: {self.base}/data}}}}\n"
                      f"http: {{addr: '127.0.0.1:{self.port}'}}\n")
            if login:
                with open(f"{self.base}/passwords", "w") as words:
                    words.write(PASSWORDS)
                out.write(f"auth: {{htpasswd: {{realm: test, path: {self.base}/passwords}}}}\n")
        self.process = subprocess.Popen([find("docker-registry"), "serve", config], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.05)

    @property
    def host(self):
        return f"localhost:{self.port}"

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)


class SlowWay:
    """Lets a client at another port have so many bytes a second, and counts them."""

    def __init__(self, port, rate):
        self.target, self.rate, self.bytes, self.open = port, rate, 0, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.lock = threading.Lock()
        threading.Thread(target=self.serve, daemon=True).start()

    @property
    def host(self):
        return f"localhost:{self.port}"

    def serve(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def carry(self, client):
        with self.lock:
            self.open += 1
        try:
            with client, socket.create_connection(("127.0.0.1", self.target)) as server:
                threading.Thread(target=self.forward, args=(client, server), daemon=True).start()
                while True:
                    data = server.recv(8192)
                    if not data:
                        break
                    client.sendall(data)
                    self.bytes += len(data)
                    time.sleep(len(data) / self.rate)
        except OSError:
            pass
        finally:
            with self.lock:
                self.open -= 1

    @staticmethod
    def forward(client, server):
        try:
            while True:
                data = client.recv(8192)
                if not data:
                    break
                server.sendall(data)
            server.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def stop(self):
        self.listener.close()


class Refuser:
    """Answers whatever it is asked with one status and one text."""

    def __init__(self, status, text):
        body = text.encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Docker-Distribution-Api-Version", "registry/2.0")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def host(self):
        return f"localhost:{self.server.server_address[1]}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
