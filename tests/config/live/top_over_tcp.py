"""Watches a run of this node by `epios top --connect`, as if it were on another one.

Usage: top_over_tcp.py EPIOS JOB FOLDER

JOB has a context 'o' of 'ocean' at step 7 and a file 'daily.nc'.
"""
import concurrent.futures
import json
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time

epios, job = sys.argv[1], sys.argv[2]
TOKEN = "0123456789abcdef-_X"


def expect(what, is_true):
    if not is_true:
        raise SystemExit(f"top_over_tcp: {what}")


def live(*options):
    server = subprocess.Popen([epios, "live", *options], stdout=subprocess.PIPE, text=True,
                              env=os.environ | {"EPIOS_LIVE_TOKEN": TOKEN})
    url = server.stdout.readline().strip()
    return server, url, int(url.split(":")[2].split("/")[0])


def top(*options, **environment):
    got = subprocess.run([epios, "top", *options], capture_output=True, text=True, timeout=30, env=os.environ | environment)
    expect(f"{options} names the token: {got}", TOKEN not in got.stdout + got.stderr)
    return got.returncode, got.stdout, got.stderr


def without_times(text):
    """What of a job does not change between two looks: neither times nor sums over them."""
    runs = json.loads(text)["jobs"]
    for run in runs:
        for item in [run, *run["contexts"], *run["servers"], *run["files"], *run["waits"], *run["log"]]:
            for name in [name for name in item if name.endswith("_s") or name == "seconds"]:
                del item[name]
    return runs


def of_job(text):
    """The table without numbers, and without what is said of other jobs on the node."""
    return re.sub("[0-9. ]+", "#", text).split("\n")[:9]


