#!/usr/bin/env bash
# One run of the toy model on emulated nodes, which on_nodes.sh has made.
#   node_case.sh <as in case.sh> <what> <settings> <expected texts> <model options...>
# <what>  run   it succeeds
#         apart:<n>  it succeeds, and n processes say once that memory is not shared
#         kill  all processes of the last node die: the job ends, and what has its final name is whole
#         stop  the processes of the last node stop for a while, and somebody says who is waited for
#         line  the line to the last node is cut for a while, and the same
source "$(dirname "${BASH_SOURCE[0]}")/../integration/case.sh"
[ -d "${NODE_HOLDERS:-}" ] || fail "not called by on_nodes.sh"
begin_case "$@"
what=$6 settings=$7 expected=$8
shift 8
write_iodef "$settings"
export EPIOS_LOG=info
last=$(find "$NODE_HOLDERS" -name '*.pid' | sort | tail -1)
says() { grep -Eq -- "$1" out.txt; }

# signal_last_node <signal>: to the programs of the job there.
signal_last_node() {
  local pid space
  space=$(readlink "/proc/$(cat "$last")/ns/net")
  for pid in $(pgrep -f "^$work/"); do
    [ "$(readlink "/proc/$pid/ns/net")" != "$space" ] || kill "-$1" "$pid"
  done
}

# Both directions.
cut_line() { ip link set "v$(find "$NODE_HOLDERS" -name '*.pid' | wc -l)" down; }
mend_line() { ip link set "v$(find "$NODE_HOLDERS" -name '*.pid' | wc -l)" up; }

case $what in
  run | apart:*)
    run_job 60 "$@"
    expect_success
    expect_text "$expected"
    expect_account
    expect_values . "$@"
    notes=$(grep -c 'no memory with' out.txt)
    wanted=${what#run}
    wanted=${wanted#apart:}
    [ "$notes" -eq "${wanted:-0}" ] || fail "said $notes times that memory is not shared"
    ;;
  kill)
    start_job 60 "$@"
    wait_for "the first file" test -s instant.nc.part.records
    sleep 0.3
    kill -KILL "$(cat "$last")"
    wait_for_end
    expect_failure
    expect_end_within 30
    expect_text "$expected"
    ls -l
    compgen -G '*.part' > /dev/null || fail "no file was open"
    expect_whole_files .
    ;;
  stop | line)
    start_job 60 "$@"
    wait_for "files were there" compgen -G 'instant.nc.part'
    if [ "$what" = stop ]; then signal_last_node STOP; else cut_line; fi
    wait_for "somebody said who waits" says "$expected"
    if [ "$what" = stop ]; then signal_last_node CONT; else mend_line; fi
    wait_for_end
    expect_success
    expect_account
    expect_values . "$@"
    ;;
  *) fail "unknown case: $what" ;;
esac
