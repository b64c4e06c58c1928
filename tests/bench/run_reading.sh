#!/bin/bash
# Measures what reading costs and prints it as a table of medians.
#
# usage: run_reading.sh <build folder> [repeats, default 5] [folder for the files, default /dev/shm]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
needed=(bench_reading bench_raw_read)
. "$here/measure.sh"
client=$build/tests/bench/bench_reading
raw=$build/tests/bench/bench_raw_read
steps=50
# The session wants a configuration; all else the program defines itself.
echo '<simulation/>' > "$work/iodef.xml"
cd "$work"

# run <clients> <servers> <options...>: "name value" lines of bench_reading
run() {
  local clients=$1 servers=$2
  shift 2
  crowd $((clients + servers))
  timeout 300 "${pinned[@]}" "${ranked[@]}" "$launcher" -n "$clients" "$client" "$@" --folder "$work" : -n "$servers" "$server"
}
run_raw() { timeout 300 "${pinned[@]}" "$raw" "$@"; }

run 1 1 make --steps $steps >/dev/null
run_raw --path "$work/plain.nc" >/dev/null  # memory has been touched once

for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  out=$(run 2 1 stream --steps $steps --compute-ms 50)
  note blocked "$(calculate "$(value "$out" receive_mean_s) / $(value "$out" memcpy_s)")"
  note memcpy "$(calculate "$(value "$out" memcpy_s) * 1e3")"

  out=$(run 2 1 stream --steps $steps)
  raw_out=$(run_raw --path "$work/plain.nc")
  note throughput "$(calculate "$(value "$raw_out" wall_s) / $(value "$out" wall_s)")"
  note rate "$(calculate "$steps * 2 * $(value "$out" field_bytes) / $(value "$out" wall_s) / 1e6")"

  out=$(run 1 1 stream --steps $steps --compute-ms 50)
  note alone_blocked "$(calculate "$(value "$out" receive_mean_s) / $(value "$out" memcpy_s)")"
  out=$(run 1 1 stream --steps $steps)
  note alone "$(calculate "$(value "$out" receive_mean_s) / ($(value "$out" memcpy_s) + $(value "$raw_out" wall_s) / $steps)")"
  note alone_ms "$(calculate "$(value "$out" receive_mean_s) * 1e3")"

  out=$(run 2 1 stream --steps $steps --file deflate)
  raw_out=$(run_raw --path "$work/deflate.nc")
  note deflate "$(calculate "$(value "$raw_out" wall_s) / $(value "$out" wall_s)")"

  out=$(run 8 1 open)
  raw_out=$(run_raw --path "$work/many.nc" --open)
  note open "$(calculate "$(value "$out" open_s) / $(value "$raw_out" open_s)")"
  note open_raw "$(calculate "$(value "$raw_out" open_s) * 1e3")"

  out=$(run 1 1 forcing --compute-ms 50)
  note forcing "$(calculate "$(value "$out" receive_mean_s) * 1e6")"
  note forcing_copy "$(calculate "$(value "$out" memcpy_s) * 1e6")"
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row "50 records of 15.5 MB, 2 clients + 1 server, computing 50 ms per step: blocked per recv ÷ memcpy" "≤ 3" blocked
row "the same without computing: throughput ÷ raw read by one rank with NetCDF-C" "≥ 0.8" throughput
row "1 client + 1 server, computing 50 ms per step: blocked per recv ÷ memcpy" "≤ 1.3" alone_blocked
row "the same without computing ÷ (memcpy + raw read of a record)" "≤ 1" alone
row "the same, ms" "≤ 5" alone_ms
row "compressed (deflate 4): ÷ raw read by one rank" "≥ 1.2" deflate
row "opening a file of 2,000 variables by 8 clients + 1 server ÷ one serial open" "≤ 1.3" open
row "200 forcing fields of 64 kB, read hourly: per recv, µs" "≤ 10" forcing
row "of the first: memcpy of a client's part, ms" "" memcpy
row "throughput, MB/s" "" rate
row "one serial open, ms" "" open_raw
row "memcpy of 64 kB, µs" "" forcing_copy
