#!/bin/bash
# Calls of the C interface that do nothing, and what module xios costs above it (one model process and one server). Prints a table of
# medians.
#
# usage: run_calls.sh <build folder> [repeats, default 5]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
needed=(bench_client_calls bench_fortran)
. "$here/measure.sh"
cp "$here/bench_fortran.xml" "$work/iodef.xml"
cd "$work"
export EPIOS_LOG=error

# number <lines> <beginning of a line>: what comes behind the words
number() { awk -v text="$2" 'index($0, text) == 1 {rest = substr($0, length(text) + 1); gsub(/^[ :]+/, "", rest); print rest + 0}' <<<"$1"; }

# figure|target|beginning of the line that has it
calls=("a call into the library that does nothing, ns||a call into the library (epios_last_error)"
  "send by handle, not due at this step, ns|≤ 20|send by handle, not due at this step"
  "send by handle, field that no file needs, ns|≤ 20|send by handle, never needed"
  "\`is_active\` at this step, by handle, ns|≤ 20|is_active now, by handle"
  "send by id, not due at this step, ns|≤ 80|send by id, not due at this step"
  "send by id, field that no file needs, ns|≤ 80|send by id, never needed"
  "\`is_active\` at this step, by id, ns|≤ 80|is_active now, by id")
fortran=("\`xios_send_field\` of 15.5 MB ÷ the C call|≤ 1.02|the same / C interface:"
  "section without its halo ÷ contiguous + one copy|≤ 1.1|section / (contiguous + copy):"
  "every second value ÷ contiguous + one copy|≤ 1.1|every second value / the same:"
  "send by id of a field that no file needs, ns|≤ 120|send by id of a field nobody needs:"
  "\`xios_field_is_active(id)\`, ns|≤ 120|xios_field_is_active(id):"
  "all 41 attributes of 5,000 fields by id, ms|≤ 100|41 attributes of 5,000 fields by id:")

# note_all <letter> <lines> <rows...>
note_all() {
  local letter=$1 lines=$2 k=0 row
  shift 2
  for row in "$@"; do
    note "$letter$k" "$(number "$lines" "${row##*|}")"
    k=$((k + 1))
  done
}
print_all() {
  local letter=$1 k=0 row text target
  shift
  for row in "$@"; do
    IFS='|' read -r text target _ <<<"$row"
    row "$text" "$target" "$letter$k"
    k=$((k + 1))
  done
}

for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  note_all c "$("${pinned[@]}" "$build/tests/bench/bench_client_calls")" "${calls[@]}"
  note_all f "$("${pinned[@]}" "$launcher" -n 1 "$build/tests/bench/bench_fortran" : -n 1 "$server")" "${fortran[@]}"
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
print_all c "${calls[@]}"
print_all f "${fortran[@]}"
