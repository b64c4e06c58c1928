"""Asks `epios live` as browsers, Prometheus and strangers do.

Usage: live_client.py EPIOS JOB FOLDER

JOB is a run of this node with a context 'o' of 'ocean' at step 7 and a file 'daily.nc'. When the file FOLDER/asked is
made, the run may end; when FOLDER/over is there, it has.
"""
import concurrent.futures
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

epios, job, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def start(*options, **environment):
    server = subprocess.Popen([epios, "live", "--job", job, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, env=os.environ | environment)
    return server, server.stdout.readline().strip()


def ask(url, method="GET"):
    try:
        with opener.open(urllib.request.Request(url, method=method), timeout=20) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def expect(what, is_true):
    if not is_true:
        raise SystemExit(f"live_client: {what}")


server, url = start("--port", "0")
try:
    base, token = url.rstrip("/").rsplit("/", 1)
    port = int(base.rsplit(":", 1)[1])
    expect(f"address {url}", base.startswith("http://127.0.0.1:") and len(token) == 32)

    # Strangers learn nothing, not even which paths there are.
    wrong = ["", "/", "/metrics", "/runs.json", "/" + token[:-1] + "/", "/" + token + "0/metrics",
             "/" + "0" * 32 + "/runs.json", "/map.json", "//" + token + "/", "/" + token[:-1] + "x/nothing", "/%00/"]
    for path in wrong:
        status, headers, text = ask(base + path)
        expect(f"{path} gives {status}", status == 401 and token not in text and job not in text)
        expect(f"{path} does not say what to show", "WWW-Authenticate" in headers)

    status, headers, page = ask(url)
    expect(f"page: {status}", status == 200 and page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n"))
    expect("markup from text", "innerHTML" not in page and "document.write" not in page)
    expect("the page loads something", "src=" not in page and "href=" not in page and "https:" not in page)
    for name, value in {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
                        "X-Content-Type-Options": "nosniff"}.items():
        expect(f"header {name}: {headers[name]}", headers[name] == value)
    expect("no policy", headers["Content-Security-Policy"].startswith("default-src 'none'"))
    status, headers, page_again = ask(url[:-1])
    expect("without the last slash", status == 200 and page_again == page)

    status, headers, text = ask(url + "runs.json")
    run = json.loads(text)["jobs"][0]
    expect(f"runs.json: {text}", run["job"] == job and run["contexts"][0]["step"] == 7
           and run["files"][0]["path"] == "daily.nc")
    status, headers, text = ask(url + "metrics")
    expect(f"type {headers['Content-Type']}", headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0"))
    expect(f"metrics: {text}", f'epios_steps_total{{job_id="{job}",component="ocean",context="o"}} 7\n' in text
           and text.endswith("# EOF\n"))
    expect("404", ask(url + "nothing")[0] == 404)
    for query in ["", "?job=" + job, f"?job={job}&component=ocean&context=o&field=none", "?job=%00&field=" + "x" * 3000]:
        status, headers, text = ask(url + "map.json" + query)
        expect(f"map {query}: {status} {text}", status == 404 and text.startswith("there is no record of such a field"))
    for method in ["POST", "PUT", "DELETE"]:
        expect(method, ask(url, method)[0] == 405)
    status, headers, text = ask(url, "HEAD")
    expect("HEAD", status == 200 and text == "")

    # Who disconnects, or says half of what he wants, keeps nobody else waiting.
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(2)]
    for one in idle:
        one.sendall(b"GET /" + token.encode())
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", port)) as one:
            one.sendall(f"GET /{token}/runs.json HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    expect("after those who left", ask(url + "runs.json")[0] == 200)
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(lambda n: ask(url + ("metrics" if n % 2 else "runs.json"))[0], range(1000)))
    expect(f"of a thousand: {sorted(set(answers))}", set(answers) == {200})
    for one in idle:
        one.close()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/" + "x" * 100000)
    expect("a long path", connection.getresponse().status in (401, 414, 400))
    connection.close()

    # The port is taken; the first one goes on.
    other = subprocess.run([epios, "live", "--port", str(port)], capture_output=True, text=True, timeout=20)
    expect(f"second: {other}", other.returncode == 2 and other.stdout == "" and other.stderr ==
           f"epios live: port {port} of 127.0.0.1 cannot be had (Address already in use). Name another one with "
           "--port, or 0 for any that is free?\n")
    far = subprocess.run([epios, "live", "--port", "0", "--listen", "203.0.113.7"], capture_output=True, text=True, timeout=20)
    expect(f"address of another node: {far}", far.returncode == 2 and far.stdout == "" and
           far.stderr.startswith("epios live: port 0 of 203.0.113.7 cannot be had ("))
    first_free = pathlib.Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")
    if first_free.exists() and int(first_free.read_text()) > 80:
        options = {"user": 65534} if os.geteuid() == 0 else {}  # root may have every port
        try:
            refused = subprocess.run([epios, "live", "--port", "80"], capture_output=True, text=True, timeout=20, **options)
        except PermissionError:
            refused = None  # nobody else reaches this build
        expect(f"no permission: {refused}", refused is None or refused.returncode == 127 or refused.returncode == 2 and refused.stderr ==
               "epios live: port 80 of 127.0.0.1 cannot be had (Permission denied). Name another one with --port, or 0 for "
               "any that is free?\n")
    short = subprocess.run([epios, "live"], capture_output=True, text=True, timeout=20,
                           env=os.environ | {"EPIOS_LIVE_TOKEN": "short"})
    expect(f"token: {short}", short.returncode == 2 and "EPIOS_LIVE_TOKEN is no token" in short.stderr)

    # The run ends; its last figures stay.
    (folder / "asked").touch()
    while not (folder / "over").exists():
        time.sleep(0.02)
    time.sleep(0.3)
    run, = json.loads(ask(url + "runs.json")[2])["jobs"]
    expect(f"after the end: {run}", run["processes_here"] == [] and len(run["processes_ended"]) == 1
           and run["contexts"][0]["step"] == 7 and run["contexts"][0]["over"] and run["files"][0]["state"] == "done")
    text = ask(url + "metrics")[2]
    expect(f"metrics after the end: {text}", f'epios_processes{{job_id="{job}",batch_job=""}} 0\n' in text
           and f'epios_steps_total{{job_id="{job}",component="ocean",context="o"}} 7\n' in text and text.endswith("# EOF\n"))
    server.send_signal(signal.SIGTERM)
    expect(f"ends with {server.wait(20)}", server.returncode == 0)
finally:
    server.kill()

server, url = start("--port", "0", EPIOS_LIVE_TOKEN="a-token_of_the_user")
expect(f"chosen token: {url}", url.endswith("/a-token_of_the_user/") and ask(url)[0] == 200)
server.send_signal(signal.SIGINT)
expect("ends by Ctrl-C", server.wait(20) == 0)

# Would have found an address of IPv6 that no browser takes.
try:
    socket.create_server(("::1", 0), family=socket.AF_INET6).close()
except OSError:
    raise SystemExit(0)  # this node has none
server, url = start("--port", "0", "--listen", "::1")
expect(f"IPv6: {url}", url.startswith("http://[::1]:") and ask(url)[0] == 200)
server.send_signal(signal.SIGTERM)
expect("ends", server.wait(20) == 0)
