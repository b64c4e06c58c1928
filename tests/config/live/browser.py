"""Opens the page of `epios live` in headless Chromium, looks at what it shows, and clicks.

Usage: browser.py EPIOS JOB FOLDER

JOB is a run of this node with maps 'tos', 'thetao', 'ice' and 'sky', a server, a file 'daily.nc' and a line in the log.
When the file FOLDER/seen is made, it may end; when FOLDER/over is there, it has. Screenshots go to FOLDER.
"""
import pathlib
import signal
import subprocess
import sys
import time

from chromium import Browser, expect

epios, job, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
browser = Browser(folder)
live = subprocess.Popen([epios, "live", "--job", job, "--port", "0"], stdout=subprocess.PIPE, text=True)
url = live.stdout.readline().strip()
try:
    browser.size(1100, 1400)
    browser.call("Page.navigate", url=url)
    browser.wait_for("document.getElementById('map') && !document.getElementById('map').hidden && document.getElementById('what').textContent !== ''")
    text = browser.text()
    for part in [job, "ocean / o", "daily.nc", "server 3", "records became durable", "fields that clients waited for most",
                 "thetao", "server 3: all is well (info,", "1 of 3 processes here", "What processes of other nodes do is not shown"]:
        expect(f"lacks {part}: {text}", part in text)
    # What is wrong is said first, in red: a file that failed, why, and who waits for long.
    alerts = browser.value("Array.from(document.querySelectorAll('.alerts li.bad'), one => one.textContent).join('|')")
    expect(f"alerts: {alerts}", alerts == ("file yearly.nc has failed|server 3: file 'yearly.nc': no space left|"
                                        "client 1 of 'ocean' waits for server 3, 1 h 01 min: room"))
    expect(f"markup: {text}", "<b>bold</b>" in text and browser.value("document.querySelectorAll('main b').length") == 0)

    # The map: a chooser, colours, a scale with units, the date.
    fields = browser.value("Array.from(field.options, one => one.textContent).join()")
    expect(f"fields: {fields}", fields == ",".join(f"{name} (ocean / o)" for name in ["ice", "sky", "thetao", "tos", "west"]))

    def choose(name, day=None):
        browser.value(f"field.value = Array.from(field.options).find(one => one.textContent.startsWith('{name}')).value; field.dispatchEvent(new Event('change'))")
        date = f"document.getElementById('what').textContent.includes(', 2000-01-0{day} ')" if day else "true"
        browser.wait_for(f"document.getElementById('what').textContent.startsWith('{name}') && {date}")
        return browser.value("document.getElementById('what').textContent")

    what = choose("thetao", 2)
    expect(f"what: {what}", what == "thetao, lev 1 of 3, 2000-01-02 00:00:00: record 4, 1740 values at 1800 of its cells")
    choose("tos", 3)
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

    # Pixels of HEALPix fill the globe. Of a region whose rows are no parallels, what other nodes write is left out.
    what = choose("sky", 5)
    expect(f"what: {what}", " values at 768 of its cells" in what and "other nodes" not in what)
    north, middle, south, gap, empty = browser.value(pixels)
    expect(f"colours of HEALPix: {north} {middle} {south} {gap} {empty}", north.startswith("25") and middle.startswith("3")
           and south.startswith("6") and gap == "150,150,150,90" and empty == 0)
    browser.picture("healpix.png")
    point = browser.value("document.getElementById('point').textContent")
    expect(f"the point is of the field before: {point}", point == "a click says the value at a place")
    what = choose("ice", 4)
    expect(f"what: {what}", what.endswith(": record 4, 800 values at 800 of its cells; 400 more are written on other nodes"))
    empty = browser.value(pixels)[4] / browser.value("canvas.width * canvas.height")
    expect(f"empty: {empty}", 0.05 < empty < 0.6)
    browser.picture("curvilinear.png")
    # Would have found the map of the field before under the name of one that is not here.
    what = choose("west")
    expect(f"what: {what}", what == "west: no cell has both its place and its values on this node")
    expect("the map is not blank", browser.value("canvas.width") == 1 and browser.value("document.getElementById('least').textContent") == "")

    # Looks come as the browser lets them. Would have found a minute's bytes counted as those of two seconds, a compressed file that
    # ends as written once more, lines that are kept for ever, and what is not shown not said.
    rates = browser.value("""(() => {
      let runs = newest;
      const key = runs.jobs[0].job + "/written";
      const look = (bytes, state) => {
        runs = structuredClone(runs);
        const file = runs.jobs[0].files[0];
        Object.assign(file, {bytes, state, age_s: file.age_s + 60});
        lookedAt = performance.now() - 60000;
        show(runs);
        return seen.get(key)[seen.get(key).length - 1];
      };
      look(1e6, "open");
      const out = [look(7e6, "open"), look(2e6, "done")];
      Object.assign(runs.jobs[0], {not_shown: 3});
      runs.pages_of_others = 2;
      show(runs);
      const text = document.getElementById("jobs").textContent;
      out.push(text.includes("no room for 3 contexts, files or waits") && text.includes("2 pages of other users"));
      show({jobs: [], problems: []});
      out.push(seen.size);
      return out;
    })()""")
    expect(f"rates: {rates}", 90e3 < rates[0] <= 100e3 and rates[1:] == [0, True, 0])
    choose("tos", 3)

    browser.fits_a_telephone("telephone.png")

    # The run ends: the last look at it stays, and so does its map. Then the server does.
    (folder / "seen").touch()
    while not (folder / "over").exists():
        time.sleep(0.02)
    browser.wait_for("document.getElementById('state').textContent.startsWith('the run is over')")
    expect("the last look", "daily.nc" in browser.text() and not browser.value("document.getElementById('map').hidden"))
    expect(f"faults: {browser.faults}", not browser.faults)
    # Would have found figures that stay, without a word, when no answer comes.
    browser.value("patience_ms = 500")
    live.send_signal(signal.SIGSTOP)
    browser.wait_for("document.getElementById('state').textContent.startsWith('no answer (none within 0.5 s)')")
    live.send_signal(signal.SIGCONT)
    browser.value("patience_ms = 10000")
    live.terminate()
    live.wait(20)
    browser.wait_for("document.getElementById('state').textContent.startsWith('no answer') && document.getElementById('state').className === 'bad'")
    browser.picture("over.png")
finally:
    browser.end()
    live.kill()
