#!/bin/bash
# Measures what stores of Zarr cost, beside NetCDF-4 and a plain file (docs/performance.md, "Zarr"), and prints a table of medians.
#
# usage: run_zarr.sh <build folder> [repeats, default 5] [folder for the files, default /dev/shm]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
needed=(bench_stream bench_files)
. "$here/measure.sh"
steps=50   # of doubles: 777 MB
singles=48 # of floats: 373 MB

# stream <file of bench_stream.xml> <options...>: seconds of one client and one server, which do nothing else
stream() {
  local file=$1
  shift
  rm -rf "$work"/*
  value "$(timeout 300 "${pinned[@]}" "$launcher" -n 1 "$build/tests/bench/bench_stream" --iodef "$here/bench_stream.xml" \
    --output "$work" --file "$file" "$@" : -n 1 "$server")" wall_s
}
plain() {
  rm -rf "$work"/*
  value "$(timeout 300 "${pinned[@]}" "$build/tests/bench/bench_files" pwrite --records "$1" --folder "$work")" wall_s
}

stream zarr --steps $steps >/dev/null # memory has been touched once
for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  limit=$(plain $steps)
  for store in zarr zarr3; do
    note $store "$(calculate "$(stream $store --steps $steps) / $limit")"
  done
  deflate=$(stream deflate --steps $singles --smooth)
  note deflate "$(calculate "$deflate * 1e3")"
  for store in zarr_zstd zarr3_zstd; do
    note $store "$(calculate "$(stream $store --steps $singles --smooth) / $deflate")"
  done
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row "\`zarr\`, uncompressed, 777 MB, 1 client + 1 server ÷ \`pwrite\` of the same bytes by one thread" "≤ 1.3" zarr
row "\`zarr3\` with 10 records in a shard, the same" "≤ 1.3" zarr3
row "\`zarr\`, zstd 1 with shuffle, 373 MB of floats, 1 + 1 ÷ NetCDF-4 with deflate 1 of the same" "≤ 0.8" zarr_zstd
row "\`zarr3\`, blosc_zstd 1 with 12 records in a shard, the same" "" zarr3_zstd
row "NetCDF-4 with deflate 1 of those 373 MB, ms" "" deflate
