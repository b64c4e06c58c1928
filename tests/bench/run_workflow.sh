#!/bin/bash
# What happens to values in a client, and what calls and compression cost: programs that measure against a limit by
# themselves. Prints a table of medians.
#
# usage: run_workflow.sh <build folder> [repeats, default 5] [folder for the files, default /dev/shm]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
needed=(bench_workflow bench_deflate)
. "$here/measure.sh"

for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  "${pinned[@]}" "$build/tests/bench/bench_workflow" >>"$notes/rows"
  "${pinned[@]}" "$build/tests/bench/bench_deflate" --folder "$work" --repetitions 1 >"$work/deflate"
  note zlib "$(awk '/^ratio of times/ {print $4}' "$work/deflate")"
  note deflate "$(calculate "$(awk '/^data/ {megabytes = $2} /^file/ {print megabytes / $2}' "$work/deflate")")"
  note zarr "$(awk '/^zarr/ {print $6}' "$work/deflate")"
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row "373 MB with shuffle and deflate 1 ÷ zlib alone by one thread" "≤ 0.5" zlib
row "the same, s" "≤ 0.25" deflate
row "zarr with zstd ÷ NetCDF-4 with deflate" "≤ 0.8" zarr
# Rows of one run follow each other in the same order in each.
awk -F ' *[|] *' -v repeats="$repeats" '
  {rows[NR] = "| " $2 " | " $3; values[NR] = $4}
  END {
    count = NR / repeats
    for (r = 1; r <= count; ++r) {
      for (n = 0; n < repeats; ++n) v[n + 1] = values[n * count + r]
      for (i = 2; i <= repeats; ++i) for (k = i; k > 1 && v[k - 1] > v[k]; --k) {t = v[k]; v[k] = v[k - 1]; v[k - 1] = t}
      printf "%s | %s | %s to %s |\n", rows[r], v[int((repeats + 1) / 2)], v[1], v[repeats]
    }
  }' "$notes/rows"
