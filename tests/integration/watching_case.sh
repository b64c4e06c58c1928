#!/usr/bin/env bash
# A run that somebody watches with `epios top`, or in a browser, from outside and without any setting.
#   watching_case.sh <as in case.sh> <kind>
source "$(dirname "$0")/case.sh"
begin_case "$@"
kind=$6

# The pages of this job: those of processes whose program is in this folder.
pages() {
  local pid
  for pid in $(pgrep -f "^$work/(toy_model|epios_server)"); do
    find /dev/shm -name "epios-page-*-$pid-*"
  done
}
# shows <extended regular expression> [options...]: of a look at the job
shows() {
  local text=$1
  shift
  "$bin/epios" top --job "$name" "$@" > top.txt || fail "epios top: $(cat top.txt)"
  grep -Eq -- "$text" top.txt
}
# has <expression of Python>: it is true of the job, as JSON
has() {
  "$bin/epios" top --json --job "$name" |
    /usr/bin/python3 -c 'import json, sys; job = json.load(sys.stdin)["jobs"][0]; sys.exit(not eval(sys.argv[1]))' "$1"
}
# Sets name to that of the job, which the page of its server has.
find_name() {
  local first
  first=$(pages | head -n 1 | sed -E 's/.*epios-page-([0-9]+)-.*/\1/')
  [ -n "$first" ] || return 1
  name=$(uname -n)-$first
  shows "\"job\": \"$name\"" --json
}

# Starts `epios live` for this job, and opens its page in a browser: as watched_in_browser.py.
watch_in_browser() {
  "$bin/epios" live --job "$name" --port 0 > address.txt &
  live=$!
  trap 'kill "$live"; end_case' EXIT
  wait_for "it was seen there" is_seen_there
}
is_seen_there() {
  [ -s address.txt ] && grep -q '"job"' < <("$bin/epios" top --json --connect "$(cat address.txt)")
}
browser() {
  local result=0
  timeout -k 5 150 /usr/bin/python3 "$here/watched_in_browser.py" "$work" "$@" || result=$?
  [ $result -ne 77 ] || skip "no browser"
  [ $result -eq 0 ] || fail "in the browser (status $result)"
}

write_iodef '<variable id="metrics_file">run.prom</variable><variable id="report_file">run.json</variable>'
steps=300
[[ $kind != browser_stopped && $kind != browser_failed ]] || steps=60  # the browser may come later
start_watched() {
  start_job 80 --nx 300 --ny 300 --steps "$steps"
  wait_for "files were there" compgen -G 'instant.nc.part'
  wait_for "there was a page" find_name
}
[ "$kind" != browser_failed ] || limit_file_size 32768
start_watched
case $kind in
  browser_stopped)
    wait_for "a record was written" shows '"records_written": [1-9]' --json
    server=$(pgrep -n -f "^$work/epios_server")
    kill -STOP "$server"
    watch_in_browser
    browser stopped "$server"
    wait_for_end
    expect_success
    ;;
  browser_failed)
    watch_in_browser
    wait_for_end
    expect_failure
    browser failed
    ;;
  browser_killed)
    wait_for "the model had come to a step" shows '"step": [1-9]' --json
    watch_in_browser
    kill_one toy_model
    browser killed
    ;;
  stopped_server)
    [ "$(pages | wc -l)" -eq $((processes + servers)) ] || fail "not one page per process: $(pages)"
    [ "$(pages | xargs stat -c %a | sort -u)" = 600 ] || fail "others may read pages"
    wait_for "the model had come to a step" shows '"step": [1-9]' --json
    wait_for "a record was written" shows '"records_written": [1-9]' --json
    shows '"context": "toy"' --json || fail "no context"
    shows "\"clients\": $processes" --json || fail "not all clients"
    server=$(pgrep -n -f "^$work/epios_server")
    kill -STOP "$server"
    wait_for "a client's wait was shown" \
      shows "client [01] of 'toy': [0-9.]+ s for server 0: room on the way to it for field '[a-z_]+' of context 'toy'" --once
    kill -CONT "$server"
    wait_for "the field that was waited for was shown" \
      has 'any(field["blocked_s"] > 0 and field["name"] for c in job["contexts"] for field in c["blocked_fields"])'
    wait_for "there was a map of a record" has 'any(of["record"] >= 0 and of["date"] for of in job["maps"])'
    left=$(pages)
    wait_for_end
    expect_success
    for page in $left; do [ ! -e "$page" ] || fail "left behind: $page"; done
    # The report has the wait, too. The slowest step is one of the first client, which need not have waited.
    /usr/bin/python3 -c '
import json
context, = json.load(open("run_toy.json"))["contexts"]
blocked, slowest = context["blocked"], context["slowest_step"]
columns = -(-300 // blocked["steps_per_column"])
assert len(blocked["shares"]) == len(blocked["seconds"]) == columns and max(blocked["shares"]) > 0, blocked
assert any(span["seconds"] > 0 for span in slowest["spans"]) and slowest["date"], slowest
print(slowest["spans"][0]["kind"])
' > kind.txt || fail "the report lacks the wait: $(cat run_toy.json)"
    "$bin/epios" report run_toy.json > table.txt || fail "no table"
    grep -q "| $(cat kind.txt) " table.txt || fail "no waterfall: $(cat table.txt)"
    grep -Eq '^epios_steps_total\{job_id="[^"]+",component="toy",context="toy"\} [0-9]+$' run.prom || fail "no metrics"
    [ "$(tail -n 1 run.prom)" = "# EOF" ] || fail "metrics are not whole"
    shows "^no run of EPIOS on this node" --once || fail "still shown: $(cat top.txt)"
    ;;
  killed)
    # Any other run on this node (of a test beside this one) cleans up, too: then once more.
    for attempt in 1 2 3 4; do
      left=$(pages)
      kill_one toy_model
      expect_failure
      shows "ended early .killed.." --once && break
      [ "$(ls $left 2> /dev/null | wc -l)" -eq 0 ] || fail "not said: $(cat top.txt)"
      [ "$attempt" -lt 4 ] || fail "no page is left to clean up"
      rm -f ./*.part*
      start_watched
    done
    run_job 50 --steps 2
    expect_success
    for page in $left; do [ ! -e "$page" ] || fail "not cleaned up: $page"; done
    ;;
  *) fail "unknown kind: $kind" ;;
esac
