#!/bin/bash
# What a second level of servers costs, and prints it as a table of medians: wall time of 4 clients that send 50 records of
# 15.5 MB without computing, through 2 gatherers and 1 server that writes, against 1 server.
#
# usage: run_levels.sh <build folder> [repeats, default 5] [folder for the files, default /dev/shm]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
needed=(bench_stream)
. "$here/measure.sh"
steps=50
sed 's|<simulation>|& <context id="xios"><variable_definition><variable id="using_server2">true</variable></variable_definition></context>|' \
  "$here/bench_stream.xml" >"$notes/levels.xml"

# run <XML> <servers>: "name value" lines of bench_stream
run() {
  rm -f "$work"/*.nc*
  crowd 5
  timeout 300 "${pinned[@]}" "${ranked[@]}" "$launcher" -n 4 "$build/tests/bench/bench_stream" --iodef "$1" --output "$work" --steps $steps \
    : -n "$2" "$server" 2>"$notes/words" || fail "the run has failed: $(cat "$notes/words")"
}

run "$here/bench_stream.xml" 1 >/dev/null  # memory has been touched once
for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  one=$(run "$here/bench_stream.xml" 1)
  two=$(run "$notes/levels.xml" 3)
  grep -q 'gathering: servers 0 and 1; writing for these: server 2' "$notes/words" || fail "there are not two levels"
  note ratio "$(calculate "$(value "$two" wall_s) / $(value "$one" wall_s)")"
  note blocked "$(calculate "$(value "$two" send_mean_s) / $(value "$one" send_mean_s)")"
  note one "$(value "$one" wall_s)"
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row "4 clients + (2 gatherers + 1 server that writes) ÷ 4 clients + 1 server, wall time on two cores" "≤ 1.5" ratio
row "the same, time per send" "" blocked
row "one level, s" "" one
