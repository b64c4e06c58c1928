#!/usr/bin/env bash
# What `epios advise` makes of the report of a short run can be started, and what it cannot answer it says. Times are not looked at.
#   advise_case.sh <as in case.sh> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
shift 5
write_iodef '<!-- defaults -->'
export EPIOS_SET='record=calls; record_data=sizes' EPIOS_REPORT=run.json
run_job 50 "$@"
unset EPIOS_SET EPIOS_REPORT
expect_success

# advise [options...]: leaves `status` and out.txt.
advise() {
  timeout -k 5 60 "$bin/epios" advise iodef.xml --context toy --set domain:d.ni_glo=20 --set domain:d.nj_glo=14 \
    --set domain:d_masked.ni_glo=20 --set domain:d_masked.nj_glo=14 --set axis:levels.n_glo=3 "$@" > out.txt 2>&1
  status=$?
  cat out.txt
}

advise --nodes 1 --per-node 4 --clients 2 --report run_toy.json
expect_success
expect_text "^context 'toy': [0-9]+ steps on 1 node with 4 processors each$
^advice: (no servers|1 server|2 servers) \(.*\), one level, 2 clients$
^  mpiexec -n 2 model
^  expected: .*, of which clients wait [0-9.]+ % for room in channels; the busiest server is busy for [0-9]+ %$
^  why: .*[0-9] server
^chunks: the largest field, 'temp', gets chunks of 3 x 14 x 20
^compression: compression_level=1 for all files
^buffers: buffer_bytes of 2147483648 suffices
^ +0 +0 +2 .* [0-9.]+ % +[0-9]+ %$
^epios: note: the run of 'run_toy.json' wrote too little to say how fast a server writes: 1000 MB/s are assumed \(--disk-rate\)$"

advise --nodes 1 --per-node 4 --clients 2 --report run_toy.json --disk-rate 500 --json
expect_success
best=$(/usr/bin/python3 -c '
import json, sys
answer = json.load(open("out.txt"))
best = answer["advice"]
assert best["clients"] == 2 and 0 <= best["blocked_share"] <= 1, best
assert [one["servers"] for one in answer["compared"]] == [0, 1, 2], answer["compared"]
assert all(one["total_s"] >= best["total_s"] / 1.03 for one in answer["compared"])
assert set(answer["remarks"]) == {"chunks", "compression", "buffers"} and answer["why"], answer
print(best["servers"])') || fail "another answer for programs"
timeout -k 5 60 "$bin/epios" replay calls --mpiexec "$mpiexec" --folder advised --servers "$best" > out.txt 2>&1
status=$?
cat out.txt
expect_success
[ "$(ls advised/*.nc | wc -l)" -eq 3 ] || fail "the advised layout writes other files"

# From the recording itself, whose own folder stays as it is. Would have found advice that plays it into the folder of the run.
before=$(ls . calls)
advise --nodes 1 --per-node 4 --clients 2 --recording calls/ --mpiexec "$mpiexec" --disk-rate 500
expect_success
expect_text "^advice: (no servers|1 server|2 servers) \(.*\), one level, 2 clients$"
[ "$before" = "$(ls . calls)" ] || fail "advice has left files: $(ls . calls)"

# refused <text> [options...]
refused() {
  local text=$1
  shift
  advise "$@"
  [ "$status" -eq 2 ] || fail "status $status instead of 2"
  expect_text "$text"
}
refused '^epios: nothing says how long the model computes for a time step \(a layout suits the time between outputs\)\. Give --step-time, or the --report or --recording of a short run\?$' --nodes 1 --per-node 4
refused '^epios: 9 clients are more than 2 nodes with 4 processors each have\. Give fewer --clients, or more --nodes\?$' --nodes 2 --per-node 4 --clients 9 --step-time 1
refused '^epios: 3 clients cannot be in each process \(--threads; a node has 4 processors\)\. Choose another number\?$' --nodes 2 --per-node 4 --clients 8 --threads 3 --step-time 1
refused "^epios: report 'none.json' cannot be read \(it is not there, or empty\)\. Is it what a run wrote for report_file, or EPIOS_REPORT\?$" --nodes 1 --per-node 4 --report none.json
echo '{"epios_report": 99}' > later.json
refused "^epios: report 'later.json': " --nodes 1 --per-node 4 --report later.json
sed 's/"toy"/"other"/' run_toy.json > other.json
refused "^epios: the report of component 'other' has no records of context 'toy' \(its files have other ids, or it ended before the first\)\. Is it a run of this configuration\?$" --nodes 1 --per-node 4 --report other.json
refused "^epios: recording 'none' cannot be played \(there is no such folder\)\. Does epios replay play it\?$" --nodes 1 --per-node 4 --recording none
mkdir empty
refused "^epios: recording 'empty' cannot be played \(epios replay has failed, as it says above\)\. Does epios replay play it\?$" --nodes 1 --per-node 4 --recording empty
expect_text "^epios replay: folder '.*/empty' has no recording"
refused "^epios: --report excludes --recording" --nodes 1 --per-node 4 --recording calls --report run_toy.json
refused "^epios: --duration: " --nodes 1 --per-node 4 --step-time 1 --duration soon
refused 'not expected: .*--disc-rate' --nodes 1 --per-node 4 --step-time 1 --disc-rate 5
refused "disk-rate" --nodes 1 --per-node 4 --step-time 1 --disk-rate -5