def fake(answer):
    """Listens as a server that gives this answer, whatever it is asked; b"" stands for silence."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        kept = []
        while True:
            connection, _ = listener.accept()
            kept.append(connection)
            if answer is None:
                kept.pop().close()
            elif answer:
                connection.recv(65536)
                connection.sendall(answer)
                connection.shutdown(socket.SHUT_WR)
    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


def http(status, body):
    return f"HTTP/1.1 {status} x\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


class Screen:
    """`epios top` in a terminal of its own."""

    def __init__(self, *options):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execv(epios, [epios, "top", "--interval", "0.1", *options])
        self.seen = ""

    def shows(self, text):
        end = time.monotonic() + 20
        self.seen = ""
        while text not in self.seen and time.monotonic() < end:
            if select.select([self.terminal], [], [], 1)[0]:
                self.seen += os.read(self.terminal, 65536).decode(errors="replace")
        expect(f"the screen lacks {text!r}: {self.seen!r}", text in self.seen)

    def press(self, key):
        os.write(self.terminal, key)

    def ended(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


server, url, port = live("--port", "0")
base = f"http://127.0.0.1:{port}/"
where = f"127.0.0.1:{port}"
servers = [server]
try:
    # Plain text and JSON are the same as on the node itself.
    code, far, error = top("--once", "--job", job, "--connect", url)
    near = top("--once", "--job", job)[1]
    expect(f"once: {code} {error} {far} {near}", code == 0 and error == "" and "daily.nc" in far
           and of_job(far) == of_job(near))
    code, far, error = top("--json", "--job", job, "--connect", base + TOKEN)
    expect(f"json: {code} {error} {far}", code == 0 and len(json.loads(far)["jobs"]) == 1
           and without_times(far) == without_times(top("--json", "--job", job)[1]))
    expect("token of the environment", top("--json", "--connect", base, EPIOS_LIVE_TOKEN=TOKEN)[0] == 0)
    expect("another job", json.loads(top("--json", "--job", "none", "--connect", url)[1])["jobs"] == [])

    # Each thing that can be wrong is said.
    def refuses(options, text, **environment):
        code, out, error = top("--once", "--connect", *options, **environment)
        expect(f"{options}: {code}, {out}\n{error}\nwanted\n{text}", code == 2 and out == "" and error == f"epios top: {text}\n")

    wanted = " (wanted: http://HOST:PORT/TOKEN/, as epios live prints it on the node of the run)."
    address = "--connect: "
    it = "Is it epios live that listens there?"
    not_there = fake(b"")
    cases = [
        ([base + "0" * 32], f"{where}: it does not know the token. Is that the address which it printed when it was started last?"),
        ([base + TOKEN[:-1]], f"{where}: it does not know the token. Is that the address which it printed when it was started last?"),
        ([base], address + "the token is missing, and EPIOS_LIVE_TOKEN is not set" + wanted),
        (["n12:8080"], address + "that is no address of epios live" + wanted),
        ([url.replace("http:", "https:")], address + "epios live speaks http, not https; where the network is not trusted, "
         "take ssh -L and the address of this node" + wanted),
        (["http://:80/" + TOKEN], address + "the address has no host" + wanted),
        (["http://[::1:80/" + TOKEN], address + "a bracket of the host is open" + wanted),
        (["http://h:80x/" + TOKEN], address + "'80x' is no port" + wanted),
        (["http://h:65536/" + TOKEN], address + "'65536' is no port" + wanted),
        (["http://h:1/a\r\nb"], address + "the token has letters that no token has" + wanted),
        ([url + "metrics"], address + "'/metrics' behind the token is too much" + wanted),
    ]
    answers = [
        (b"", "there is no answer within 5 s. Is that node busy, or the way to it closed?"),
        (None, f"the connection ends without an answer. {it}"),
        (http(404, "nothing"), f"it answers with status 404. {it}"),
        (http(500, "no \x1b[2Jmemory\n"), "it cannot look: no \\x1b[2Jmemory\\x0a"),
        (http(200, '{"epios_top": 99}'), "it has version 99, and this program reads version 1. Use the epios of the installation that answers?"),
        (http(200, "[]"), "it is not what epios live gives ([json.exception.type_error.304] cannot use at() with array)"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", f"the connection ends without an answer. {it}"),
    ]
    for answer, text in answers:
        other = fake(answer)
        cases.append(([f"http://127.0.0.1:{other}/{TOKEN}/"], f"127.0.0.1:{other}: {text}"))
    closed = socket.socket()  # a port that nobody else takes, and nobody listens on
    closed.bind(("127.0.0.1", 0))
    port_closed = closed.getsockname()[1]
    cases.append(([f"http://127.0.0.1:{port_closed}/{TOKEN}"], f"127.0.0.1:{port_closed}: nobody listens there, or the way is closed. "
                  "Does epios live run there, with --listen if that is another node?"))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(refuses, *case) for case in cases]:
            done.result()
    code, out, error = top("--once", "--connect", f"http://no-such-host.invalid/{TOKEN}")
    expect(f"no host: {error}", code == 2 and error.startswith("epios top: no-such-host.invalid:80: there is no host 'no-such-host.invalid' ("))

    # On the screen: keys, a server that goes away and comes back, the end.
    screen = Screen("--connect", url, "--job", job)
    screen.shows("1999-12-31 00:00:00     7")
    screen.press(b"b")
    screen.shows("by blocked")
    server.send_signal(signal.SIGTERM)
    server.wait(20)
    screen.shows(f"the last look stays: {where}: nobody listens there")
    screen.shows("1999-12-31 00:00:00     7")
    servers.append(live("--port", str(port))[0])
    screen.shows("by blocked")
    while "the last look stays" in screen.seen:
        screen.shows("by blocked")
    screen.press(b"q")
    screen.shows("\x1b[?25h\x1b[?1049l")
    expect("the end of the screen", screen.ended() == 0)
    screen = Screen("--connect", f"http://127.0.0.1:{port_closed}/{TOKEN}")
    screen.shows("nobody listens there")
    expect("a screen that never was", screen.ended() == 2)
finally:
    for one in servers:
        one.kill()
