#!/bin/bash
# Measures collective writes of ep_core against one pwrite and against the MPI library, and prints
# the rows of docs/performance.md: medians of ratios.
#
# usage: run_ep_file.sh <build folder> [repeats, default 5] [folder of the file, default /tmp]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/crowd.sh"

fail() {
  echo "run_ep_file.sh: $*" >&2
  exit 1
}

[[ $# -ge 1 && -d $1 ]] || fail "no build folder (give it first). Build preset release, target bench_ep_file."
cmake --build "$1" --target bench_ep_file >/dev/null || fail "the build has failed."
program=$(cd "$1" && pwd)/tests/bench/bench_ep_file
[[ -x $program ]] || fail "no $program (it is not built). Build target bench_ep_file."
repeats=${2:-5}
folder=${3:-/tmp}
awk '$1 > 0.5 {print "run_ep_file.sh: load average is " $1 ": others use this machine, the figures mean little" >"/dev/stderr"}' /proc/loadavg
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# value <lines> <name>
value() { awk -v name="$2" '$1 == name {print $2}' <<<"$1"; }
# note <figure> <value> <limit>
note() { awk -v a="$2" -v b="$3" 'BEGIN {print a / b}' >>"$work/$1"; }
# row <figure> <text> <target>
row() {
  sort -g "$work/$1" | awk -v text="$2" -v target="$3" '{v[NR] = $1}
    END {printf "| %s | %s | %.3g | %.3g to %.3g |\n", text, target, v[int((NR + 1) / 2)], v[1], v[NR]}'
}

for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  inside=$(timeout 120 mpiexec.mpich -n 1 "$program" --folder "$folder")
  crowd 8
  raw=$(timeout 300 "${ranked[@]}" mpiexec.mpich -n 8 "$program" --raw --folder "$folder")
  note pwrite "$(value "$inside" endpoints_s)" "$(value "$inside" pwrite_s)"
  note raw "$(value "$inside" endpoints_s)" "$(value "$raw" raw_s)"
done

echo "| figure | target | median of $repeats runs | range |"
echo "| --- | --- | --- | --- |"
row pwrite "collective write of interleaved 4 KiB blocks, 8 endpoints of one process ÷ one pwrite of the same bytes" "≤ 2"
row raw "the same ÷ 8 raw MPI processes doing MPI_File_write_at_all" "≤ 0.33"
