#!/bin/bash
# Measures the start of a job of 2 clients and 1 server with 96 fields and prints a table of medians.
#
# usage: run_start.sh <build folder> [repeats, default 5] [folder for the files, default /dev/shm]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
needed=(bench_start)
. "$here/measure.sh"
bench=$build/tests/bench/bench_start
cd "$work"
{
  echo '<simulation><context id="bench"><calendar type="NoLeap" start_date="2000-01-01" timestep="1h"/>'
  echo '<domain_definition><domain id="d" type="rectilinear" ni_glo="360" nj_glo="180"/></domain_definition>'
  echo '<field_definition domain_ref="d" operation="average" prec="4">'
  for ((f = 0; f < 96; ++f)); do
    echo "<field id=\"field_$f\" long_name=\"quantity $f at the surface\" standard_name=\"quantity_$f\" unit=\"kg m-2 s-1\"/>"
  done
  echo '</field_definition><file_definition output_freq="1d">'
  for ((file = 0; file < 4; ++file)); do
    echo "<file id=\"file_$file\">"
    for ((f = file; f < 96; f += 4)); do echo "<field field_ref=\"field_$f\"/>"; done
    echo '</file>'
  done
  echo '</file_definition></context></simulation>'
} >iodef.xml
export EPIOS_LOG=error

# The launcher needs a core, too.
crowd 4
for ((n = 0; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  rm -f "$work"/*.nc*
  ours=$(value "$(timeout 100 "${pinned[@]}" "${ranked[@]}" "$launcher" -n 2 "$bench" : -n 1 "$server")" start_s)
  raw=$(value "$(timeout 100 "${pinned[@]}" "${ranked[@]}" "$launcher" -n 3 "$bench" --raw)" start_s)
  ((n > 0)) || continue  # programs have been read once
  note ratio "$(calculate "$ours / $raw")"
  note ours "$(calculate "$ours * 1e3")"
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row "2 + 1 processes, 96 fields in 4 files: \`initialize\` to the first step ÷ (\`MPI_Init\` + reading the XML once)" "≤ 1.5" ratio
row "the same, ms" "" ours
