// The page keeps what it has seen in the browser: the program has no memory of a run. All text of a
// run enters by textContent, so that no name of a field or file becomes markup.
#include "live/live_page.hpp"

namespace epios::config {
namespace {

constexpr std::string_view page_text = R"page(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>EPIOS runs</title>
<style>
:root { color-scheme: light dark; --line: #8884; --ink: #1f6fb5; --bad: #c0392b; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 0 auto; padding: 12px; max-width: 1100px; }
h1 { font-size: 1.3em; margin: 0; } h2 { font-size: 1.05em; margin: 1.2em 0 .3em; }
h3 { font-size: .95em; margin: 1em 0 .2em; font-weight: 600; }
#state { color: GrayText; } .bad { color: var(--bad); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: 2px 10px 2px 0; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
td:first-child, th:first-child { text-align: left; max-width: 60vw; overflow: hidden; text-overflow: ellipsis; }
svg { width: 100%; height: 90px; border: 1px solid var(--line); display: block; }
polyline { fill: none; stroke: var(--ink); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
li { margin: 2px 0; }
</style></head><body>
<h1>EPIOS runs</h1><div id="state" role="status">waiting for the first look</div><main id="jobs"></main>
<script>
"use strict";
const KEPT = 900, EVERY_MS = 2000;
const seen = new Map();  // "job/kind/name" -> samples of a line
let last = new Map();    // "job/kind/name" -> what the look before said
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
function note(key, value) {
  const line = seen.get(key) || [];
  line.push(value);
  if (line.length > KEPT) line.shift();
  seen.set(key, line);
  return line;
}
function plot(parent, title, line, most, text) {
  make("h3", title + ": " + text(line[line.length - 1]), parent);
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", "0 0 " + KEPT + " 100");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", title);
  const way = document.createElementNS(ns, "polyline");
  const left = KEPT - line.length;
  const top = most || Math.max(1, ...line);
  way.setAttribute("points", line.map((v, i) => (left + i) + "," + (98 - 96 * Math.min(1, v / top))).join(" "));
  svg.append(way);
  parent.append(svg);
}
function show(runs) {
  const main = document.getElementById("jobs");
  main.replaceChildren();
  const now = new Map();
  for (const job of runs.jobs) {
    const part = make("section", undefined, main);
    make("h2", "job " + job.job + (job.batch_job ? " (batch job " + job.batch_job + ")" : ""), part);
    if (job.processes_gone.length) {
      make("div", "ended without removing their pages (killed?): " + job.processes_gone.join(", "), part).className = "bad";
    }
    const contexts = job.contexts.map(of => {
      const key = job.job + "/context/" + of.component + "/" + of.context;
      now.set(key, of);
      const d = since(key, of, ["step", "open_s", "client_s", "blocked_s", "in_library_s"]);
      const blocked = share(d.blocked_s, d.client_s);
      if (!of.over) note(key, blocked);
      return {key, of, cells: [of.component + " / " + of.context, of.date + (of.over ? " (over)" : ""), of.step,
        d.open_s > 0 ? (d.step / d.open_s).toFixed(2) : "", of.clients, percent(blocked),
        percent(share(d.in_library_s, d.client_s)), percent(of.fullest_channel), of.records_sent, bytes(of.bytes_sent)]};
    });
    table(part, "contexts", ["component / context", "date", "step", "steps/s", "clients", "blocked", "in EPIOS", "fill",
      "records", "sent"], contexts);
    for (const one of contexts) {
      if (seen.has(one.key)) plot(part, "blocked, " + one.of.component + " / " + one.of.context, seen.get(one.key), 1, percent);
    }
    table(part, "servers", ["server", "process", "contexts", "receiving", "writing"], job.servers.map(of => {
      const key = job.job + "/server/" + of.rank + "/" + of.process;
      now.set(key, of);
      const d = since(key, of, ["open_s", "busy_s", "writing_s"]);
      return {cells: [of.rank + (of.over ? " (over)" : ""), of.process, of.contexts, percent(share(d.busy_s, d.open_s)),
        percent(share(d.writing_s, d.open_s))]};
    }));
    const order = {failed: 0, open: 1, done: 2};
    const files = job.files.slice().sort((a, b) => order[a.state] - order[b.state] || b.writing_s - a.writing_s);
    let added = 0;
    table(part, "files", ["file", "state", "written", "durable", "lost", "bytes", "writing s"], files.map(of => {
      const key = job.job + "/file/" + of.path;
      now.set(key, of);
      added += since(key, of, ["bytes"]).bytes;
      return {bad: of.state === "failed" || of.records_lost > 0, cells: [of.path, of.state, of.records_written,
        of.records_durable, of.records_lost, bytes(of.bytes), of.writing_s.toFixed(3)]};
    }));
    if (files.length) {
      plot(part, "data written to files", note(job.job + "/written", added / (EVERY_MS / 1000)), 0, v => bytes(v) + "/s");
    }
    if (job.waits.length) {
      make("h3", "waits", part);
      const list = make("ul", undefined, part);
      for (const of of job.waits) {
        make("li", of.who + ": " + of.seconds.toFixed(1) + " s" + (of.for ? " for " + of.for : "") + ": " + of.what, list);
      }
    }
  }
  for (const problem of runs.problems) make("div", problem, main).className = "bad";
  last = now;
  return runs.jobs.length;
}
let had = false;
async function look() {
  const state = document.getElementById("state");
  state.className = "";
  try {
    const answer = await fetch("runs.json", {cache: "no-store"});
    if (!answer.ok) throw new Error("status " + answer.status);
    const runs = await answer.json();
    // The last look at a run that is over stays.
    if (runs.jobs.length || !had) show(runs);
    const time = new Date().toLocaleTimeString();
    if (runs.jobs.length) state.textContent = time;
    else state.textContent = had ? "the run is over (" + time + "); below is the last look at it" : "no run of EPIOS on this node (" + time + ")";
    had = had || runs.jobs.length > 0;
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
