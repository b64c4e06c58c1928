"""Lets the distribution's Prometheus scrape an `epios live`, and asks it what it has got.

Usage: prometheus_client.py SOURCES EPIOS JOB FOLDER

JOB is a run of this node with a context 'o' of 'ocean' at step 7 and a file 'daily.nc'. Every expression of the dashboard
for Grafana must be one that Prometheus takes, and some of them are compared with what the page of the run says.
"""
import json
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

sources, epios, job, folder = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def expect(what, is_true):
    if not is_true:
        raise SystemExit(f"prometheus_client: {what}")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


live = subprocess.Popen([epios, "live", "--job", job, "--port", "0"], stdout=subprocess.PIPE, text=True)
url = urllib.parse.urlsplit(live.stdout.readline().strip())
(folder / "prometheus.yml").write_text(f"""
scrape_configs:
  - job_name: epios
    scrape_interval: 1s
    metrics_path: {url.path}metrics
    static_configs:
      - targets: ["{url.netloc}"]
""")
port = free_port()
log = (folder / "prometheus.log").open("w")
prometheus = subprocess.Popen(["prometheus", f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}",
                               f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log)


def ask(path, **arguments):
    query = urllib.parse.urlencode(arguments)
    try:
        with opener.open(f"http://127.0.0.1:{port}/api/v1/{path}?{query}", timeout=20) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as error:
        if error.code == 503:  # it is starting
            raise
        raise SystemExit(f"prometheus_client: {path} {arguments}: {error.read().decode()}")


def value(expression):
    result = ask("query", query=expression)["result"]
    return float(result[0]["value"][1]) if len(result) == 1 else None


def wait_for(what, is_there):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            if is_there():
                return
        except urllib.error.URLError:
            expect(f"prometheus has ended: {(folder / 'prometheus.log').read_text()}", prometheus.poll() is None)
        time.sleep(0.2)
    raise SystemExit(f"prometheus_client: no {what}: {(folder / 'prometheus.log').read_text()} {ask('targets')}")


try:
    of_job = f'{{job_id="{job}"}}'
    wait_for("steps", lambda: value(f'epios_steps_total{{job_id="{job}",component="ocean",context="o"}}') == 7)
    target, = ask("targets")["activeTargets"]
    expect(f"target: {target}", target["health"] == "up" and target["lastError"] == "")
    expect("written", value(f'epios_file_written_records_total{{job_id="{job}",file="daily.nc"}}') == 3)
    expect("processes", value("epios_processes" + of_job) == 1)

    # Types and units are understood: none is unknown, which a text without them would be.
    kinds = {name: facts[0] for name, facts in ask("metadata").items() if name.startswith("epios_")}
    expect(f"kinds: {kinds}", len(kinds) >= 25 and {facts["type"] for facts in kinds.values()} == {"counter", "gauge"})
    expect(f"units: {kinds}", kinds["epios_blocked_seconds"]["unit"] == "seconds" and all(facts["help"] for facts in kinds.values()))

    # The dashboard asks for nothing that Prometheus does not understand, and for what is there.
    dashboard = json.loads((sources / "packaging/grafana/epios.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    wait_for("rates", lambda: ask("query", query=f"rate(epios_steps_total{of_job}[1m])")["result"])
    for expression in expressions:
        asked = re.sub(r"\$\w+", lambda name: {"$job": job, "$component": ".*"}.get(name.group(), "1m"), expression)
        expect(f"the dashboard sees nothing of {asked}", ask("query", query=asked)["result"])
finally:
    prometheus.terminate()
    prometheus.wait(20)
    live.kill()
