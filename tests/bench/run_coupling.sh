#!/bin/bash
# Measures what coupling costs and prints it as a table of medians.
#
# usage: run_coupling.sh <build folder> [repeats, default 5]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
needed=(bench_coupling)
. "$here/measure.sh"
bench=$build/tests/bench/bench_coupling
cd "$work"
context() {
  echo "<context id=\"$1\"><calendar type=\"NoLeap\" start_date=\"2000-01-01\" timestep=\"1h\"/>
    <domain_definition><domain id=\"d\" type=\"rectilinear\" ni_glo=\"512\" nj_glo=\"256\"/></domain_definition>
    <field_definition><field id=\"from_$1\" domain_ref=\"d\"/></field_definition>
    <coupler_out_definition><coupler_out context=\"$2::$2\"><field field_ref=\"from_$1\" freq_op=\"1h\"/></coupler_out></coupler_out_definition>
    <coupler_in_definition><coupler_in context=\"$2::$2\"><field id=\"from_$2\" domain_ref=\"d\" freq_op=\"1h\"/></coupler_in></coupler_in_definition>
  </context>"
}
{
  echo "<simulation>"
  context rows columns
  context columns rows
  echo "</simulation>"
} > iodef.xml
export EPIOS_LOG=error

# slowest <lines "name value">: the largest wall_s, as both sides must have come to the end
slowest() { awk '$1 == "wall_s" && $2 > most { most = $2 } END { print most }' <<<"$1"; }
for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  for each in 1 2; do
    crowd $((2 * each))
    out=$(timeout 300 "${pinned[@]}" "${ranked[@]}" "$launcher" -n $each "$bench" --side rows : -n $each "$bench" --side columns)
    raw=$(timeout 300 "${pinned[@]}" "${ranked[@]}" "$launcher" -n $((2 * each)) "$bench" --raw)
    note ratio$each "$(calculate "$(slowest "$out") / $(slowest "$raw")")"
    note time$each "$(calculate "$(slowest "$out") * 1e4")"
  done
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row "100 exchanges of fields of 1 MB in both directions, 1 + 1 processes ÷ the same by raw MPI" "≤ 1.3" ratio1
row "2 + 2 processes, rows to columns, ÷ raw MPI with a redistribution by hand" "≤ 1.3" ratio2
row "per exchange, 1 + 1 processes, µs" "" time1
row "2 + 2 processes, µs" "" time2
