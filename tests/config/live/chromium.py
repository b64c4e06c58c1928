"""Headless Chromium, as tests of pages drive it. Without one, a test ends with status 77: skipped."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


def expect(what, is_true):
    if not is_true:
        raise SystemExit(f"browser: {what}")


class Browser:
    """Speaks the DevTools protocol through two pipes, which Chromium has as descriptors 3 and 4."""

    def __init__(self, folder):
        chromium = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
        if not chromium:
            print("no Chromium here (Debian: chromium)")
            raise SystemExit(77)
        self.folder = folder
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--hide-scrollbars",
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
            if answer.get("method") == "Runtime.exceptionThrown" or answer.get("params", {}).get("entry", {}).get("level") == "error":
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
            expect(f"never true: {script}\n{self.text()}\n{self.faults}", time.monotonic() < end)
            time.sleep(0.1)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def picture(self, name):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        (self.folder / name).write_bytes(base64.b64decode(data))
        if kept := os.environ.get("EPIOS_KEEP_SCREENSHOTS"):  # for whoever wants to look at them
            shutil.copy(self.folder / name, kept)

    def text(self):
        return self.value("document.body.innerText")

    def fits_a_telephone(self, name):
        """Nothing is wider than the screen but tables, which scroll by themselves."""
        self.size(390, 844)
        self.picture(name)
        wide = self.value("""Array.from(document.querySelectorAll("body *")).filter(of => !of.closest(".wide") && of.getBoundingClientRect().right > 390)
          .map(of => of.tagName + " " + of.id + " " + of.textContent.slice(0, 60) + " " + of.getBoundingClientRect().right).join("; ")""")
        expect(f"too wide: {wide}", self.value("document.documentElement.scrollWidth") <= 390)
        self.size(1100, 1400)

    def end(self):
        self.session = None
        try:  # its helpers write to the profile until they end
            self.call("Browser.close")
            self.process.wait(10)
        except (SystemExit, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()
