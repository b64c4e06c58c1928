// The page keeps lines over time in the browser: the program remembers the last figures alone. All
// text of a run enters by textContent, so that no name of a field or file becomes markup.
#include "live/live_page.hpp"

namespace epios::config {
namespace {

constexpr std::string_view page_text = R"page(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>EPIOS runs</title>
<style>
:root { color-scheme: light dark; --line: #8884; --ink: #1f6fb5; --bad: #c0392b; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 0 auto; padding: 12px; max-width: 1100px; overflow-wrap: anywhere; }
h1 { font-size: 1.3em; margin: 0; } h2 { font-size: 1.05em; margin: 1.2em 0 .3em; }
#scale span { white-space: nowrap; }
h3 { font-size: .95em; margin: 1em 0 .2em; font-weight: 600; }
#state { color: GrayText; } .bad, #state.bad { color: var(--bad); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: 2px 10px 2px 0; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
td:first-child, th:first-child { text-align: left; max-width: 60vw; overflow: hidden; text-overflow: ellipsis; }
svg { box-sizing: border-box; width: 100%; height: 90px; border: 1px solid var(--line); display: block; }
polyline { fill: none; stroke: var(--ink); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
li { margin: 2px 0; } ul { margin: .3em 0; padding-left: 1.4em; }
[hidden] { display: none; }
#map { max-width: 640px; } canvas { display: block; box-sizing: border-box; width: 100%; border: 1px solid var(--line); image-rendering: pixelated; }
#scale { display: flex; gap: 8px; align-items: center; max-width: 420px; margin: 4px 0; font-variant-numeric: tabular-nums; }
#bar { height: 14px; min-width: 0; } .strip { height: 34px; } .note { color: GrayText; font-size: .9em; }
select { font: inherit; max-width: 100%; }
.key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .8em; } .key:first-child { margin-left: 0; }
</style></head><body>
<h1>EPIOS runs</h1><div id="state" role="status">waiting for the first look</div><div id="alerts"></div><section id="map" hidden><h2>newest record of a field</h2>
<label>field <select id="field"></select></label>
<div id="what"></div><canvas id="canvas" role="img" aria-label="map"></canvas>
<div id="scale"><span id="least"></span><canvas id="bar" width="128" height="1" aria-hidden="true"></canvas><span id="most"></span></div>
<div id="point" class="note">a click says the value at a place</div></section>
<main id="jobs"></main>
<script>
"use strict";
const KEPT = 900, LEAST_COLUMNS = 120, EVERY_MS = 2000;
let patience_ms = 10000;
const seen = new Map();  // "job/kind/name" -> samples of a line
let last = new Map();    // "job/kind/name" -> what the look before said
let lookedAt = null;     // when that was: browsers look less often at what nobody sees
// Returns what there is at an address, with its status.
async function ask(address) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(new Error("none within " + patience_ms / 1000 + " s")), patience_ms);
  try {
    const answer = await fetch(address, {cache: "no-store", signal: giveUp.signal});
    return {status: answer.status, body: answer.ok ? await answer.json() : null};
  } finally {
    clearTimeout(timer);
  }
}
function make(tag, text, parent) {
  const out = document.createElement(tag);
  if (text !== undefined) out.textContent = text;
  if (parent) parent.append(out);
  return out;
}
function bytes(n) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let u = 0;
  while (n >= 1000 && u + 1 < units.length) { n /= 1000; ++u; }
  return (u === 0 ? n.toFixed(0) : n.toPrecision(3)) + " " + units[u];
}
const percent = share => (100 * share).toFixed(1) + " %";
const share = (part, whole) => whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
function table(parent, title, head, rows) {
  if (!rows.length) return;
  make("h3", title, parent);
  const box = make("div", undefined, parent);
  box.className = "wide";
  const out = make("table", undefined, box);
  const top = make("tr", undefined, make("thead", undefined, out));
  for (const word of head) make("th", word, top);
  const body = make("tbody", undefined, out);
  for (const row of rows) {
    const line = make("tr", undefined, body);
    if (row.bad) line.className = "bad";
    for (const cell of row.cells) make("td", cell, line);
  }
}
// What has changed since the look before, for figures that only grow.
function since(key, now, names) {
  const before = last.get(key) || {};
  const out = {};
  for (const name of names) {
    const from = before[name] === undefined || before[name] > now[name] ? 0 : before[name];
    out[name] = now[name] - from;
  }
  return out;
}
// What has been added to a file. One that is done has its size on disk, which may be less.
function growth(key, now) {
  const before = last.get(key);
  return before && before.age_s <= now.age_s ? Math.max(0, now.bytes - before.bytes) : now.bytes;
}
function note(key, value) {
  const line = seen.get(key) || [];
  line.push(value);
  if (line.length > KEPT) line.shift();
  seen.set(key, line);
  return line;
}
function plot(parent, title, line, text) {
  const most = Math.max(...line);
  make("h3", title + ": " + text(line[line.length - 1]) + ", at most " + text(most), parent);
  if (most <= 0) return;
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  const width = Math.max(LEAST_COLUMNS, line.length);
  svg.setAttribute("viewBox", "0 0 " + (width - 1) + " 100");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", title);
  const way = document.createElementNS(ns, "polyline");
  const left = width - line.length;
  way.setAttribute("points", line.map((v, i) => (left + i) + "," + (98 - 94 * v / most)).join(" "));
  svg.append(way);
  parent.append(svg);
}
// Per server: how busy its threads were since the look before, and what happened meanwhile.
const RECEIVING = "#0072b2", WRITING = "#cc79a7", DURABLE = "#009e73", WAITS = "#d55e00";
function strip(parent, title, line) {
  make("div", title, parent);
  const canvas = make("canvas", undefined, parent);
  const width = canvas.width = Math.max(LEAST_COLUMNS, line.length);
  canvas.height = 17;
  canvas.className = "strip";
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", title);
  const pen = canvas.getContext("2d");
  line.forEach((of, i) => {
    const x = width - line.length + i;
    const bar = (colour, top, height, share) => {
      pen.globalAlpha = share;
      pen.fillStyle = colour;
      pen.fillRect(x, top, 1, height);
    };
    bar(RECEIVING, 0, 6, of.receiving);
    bar(WRITING, 6, 6, of.writing);
    bar(DURABLE, 12, 2, of.durable ? 1 : 0);
    bar(WAITS, 14, 3, of.waited ? 1 : 0);
  });
}
function age(s) {
  const two = n => String(n).padStart(2, "0");
  s = Math.floor(s);
  return s >= 3600 ? Math.floor(s / 3600) + " h " + two(Math.floor(s / 60) % 60) + " min" :
    s >= 60 ? Math.floor(s / 60) + " min " + two(s % 60) + " s" : s + " s";
}
// What somebody should know at once: what failed, who was killed, who waits.
const LONG_WAIT_S = 5;
function alerts(parent, job, prefix) {
  const out = [];
  const add = (text, bad) => out.push([prefix + text, bad]);
  if (job.processes_gone.length) add("processes that ended early (killed?): " + job.processes_gone.join(", "), true);
  for (const of of job.files) {
    if (of.state === "failed") add("file " + of.path + " has failed", true);
    else if (of.records_lost > 0) add("file " + of.path + ": " + of.records_lost + " records are lost", true);
  }
  for (const line of job.log.filter(line => line.severity === "error").slice(-3)) add(line.text, true);
  for (const of of job.waits) {
    add(of.who + " waits" + (of.for ? " for " + of.for : "") + ", " + age(of.seconds) + ": " + of.what, of.seconds >= LONG_WAIT_S);
  }
  if (!out.length) return;
  const list = make("ul", undefined, parent);
  list.className = "alerts";
  for (const [text, bad] of out) make("li", text, list).className = bad ? "bad" : "";
}
function legend(parent, keys) {
  const line = make("div", undefined, parent);
  line.className = "note";
  for (const [colour, word] of keys) {
    const key = make("span", undefined, line);
    key.className = "key";
    key.style.background = colour;
    make("span", word, line);
  }
}
function timelines(parent, job, servers) {
  if (!servers.length) return;
  make("h3", "what servers do", parent);
  for (const one of servers) strip(parent, "server " + one.of.rank, seen.get(one.key) || []);
  legend(parent, [[RECEIVING, "receiving"], [WRITING, "writing"], [DURABLE, "records became durable"], [WAITS, "somebody waits for it"]]);
  make("div", "a column: a look, every " + EVERY_MS / 1000 + " s while the page is in front; the newest to the right", parent).className = "note";
}
function show(runs) {
  const main = document.getElementById("jobs");
  const places = Array.from(main.querySelectorAll(".wide"), box => box.scrollLeft);
  const top = document.getElementById("alerts");
  main.replaceChildren();
  top.replaceChildren();
  const now = new Map();
  const time = performance.now(), seconds = lookedAt === null ? 0 : (time - lookedAt) / 1000;
  lookedAt = time;
  for (const job of runs.jobs) {
    const part = make("section", undefined, main);
    make("h2", "job " + job.job + (job.batch_job ? " (batch job " + job.batch_job + ")" : ""), part);
    const over = !job.processes_here.length, ended = job.processes_ended.length;
    const here = job.processes_here.length + job.processes_gone.length + ended;
    make("div", here + " of " + job.processes + (job.processes === 1 ? " process" : " processes") + " here" +
      (over ? ", over" : ended ? " (" + ended + " ended)" : "") + ", " + age(job.age_s) +
      (here < job.processes ? ". What processes of other nodes do is not shown." : ""), part).className = "note";
    // Those of runs that are over, beside others, need not be first.
    const first = !over || job === runs.jobs[0];
    alerts(first ? top : part, job, first && runs.jobs.length > 1 ? "job " + job.job + ": " : "");
    const contexts = job.contexts.map(of => {
      const key = job.job + "/context/" + of.component + "/" + of.context;
      now.set(key, of);
      const d = since(key, of, ["step", "open_s", "client_s", "blocked_s", "in_library_s"]);
      const blocked = share(d.blocked_s, d.client_s);
      if (!of.over && !over) note(key, blocked);
      return {key, of, cells: [of.component + " / " + of.context, of.date + (of.over ? " (over)" : ""), of.step,
        d.open_s > 0 ? (d.step / d.open_s).toFixed(2) : "", of.clients, percent(blocked),
        percent(share(d.in_library_s, d.client_s)), percent(of.fullest_channel), of.records_sent, bytes(of.bytes_sent)]};
    });
    table(part, "contexts", ["component / context", "date", "step", "steps/s", "clients", "blocked", "in EPIOS", "fill",
      "records", "sent"], contexts);
    for (const one of contexts) {
      if (seen.has(one.key)) plot(part, "blocked, " + one.of.component + " / " + one.of.context, seen.get(one.key), percent);
    }
    const blocked = [];
    for (const of of job.contexts) {
      for (const field of of.blocked_fields) {
        const key = job.job + "/field/" + of.component + "/" + of.context + "/" + field.name;
        now.set(key, field);
        blocked.push({cells: [of.component + " / " + of.context, field.name, field.blocked_s.toFixed(2) + " s",
          percent(share(field.blocked_s, of.client_s)), since(key, field, ["blocked_s"]).blocked_s.toFixed(2) + " s"]});
      }
    }
    table(part, "fields that clients waited for most", ["component / context", "field", "blocked", "of the run", "now"], blocked);
    const grown = new Set();  // servers with files of which more is durable
    for (const of of job.files) {
      const before = last.get(job.job + "/file/" + of.path);
      if (of.records_durable > (before ? before.records_durable : 0)) of.servers.forEach(rank => grown.add(rank));
    }
    const servers = job.servers.map(of => {
      const key = job.job + "/server/" + of.rank + "/" + of.process;
      now.set(key, of);
      const d = since(key, of, ["open_s", "busy_s", "writing_s"]);
      const receiving = share(d.busy_s, d.open_s), writing = share(d.writing_s, d.open_s);
      const waited = job.waits.some(wait => (wait.for + " ").startsWith("server " + of.rank + " "));
      if (!of.over && !over) note(key, {receiving, writing, waited, durable: grown.has(of.rank)});
      return {key, of, cells: [of.rank + (of.over ? " (over)" : ""), of.process, of.contexts, percent(receiving), percent(writing)]};
    });
    table(part, "servers", ["server", "process", "contexts", "receiving", "writing"], servers);
    timelines(part, job, servers);
    const order = {failed: 0, open: 1, done: 2};
    const files = job.files.slice().sort((a, b) => order[a.state] - order[b.state] || b.writing_s - a.writing_s);
    let added = 0;
    table(part, "files", ["file", "state", "written", "durable", "lost", "bytes", "writing s"], files.map(of => {
      const key = job.job + "/file/" + of.path;
      now.set(key, of);
      if (last.size) added += growth(key, of);
      return {bad: of.state === "failed" || of.records_lost > 0, cells: [of.path, of.state, of.records_written,
        of.records_durable, of.records_lost, bytes(of.bytes), of.writing_s.toFixed(3)]};
    }));
    const written = job.job + "/written";
    now.set(written, {});
    if (files.length && !over) note(written, seconds > 0 ? added / seconds : 0);
    if (seen.has(written)) plot(part, "data written to files", seen.get(written), v => bytes(v) + "/s");
    if (job.not_shown) {
      make("div", "pages had no room for " + job.not_shown + " contexts, files or waits, which are not shown", part).className = "note";
    }
  }
  for (const job of runs.jobs) {
    if (!job.log.length) continue;
    make("h3", "log of the servers of " + job.job, main);
    const list = make("ul", undefined, main);
    for (const line of job.log.slice(-50)) {
      const item = make("li", line.text + " (" + line.severity + ", " + line.age_s.toFixed(0) + " s ago)", list);
      if (line.severity === "error") item.className = "bad";
    }
  }
  for (const problem of runs.problems) make("div", problem, main).className = "bad";
  if (runs.pages_of_others) {
    make("div", runs.pages_of_others + (runs.pages_of_others === 1 ? " page" : " pages") +
      " of other users, which only they can read", main).className = "note";
  }
  main.querySelectorAll(".wide").forEach((box, i) => { box.scrollLeft = places[i] || 0; });
  for (const key of seen.keys()) {
    if (!now.has(key)) seen.delete(key);  // of a job that is gone
  }
  last = now;
}
// The map. What is nearest to each pixel depends on coordinates alone, and is kept with them.
const field = document.getElementById("field"), canvas = document.getElementById("canvas");
let sample = null, nearest = null;
const radians = Math.PI / 180;
// From where to where the longitudes go: the widest gap is outside.
function extent(lons) {
  const sorted = lons.map(lon => ((lon % 360) + 360) % 360).sort((a, b) => a - b);
  let gap = sorted[0] + 360 - sorted[sorted.length - 1], start = sorted[0];
  for (let i = 1; i < sorted.length; ++i) {
    if (sorted[i] - sorted[i - 1] > gap) { gap = sorted[i] - sorted[i - 1]; start = sorted[i]; }
  }
  const pad = Math.max(gap < 30 ? gap / 2 : 0, (360 - gap) / 2 / Math.max(1, Math.sqrt(lons.length)));
  return gap < 2 * pad + 1 ? [start - gap / 2, start - gap / 2 + 360] : [start - pad, start + 360 - gap + pad];
}
function nearestOf(of) {
  const [west, east] = extent(of.lon);
  let south = Math.min(...of.lat), north = Math.max(...of.lat);
  const pad = Math.max(0.01, (north - south) / 2 / Math.max(1, Math.sqrt(of.lat.length)));
  south = Math.max(-90, south - pad);
  north = Math.min(90, north + pad);
  const width = 240, height = Math.round(Math.min(240, Math.max(40, width * (north - south) / (east - west))));
  const area = (east - west) * (Math.sin(north * radians) - Math.sin(south * radians)) / radians;
  const most = 4 * Math.max(area / of.lon.length, (pad * pad) / 4);  // of a squared distance
  const at = new Int32Array(width * height).fill(-1);
  for (let y = 0; y < height; ++y) {
    const lat = north - (y + 0.5) * (north - south) / height, narrow = Math.cos(lat * radians);
    for (let x = 0; x < width; ++x) {
      const lon = west + (x + 0.5) * (east - west) / width;
      let least = most, best = -1;
      for (let i = 0; i < of.lon.length; ++i) {
        const dy = of.lat[i] - lat;
        if (dy * dy >= least) continue;
        let dx = of.lon[i] - lon;
        dx = (dx - 360 * Math.round(dx / 360)) * narrow;
        const d = dx * dx + dy * dy;
        if (d < least) { least = d; best = i; }
      }
      at[y * width + x] = best;
    }
  }
  return {at, width, height, west, east, south, north};
}
const ramp = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];  // viridis
function colour(share) {
  const place = Math.min(1, Math.max(0, share)) * (ramp.length - 1), i = Math.min(ramp.length - 2, Math.floor(place));
  return ramp[i].map((from, c) => from + (ramp[i + 1][c] - from) * (place - i));
}
const number = value => Number(value.toPrecision(4)).toString();
function draw() {
  const has = sample.values.filter(value => value !== null);
  const least = has.reduce((a, b) => Math.min(a, b), Infinity), most = has.reduce((a, b) => Math.max(a, b), -Infinity);
  canvas.width = nearest.width;
  canvas.height = nearest.height;
  const pen = canvas.getContext("2d"), image = pen.createImageData(nearest.width, nearest.height);
  nearest.at.forEach((i, pixel) => {
    if (i < 0) return;
    const value = sample.values[i];
    const [r, g, b] = value === null ? [150, 150, 150] : colour(most > least ? (value - least) / (most - least) : 0.5);
    image.data.set([r, g, b, value === null ? 90 : 255], 4 * pixel);
  });
  pen.putImageData(image, 0, 0);
  const unit = sample.unit ? " " + sample.unit : "";
  const bar = document.getElementById("bar"), ink = bar.getContext("2d");
  for (let x = 0; x < bar.width; ++x) {
    ink.fillStyle = "rgb(" + colour(x / (bar.width - 1)).join(",") + ")";
    ink.fillRect(x, 0, 1, 1);
  }
  document.getElementById("least").textContent = has.length ? number(least) : "";
  document.getElementById("most").textContent = has.length ? number(most) + unit : "no values";
  document.getElementById("what").textContent = sample.field + (sample.level ? ", " + sample.level : "") + ", " + sample.date +
    ": record " + (sample.record + 1) + ", " + has.length + " values at " + sample.lon.length + " of its cells" +
    (sample.oldest_record < sample.record ? " (some still of record " + (sample.oldest_record + 1) + ")" : "") +
    (sample.elsewhere ? "; " + sample.elsewhere + " more are written on other nodes" : "");
  say();
  canvas.setAttribute("aria-label", "map of " + sample.field +
    (has.length ? " from " + number(least) + " to " + number(most) + unit : ", no values"));
}
// Nothing can be drawn of the field that is chosen.
function blank(why) {
  sample = nearest = asked = null;
  canvas.width = canvas.height = 1;
  for (const id of ["least", "most"]) document.getElementById(id).textContent = "";
  document.getElementById("what").textContent = why;
  canvas.setAttribute("aria-label", why);
  say();
}
const same = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);
async function map(runs) {
  const chosen = field.value;
  const options = [];
  for (const job of runs.jobs) {
    for (const of of job.maps) {
      if (of.record < 0) continue;
      const query = new URLSearchParams({job: job.job, component: of.component, context: of.context, field: of.field});
      options.push([query.toString(), of.field + " (" + of.component + " / " + of.context + (runs.jobs.length > 1 ? ", " + job.job : "") + ")"]);
    }
  }
  if (!options.length) return;
  if (!same(options.map(one => one[0]), Array.from(field.options, one => one.value))) {
    field.replaceChildren();
    for (const [value, text] of options) make("option", text, field).value = value;
    if (options.some(one => one[0] === chosen)) field.value = chosen;
  }
  document.getElementById("map").hidden = false;
  const wanted = field.value;
  const answer = (await ask("map.json?" + wanted)).body;
  if (!answer || field.value !== wanted) return;
  if (!answer.lon.length) return blank(answer.field + ": no cell has both its place and its values on this node");
  const before = sample;
  sample = answer;
  if (!before || !same(before.lon, sample.lon) || !same(before.lat, sample.lat)) nearest = nearestOf(sample);
  draw();
}
let newest = null, asked = null;  // the pixel that was clicked
field.addEventListener("change", () => { asked = null; if (newest) map(newest).catch(() => {}); });
canvas.addEventListener("click", event => {
  if (!nearest) return;
  const box = canvas.getBoundingClientRect();
  const x = Math.min(nearest.width - 1, Math.floor((event.clientX - box.left) / box.width * nearest.width));
  const y = Math.min(nearest.height - 1, Math.floor((event.clientY - box.top) / box.height * nearest.height));
  asked = y * nearest.width + x;
  say();
});
function say() {
  const text = document.getElementById("point");
  if (asked === null || !nearest) { text.textContent = "a click says the value at a place"; return; }
  const i = nearest.at[asked];
  if (i === undefined || i < 0) { text.textContent = "no cell of the sample there"; return; }
  const value = sample.values[i];
  text.textContent = "longitude " + number(sample.lon[i]) + ", latitude " + number(sample.lat[i]) + ": " +
    (value === null ? "missing" : number(value) + (sample.unit ? " " + sample.unit : ""));
}
async function look() {
  const state = document.getElementById("state");
  state.className = "";
  try {
    const answer = await ask("runs.json");
    if (!answer.body) throw new Error("status " + answer.status);
    const runs = answer.body;
    show(runs);
    const time = new Date().toLocaleTimeString();
    state.textContent = !runs.jobs.length ? "no run of EPIOS on this node (" + time + ")" :
      runs.jobs.every(job => !job.processes_here.length) ? "the run is over (" + time + "); these are its last figures" : time;
    newest = runs;
    await map(runs);
  } catch (error) {
    state.textContent = "no answer (" + error.message + "). Has epios live ended?";
    state.className = "bad";
  }
  setTimeout(look, EVERY_MS);
}
look();
</script></body></html>
)page";

}  // namespace

std::string_view live_page() { return page_text; }

}  // namespace epios::config
