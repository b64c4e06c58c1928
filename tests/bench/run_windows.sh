#!/bin/bash
# Measures windows inside a process, and between processes of a node, against the MPI library between processes and prints the table
# of docs/performance.md: medians of ratios.
#
# usage: run_windows.sh <build folder> [repeats, default 5]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/crowd.sh"

fail() {
  echo "run_windows.sh: $*" >&2
  exit 1
}

[[ $# -ge 1 && -d $1 ]] || fail "no build folder (give it first). Build preset release, target bench_windows."
cmake --build "$1" --target bench_windows >/dev/null || fail "the build has failed."
program=$(cd "$1" && pwd)/tests/bench/bench_windows
[[ -x $program ]] || fail "no $program (it is not built). Build target bench_windows."
repeats=${2:-5}
awk '$1 > 0.5 {print "run_windows.sh: load average is " $1 ": others use this machine, the figures mean little" >"/dev/stderr"}' /proc/loadavg
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run <processes> <measurement>: "name value" lines
run() {
  crowd "$1"
  timeout 300 "${ranked[@]}" mpiexec.mpich -n "$1" "$program" "$2"
}
# ratio <figure> <lines> <name> <name of the limit>: keeps value ÷ limit
ratio() {
  awk -v name="$3" -v limit="$4" '{v[$1] = $2} END {print v[name] / v[limit]}' <<<"$2" >>"$work/$1"
}
# row <figure> <text> <target>
row() {
  sort -g "$work/$1" | awk -v text="$2" -v target="$3" '{v[NR] = $1}
    END {printf "| %s | %s | %.3g | %.3g to %.3g |\n", text, target, v[int((NR + 1) / 2)], v[1], v[NR]}'
}

for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  all=$(run 1 move; run 2 near_move; run 2 raw_move; run 1 fetch; run 8 raw_fetch)
  for way in put get; do
    for size in 8 1m; do
      ratio ${way}_$size "$all" inside_${way}_$size raw_${way}_$size
      ratio near_${way}_$size "$all" near_${way}_$size raw_${way}_$size
    done
  done
  ratio fetch "$all" inside_fetch_rate raw_fetch_rate
done

echo "| figure | target | median of $repeats runs | range |"
echo "| --- | --- | --- | --- |"
for way in put get; do
  row ${way}_8 "$way of 8 B + flush inside a process under lock_all ÷ raw MPI between two processes" "≤ 0.25"
  row ${way}_1m "the same, 1 MiB" "≤ 0.7"
  row near_${way}_8 "$way of 8 B + flush between two processes of a node, memory of \`EP_Win_allocate\` ÷ raw MPI" "≤ 1.0"
  row near_${way}_1m "the same, 1 MiB" ""
done
row fetch "fetch_and_op by 8 endpoints on one counter ÷ 8 raw MPI processes, operations per second" "≥ 50"
