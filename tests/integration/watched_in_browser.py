"""Opens the page of an `epios live` that watches a run of the toy model, in headless Chromium.

Usage: watched_in_browser.py FOLDER stopped PID   PID is the server's, which has been stopped and is told to go on
       watched_in_browser.py FOLDER failed        a file of the run has failed, or will
       watched_in_browser.py FOLDER killed        a process of it has been killed
FOLDER/address.txt holds what `epios live` has printed. Screenshots go there, too.
"""
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "config" / "live"))
from chromium import Browser, expect  # noqa: E402

folder, kind = pathlib.Path(sys.argv[1]), sys.argv[2]
BAD = "Array.from(document.querySelectorAll('.alerts li.bad'), one => one.textContent).join('\\n')"
IS_OVER = "document.getElementById('state').textContent.startsWith('the run is over')"
browser = Browser(folder)
try:
    browser.size(1100, 1400)
    browser.call("Page.navigate", url=(folder / "address.txt").read_text().strip())
    browser.wait_for("document.body?.innerText.includes('toy / toy')")
    if kind == "stopped":
        browser.wait_for(f"/^client [01] of 'toy' waits for server 0, [0-9].*: room on the way to it for field '[a-z_]+' of context 'toy'$/m.test({BAD})")
        expect("the strip of the server has the wait", browser.value("""Array.from(seen).some(([key, line]) => key.includes('/server/0/') && line.some(of => of.waited))"""))
        browser.picture("stopped.png")
        browser.fits_a_telephone("stopped_telephone.png")
        os.kill(int(sys.argv[3]), signal.SIGCONT)
        browser.wait_for(IS_OVER)
        expect(f"nothing is wrong: {browser.text()}", browser.value(BAD) == "")
        expect(f"files: {browser.text()}", "instant.nc" in browser.text() and "open" not in
               browser.value("Array.from(document.querySelectorAll('td:nth-child(2)'), one => one.textContent)"))
    elif kind == "failed":
        browser.wait_for(IS_OVER)
        browser.wait_for(f"/^file .*instant.nc has failed$/m.test({BAD}) && /cannot .*instant.nc|instant.nc.*cannot/.test({BAD})")
    else:
        browser.wait_for(f"/^processes that ended early .killed..: [0-9, ]+$/m.test({BAD})")
        browser.wait_for(IS_OVER)
    browser.picture(f"{kind}_over.png")
    expect(f"faults: {browser.faults}", not browser.faults)
finally:
    browser.end()
