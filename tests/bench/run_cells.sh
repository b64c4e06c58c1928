#!/bin/bash
# Measures the figures of docs/performance.md about any grid and prints them as a table of medians.
#
# usage: run_cells.sh <build folder> [repeats, default 5] [folder for the files, default /dev/shm]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
needed=(bench_cells bench_opening)
. "$here/measure.sh"
client=$build/tests/bench/bench_cells
cd "$work"
echo '<simulation><context id="bench"/></simulation>' >iodef.xml

# run <clients> <options...>: "name value" lines of bench_cells
run() {
  local clients=$1
  shift
  crowd $((clients + 1))
  rm -f "$work"/*.nc*
  timeout 300 "${pinned[@]}" "${ranked[@]}" "$launcher" -n "$clients" "$client" "$@" : -n 1 "$server"
}

for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  out=$(run 2 --order blocks --steps 20)
  note blocks "$(calculate "$(value "$out" send_s) / $(value "$out" memcpy_s)")"
  out=$(run 2 --order random --steps 20)
  note random "$(calculate "$(value "$out" send_s) / $(value "$out" gather_s)")"
  note random_copy "$(calculate "$(value "$out" send_s) / $(value "$out" memcpy_s)")"
  for cells in 60000 300000; do
    out=$(run 1 --order random --cells $cells --steps 20 --compute-ms 50)
    note random_$cells "$(calculate "$(value "$out" send_s) / $(value "$out" gather_s)")"
  done
  for cells in 100000 1000000 10000000; do
    out=$(run 2 --order random --coordinates --cells $cells --levels 1 --steps 0)
    note close_$cells "$(value "$out" close_definition_s)"
  done
  note close_growth "$(calculate "$(value "$out" close_definition_s) / 10 / $(tail -1 "$notes/close_1000000")")"
  small=(--order box --cells 1000 --levels 1 --fields 200 --steps 40 --compute-ms 20)
  "$build/config/epios" live --port 0 >/dev/null &
  watcher=$!
  watched=$(value "$(run 1 "${small[@]}")" send_s)
  kill "$watcher"
  wait "$watcher" || true
  note watched "$(calculate "$watched / $(value "$(EPIOS_PAGE=0 run 1 "${small[@]}")" send_s)")"
  out=$(run 1 "${small[@]}")
  note small "$(calculate "($(value "$out" send_s) - $(value "$out" memcpy_s)) * 1e6")"
  out=$(run 1 --order box --cells 64800 --levels 30 --steps 30 --compute-ms 50 --borrow)
  note borrowed "$(calculate "$(value "$out" send_s) / $(value "$out" memcpy_s)")"
  out=$(run 1 --order box --cells 64800 --levels 30 --steps 30 --compute-ms 50)
  note sent "$(calculate "$(value "$out" send_s) / $(value "$out" memcpy_s)")"
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row "10^6 cells × 10 levels in random blocks of 1,000, 2 clients: blocked per send ÷ memcpy" "≤ 3" blocks
row "the same, wholly random ÷ a bare gather loop" "≤ 1.5" random
row "the same ÷ memcpy" "" random_copy
row "60,000 random cells × 10 levels, 1 client ÷ a bare gather loop" "≤ 1.15" random_60000
row "300,000 random cells × 10 levels, the same" "≤ 1.15" random_300000
row "end of definitions, 10^5 cells with coordinates and corners, s" "" close_100000
row "the same, 10^6 cells, s" "≤ 1" close_1000000
row "the same, 10^7 cells, s" "" close_10000000
row "10^7 cells ÷ 10^6 cells, per cell" "≤ 1.15" close_growth
row "200 fields of 1,000 points: time per send above the copy, µs" "≤ 1.2" small
row "the same, with a page of counters and \`epios live\` beside it ÷ without: time per send" "≤ 1.05" watched
row "borrowed field of 15.5 MB: blocked per send ÷ memcpy" "≤ 0.05" borrowed
row "the same field, sent ÷ memcpy" "" sent
echo
"$build/tests/bench/bench_opening"
