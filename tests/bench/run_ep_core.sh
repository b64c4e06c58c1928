#!/bin/bash
# Measures ep_core against the MPI library on the same cores and prints the table of
# docs/performance.md: medians of ratios.
#
# usage: run_ep_core.sh <build folder> [repeats, default 5]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/crowd.sh"

fail() {
  echo "run_ep_core.sh: $*" >&2
  exit 1
}

[[ $# -ge 1 && -d $1 ]] || fail "no build folder (give it first). Build preset release, target bench_ep_core."
cmake --build "$1" --target bench_ep_core >/dev/null || fail "the build has failed."
program=$(cd "$1" && pwd)/tests/bench/bench_ep_core
[[ -x $program ]] || fail "no $program (it is not built). Build target bench_ep_core."
repeats=${2:-5}
awk '$1 > 0.5 {print "run_ep_core.sh: load average is " $1 ": others use this machine, the figures mean little" >"/dev/stderr"}' /proc/loadavg
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run <processes> <options...>: "name value" lines of bench_ep_core
run() {
  local processes=$1
  shift
  crowd "$processes"
  timeout 300 "${ranked[@]}" mpiexec.mpich -n "$processes" "$program" "$@"
}
# note <figure> <lines> <name> <lines of the limit> <name of the limit>: keeps value ÷ limit, the
# first of the one with the first of the other and so on.
note() {
  paste <(awk -v name="$3" '$1 == name {print $2}' <<<"$2") <(awk -v name="$5" '$1 == name {print $2}' <<<"$4") |
    awk '{print $1 / $2}' >>"$work/$1"
}
# speed: the other way round
note_speed() { note "$1" "$4" "$5" "$2" "$3"; }
# row <figure> <text> <target>
row() {
  sort -g "$work/$1" | awk -v text="$2" -v target="$3" '{v[NR] = $1}
    END {printf "| %s | %s | %.3g | %.3g to %.3g |\n", text, target, v[int((NR + 1) / 2)], v[1], v[NR]}'
}

for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  all=$(run 2 messages)
  note inside_8 "$all" inside_8 "$all" raw_8
  note between_8 "$all" between_8 "$all" raw_8
  for size in 64k 1m 16m; do
    note_speed inside_$size "$all" inside_$size "$all" raw_$size
    note_speed between_$size "$all" between_$size "$all" raw_$size
  done
  note_speed inside_copy "$all" inside_16m "$all" memcpy_16m
  for way in inside between; do
    note ${way}_matching "$all" ${way}_pending_10000 "$all" ${way}_pending_1
    awk -v name=${way}_waiting_share '$1 == name {print 100 * $2}' <<<"$all" >>"$work/${way}_waiting"
  done

  inside=$(run 1 collectives --endpoints 8)
  between=$(run 2 collectives --endpoints 4)
  raw=$(run 8 collectives --raw)
  note_speed rate "$(run 2 rate --endpoints 4)" message_s "$(run 8 rate --raw)" message_s
  for name in barrier allreduce_8 allreduce_1m; do note "all_$name" "$inside" ${name}_s "$raw" ${name}_s; done
  for name in allreduce_64k bcast_64k alltoall_64k; do note "hybrid_$name" "$between" ${name}_s "$raw" ${name}_s; done
done

echo "| figure | target | median of $repeats runs | range |"
echo "| --- | --- | --- | --- |"
row inside_8 "8-byte ping-pong, two endpoints of one process ÷ raw MPI between two processes" "≤ 0.6"
row inside_64k "bandwidth between two endpoints of one process ÷ raw MPI between two processes, 64 KiB" "≥ 2.5"
row inside_1m "the same, 1 MiB" "≥ 3.5"
row inside_copy "the same ÷ memcpy, 16 MiB" "≥ 0.9"
row between_8 "8-byte ping-pong between processes, one endpoint each ÷ raw MPI" "≤ 1.0"
row between_64k "bandwidth between processes ÷ raw MPI, 64 KiB" "≥ 1.0"
row between_1m "the same, 1 MiB" "≥ 1.2"
row between_16m "the same, 16 MiB" "≥ 1.5"
row rate "messages of 8 bytes per second, 4 pairs of endpoints in 2 processes ÷ 4 pairs of raw processes" "≥ 5"
row all_barrier "barrier, 8 endpoints in one process ÷ raw MPI with 8 processes" "≤ 0.001"
row all_allreduce_8 "allreduce of 8 B, the same" "≤ 0.002"
row all_allreduce_1m "allreduce of 1 MiB, the same" "≤ 0.033"
row hybrid_allreduce_64k "2 processes × 4 endpoints, allreduce of 64 KiB ÷ raw MPI with 8 processes" "≤ 0.33"
row hybrid_bcast_64k "the same, bcast" "≤ 0.33"
row hybrid_alltoall_64k "the same, alltoall" "≤ 0.33"
row inside_matching "8-byte message, 10,000 receives pending on other tags ÷ one pending, one process" "≤ 2"
row between_matching "the same, two processes" "≤ 2"
row inside_waiting "CPU of an endpoint blocked for a second, one process, % of a core" "≤ 5"
row between_waiting "the same, two processes" "≤ 5"
