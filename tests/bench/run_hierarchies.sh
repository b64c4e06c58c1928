#!/bin/bash
# Measures what coarser levels cost (docs/hierarchies.md, "Cost"), and prints a table of medians.
#
# usage: run_hierarchies.sh <build folder> [repeats, default 5] [folder for the files, default /dev/shm]
#
# The field of 360 x 180 x 30 doubles goes to HEALPix of nside 64 and four coarser levels. The script to compare with needs xarray and
# zarr for /usr/bin/python3; without them its row is left out.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
needed=(bench_stream)
. "$here/measure.sh"
steps=50
python=(/usr/bin/python3 "$here/levels_afterwards.py")
has_script=0
! /usr/bin/python3 -c "import xarray, zarr" 2>/dev/null || has_script=1

# stream <file of bench_stream.xml> <options...>: "name value" lines of one client and one server
stream() {
  local file=$1
  shift
  rm -rf "${work:?}"/*
  (cd "$notes" && timeout 300 "${pinned[@]}" "$launcher" -n 1 "$build/tests/bench/bench_stream" --iodef "$here/bench_stream.xml" \
    --output "$work" --file "$file" "$@" : -n 1 "$server")
}
now_s() { date +%s.%N; }

stream pixels_weights --steps 1 --levels 1 >/dev/null # leaves the weights in "$notes"
for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  raw=$(stream every_step --steps $steps --compute-ms 50)
  for file in pixels_server pixels_levels_server; do
    remapped=$(stream $file --steps $steps --compute-ms 50)
    for what in mean median; do
      note ${what}_$file "$(calculate "$(value "$remapped" send_${what}_s) / $(value "$raw" send_${what}_s)")"
    done
  done
  for place in "" _server; do
    alone=$(stream "pixels$place" --steps $steps --compute-ms 1)
    levels=$(stream "pixels_levels$place" --steps $steps --compute-ms 1)
    for what in client_anonymous_kb server_anonymous_kb wall_s; do
      note "$what$place" "$(calculate "$(value "$levels" $what) / $(value "$alone" $what)")"
    done
    cpu_s() { calculate "$(value "$1" client_cpu_s) + $(value "$1" server_cpu_s)"; }
    note "cpu$place" "$(calculate "$(cpu_s "$levels") / $(cpu_s "$alone")")"
  done
  ((has_script)) || continue
  start=$(now_s)
  stream pixels_levels_server --steps $steps >/dev/null
  job=$(calculate "$(now_s) - $start")
  start=$(now_s)
  stream every_step --steps $steps >/dev/null
  "${pinned[@]}" "${python[@]}" "$work/bench_every_step.nc" "$notes/weights.nc" 64 5 "$work"
  note script "$(calculate "$job / ($(now_s) - $start)")"
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row "servers interpolate to HEALPix and write 5 levels: blocked per send ÷ raw send" "≤ 1.1" mean_pixels_levels_server
row "the same, 1 level" "" mean_pixels_server
row "the median send of each, 5 levels" "" median_pixels_levels_server
row "the median send of each, 1 level" "" median_pixels_server
row "5 levels ÷ 1, all made by the client: private memory (RssAnon) of the client" "≤ 1.4" client_anonymous_kb
row "the same of the server" "≤ 1.4" server_anonymous_kb
row "CPU of both" "≤ 1.4" cpu
row "wall time" "" wall_s
row "5 levels ÷ 1, all made by the server: private memory of the client" "≤ 1.4" client_anonymous_kb_server
row "the same of the server" "≤ 1.4" server_anonymous_kb_server
row "CPU of both" "≤ 1.4" cpu_server
row "wall time" "" wall_s_server
((!has_script)) ||
  row "job that writes 5 levels ÷ a job that writes the model's grid, and a script with xarray and zarr that makes the levels" "≤ 0.2" script
