"""Opens the page of `epios live` in headless Chromium, looks at what it shows, and clicks.

Usage: browser.py EPIOS JOB FOLDER CHROMIUM

JOB is a run of this node with maps 'tos' and 'thetao', a server, a file 'daily.nc' and a line in the log. When the file
FOLDER/seen is made, it may end; when FOLDER/over is there, it has. Screenshots go to FOLDER.
"""
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

epios, job, folder, chromium = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]


def expect(what, is_true):
    if not is_true:
        raise SystemExit(f"browser: {what}")


class Browser:
    """Speaks the DevTools protocol through two pipes, which Chromium has as descriptors 3 and 4."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory()
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"]
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{to_read} 4>&{from_write}', "sh", *command], pass_fds=(to_read, from_write),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.number, self.rest, self.session, self.faults = 0, b"", None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def message(self):
        while b"\0" not in self.rest:
            got = os.read(self.from_read, 1 << 16)
            expect("Chromium has ended", got)
            self.rest += got
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        call = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            call["sessionId"] = self.session
        os.write(self.to_write, json.dumps(call).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.faults.append(answer["params"])
            if answer.get("id") == self.number:
                expect(f"{method}: {answer}", "result" in answer)
                return answer["result"]

    def value(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        expect(f"{script}: {answer}", "exceptionDetails" not in answer)
        return answer["result"].get("value")

    def wait_for(self, script):
        end = time.monotonic() + 30
        while not self.value(script):
            expect(f"never true: {script}\n{self.value('document.body.innerText')}\n{self.faults}", time.monotonic() < end)
            time.sleep(0.1)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def picture(self, name):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        (folder / name).write_bytes(base64.b64decode(data))

    def end(self):
        self.process.kill()
        self.process.wait()
        self.profile.cleanup()


live = subprocess.Popen([epios, "live", "--job", job, "--port", "0"], stdout=subprocess.PIPE, text=True)
url = live.stdout.readline().strip()
browser = Browser()
try:
    browser.size(1100, 1400)
    browser.call("Page.navigate", url=url)
    browser.wait_for("document.getElementById('map') && !document.getElementById('map').hidden && document.getElementById('what').textContent !== ''")
    text = browser.value("document.body.innerText")
    for part in [job, "ocean / o", "daily.nc", "server 3", "records became durable", "fields that clients waited for most",
                 "thetao", "server 3: all is well (info,", "client 1 of"]:
        expect(f"lacks {part}: {text}", part in text)
    expect(f"markup: {text}", "<b>bold</b>" in text and browser.value("document.querySelectorAll('main b').length") == 0)

    # The map: a chooser, colours, a scale with units, the date.
    expect("fields", browser.value("Array.from(field.options, one => one.textContent).join()") == "thetao (ocean / o),tos (ocean / o)")
    what = browser.value("document.getElementById('what').textContent")
    expect(f"what: {what}", what == "thetao, lev 1 of 3, 2000-01-02 00:00:00: record 4, 1740 values at 1800 of its cells")
    browser.value("field.value = Array.from(field.options).find(one => one.textContent.startsWith('tos')).value; field.dispatchEvent(new Event('change'))")
    browser.wait_for("document.getElementById('what').textContent.startsWith('tos, 2000-01-03')")
    expect("scale", browser.value("document.getElementById('least').textContent + '|' + document.getElementById('most').textContent") == "-87|87 degC")
    pixels = """(() => {
      const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data, at = (x, y) => {
        const i = 4 * (Math.floor(y * canvas.height) * canvas.width + Math.floor(x * canvas.width));
        return Array.from(data.slice(i, i + 4)).join();
      };
      let empty = 0;
      for (let i = 3; i < data.length; i += 4) empty += data[i] === 0;
      return [at(0.4, 0.02), at(0.4, 0.5), at(0.4, 0.98), at(0.75, 0.5), empty];
    })()"""
    north, middle, south, gap, empty = browser.value(pixels)
    # Values are latitudes; those at 270 degrees east are missing.
    expect(f"colours: {north} {middle} {south} {gap} {empty}", north.startswith("25") and middle.startswith("3") and south.startswith("6")
           and gap == "150,150,150,90" and empty == 0)
    box = browser.value("(() => { const box = canvas.getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })()")
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=box[0] + box[2] * 0.4, y=box[1] + box[3] * 0.25, button="left", clickCount=1)
    point = browser.value("document.getElementById('point').textContent")
    expect(f"point: {point}", point.startswith("longitude 1") and ", latitude 4" in point and point.endswith("degC"))
    browser.picture("desktop.png")

    # A telephone: nothing is wider than the screen but tables, which scroll by themselves.
    browser.size(390, 844)
    browser.picture("telephone.png")
    wide = browser.value("""Array.from(document.querySelectorAll("body *")).filter(of => !of.closest(".wide") && of.getBoundingClientRect().right > 390)
      .map(of => of.tagName + " " + of.id + " " + of.textContent.slice(0, 60) + " " + of.getBoundingClientRect().right).join("; ")""")
    expect(f"too wide: {wide}", browser.value("document.documentElement.scrollWidth") <= 390)
    browser.size(1100, 1400)

    # The run ends: the last look at it stays, and so does its map. Then the server does.
    (folder / "seen").touch()
    while not (folder / "over").exists():
        time.sleep(0.02)
    browser.wait_for("document.getElementById('state').textContent.startsWith('the run is over')")
    expect("the last look", "daily.nc" in browser.value("document.body.innerText") and not browser.value("document.getElementById('map').hidden"))
    expect(f"faults: {browser.faults}", not browser.faults)
    live.terminate()
    live.wait(20)
    browser.wait_for("document.getElementById('state').textContent.startsWith('no answer') && document.getElementById('state').className === 'bad'")
    browser.picture("over.png")
finally:
    browser.end()
    live.kill()
