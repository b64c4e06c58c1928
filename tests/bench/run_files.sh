#!/bin/bash
# Measures what files cost (docs/performance.md, "Files") and prints a table of medians.
#
# usage: run_files.sh <build folder> [repeats, default 5] [folder for the files, default /dev/shm]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
needed=(bench_stream bench_files)
. "$here/measure.sh"
client=$build/tests/bench/bench_stream
files=$build/tests/bench/bench_files
steps=50

# stream <file of bench_stream.xml> <options...>: "name value" lines of one client and one server
stream() {
  local file=$1
  shift
  rm -rf "$work"/*
  timeout 300 "${pinned[@]}" "$launcher" -n 1 "$client" --iodef "$here/bench_stream.xml" --output "$work" --file "$file" "$@" \
    : -n 1 "$server"
}
alone() { rm -rf "$work"/*; timeout 300 "${pinned[@]}" "$files" "$@" --folder "$work"; }

stream every_step --steps $steps >/dev/null  # memory has been touched once
for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  limit=$(value "$(alone pwrite --records $steps)" wall_s)
  note limit "$(calculate "$limit * 1e3")"
  for format in every_step cdf5 cdf5_two; do
    wall=$(value "$(stream $format --steps $steps)" wall_s)
    note "$format" "$(calculate "$wall / $limit")"
    [[ $format != cdf5 ]] || one=$wall
  done
  note two "$(calculate "$wall / $one")"
  note zarr "$(calculate "$(value "$(stream zarr --steps $steps)" wall_s) / $limit")"
  for format in netcdf4 cdf5; do
    out=$(alone opening --format $format)
    note "opening_$format" "$(value "$out" wall_ms)"
    out=$(alone memory --format $format --records 2000 --fields 500)
    note "memory_$format" "$(value "$out" bytes_per_record_and_variable)"
    [[ $format == netcdf4 ]] && split=split || split=split_cdf5
    out=$(stream $split --steps $steps --compute-ms 50)
    note "gap_$format" "$(calculate "$(value "$out" send_max_s) / $(value "$out" send_median_s)")"
  done
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row "NetCDF-4, 777 MB, 1 client + 1 server, no computing ÷ \`pwrite\` of the same bytes by one thread" "≤ 1.5" every_step
row "\`cdf5\`, the same" "≤ 1.25" cdf5
row "\`cdf5\`, 2 writing endpoints ÷ 1" "≤ 0.65" two
row "\`zarr\`, as the first row" "≤ 1.3" zarr
row "1,000 files of 10 fields, one record each: open, write, close a file, ms" "≤ 3" opening_netcdf4
row "the same, \`cdf5\`" "≤ 3" opening_cdf5
row "2,000 records × 500 small variables: memory per record and variable, bytes" "≤ 16" memory_netcdf4
row "the same, \`cdf5\`" "≤ 16" memory_cdf5
row "parts of 10 records, 50 ms of computing per step: longest send ÷ median send" "≤ 3" gap_netcdf4
row "the same, \`cdf5\`" "≤ 3" gap_cdf5
row "\`pwrite\` of 777 MB, ms" "" limit
