#!/bin/bash
# Measures MPI programs of tests/dropin/programs with 8 ranks: as 8 endpoints of one process (epcc)
# against 8 processes (MPI's own wrapper), on two cores. Prints a table: medians of wall time from
# start to end, of the time that the program takes for its work, and their ratios. Builds the
# programs, not the library.
#
# usage: bench_dropin.sh <build folder> [repeats, default 3]
set -euo pipefail

fail() {
  echo "bench_dropin.sh: $*" >&2
  exit 1
}

[[ $# -ge 1 && -d $1 ]] || fail "no build folder (give it first). Build preset release, target ep_dropin."
bin=$(cd "$1" && pwd)/ep_core/dropin/bin
[[ -x $bin/epcc ]] || fail "no $bin/epcc (it is not built). Build target ep_dropin."
repeats=${2:-3}
programs=$(cd "$(dirname "${BASH_SOURCE[0]}")/../dropin/programs" && pwd)
awk '$1 > 0.5 {print "bench_dropin.sh: load average is " $1 ": others use this machine, the figures mean little" >"/dev/stderr"}' /proc/loadavg
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cores=0,1

# run <file> <command...>: appends wall time and the program's own to the file, and keeps its output
run() {
  local file=$1 start end
  shift
  start=$EPOCHREALTIME
  timeout 300 taskset -c "$cores" "$@" -t >"$work/output" || fail "$* fails or takes more than 300 s."
  end=$EPOCHREALTIME
  awk -v wall="$(awk -v a="$start" -v b="$end" 'BEGIN {print b - a}')" '$1 == "time" {print wall, $2}' \
    "$work/output" >>"$file"
  grep -v '^time ' "$work/output" | sort >"$file.output"
}
# median <file> <column>
median() { sort -g -k"$2,$2" "$1" | awk -v c="$2" '{v[NR] = $c} END {print v[int((NR + 1) / 2)]}'; }

# compare <program> <argument...>: a row of the table
compare() {
  local name=$1 own=$work/$1.endpoints other=$work/$1.processes n
  shift
  mpicc.mpich -std=gnu11 -O2 -w "$programs/$name.c" -o "$work/$name.mpi" -lm
  "$bin/epcc" -std=gnu11 -O2 -w "$programs/$name.c" -o "$work/$name.ep" -lm
  for ((n = 1; n <= repeats; ++n)); do
    echo "$name, run $n of $repeats" >&2
    run "$own" "$bin/epexec" -n 1 -endpoints 8 "$work/$name.ep" "$@"
    run "$other" mpiexec.mpich -n 8 "$work/$name.mpi" "$@"
    cmp "$own.output" "$other.output" || fail "$name says something else with endpoints."
  done
  awk -v name="$name $*" -v e="$(median "$own" 1)" -v p="$(median "$other" 1)" \
    -v ework="$(median "$own" 2)" -v pwork="$(median "$other" 2)" \
    'BEGIN {printf "| %s | %.2f | %.2f | %.3f | %.3f | %.3f | %.3f |\n", name, e, p, e / p, ework, pwork, ework / pwork}'
}

echo "| program | 8 endpoints, s | 8 processes, s | ratio (< 1) | its work, endpoints | processes | ratio (< 1) |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
compare heat 400 300
compare nbody 500 10
compare sample_sort 500000
