#!/bin/bash
# Measures ep_core against the MPI library on the same cores and prints the table of
# docs/performance.md: medians of ratios, each of two programs run one after the other. Builds nothing.
#
# usage: run_ep_core.sh <build folder> [repeats, default 5]
set -euo pipefail

fail() {
  echo "run_ep_core.sh: $*" >&2
  exit 1
}

[[ $# -ge 1 && -d $1 ]] || fail "no build folder (give it first). Build preset release, target bench_ep_core."
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
  timeout 300 mpiexec.mpich -n "$processes" "$program" "$@"
}
# note <figure> <lines> <name> <lines of the limit> <name of the limit>: keeps value ÷ limit
note() {
  awk -v own="$3" -v limit="$5" 'NR == FNR {if ($1 == own) value = $2; next}
    $1 == limit {print value / $2}' <(echo "$2") <(echo "$4") >>"$work/$1"
}
# bandwidth: the other way round
note_inverse() { note "$1" "$4" "$5" "$2" "$3"; }
# row <figure> <text> <target>
row() {
  sort -g "$work/$1" | awk -v text="$2" -v target="$3" '{v[NR] = $1}
    END {printf "| %s | %s | %.3g | %.3g to %.3g |\n", text, target, v[int((NR + 1) / 2)], v[1], v[NR]}'
}

for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  inside=$(run 1 --endpoints 2)
  between=$(run 2)
  raw=$(run 2 --raw)
  note small_inside "$inside" message_8_s "$raw" message_8_s
  note_inverse rate_64k "$inside" message_64k_s "$raw" message_64k_s
  note_inverse rate_1m "$inside" message_1m_s "$raw" message_1m_s
  note_inverse rate_16m "$inside" message_16m_s "$inside" memcpy_16m_s
  note small_between "$between" message_8_s "$raw" message_8_s
  note_inverse between_64k "$between" message_64k_s "$raw" message_64k_s
  note_inverse between_1m "$between" message_1m_s "$raw" message_1m_s
  note_inverse between_16m "$between" message_16m_s "$raw" message_16m_s
  note matching "$inside" pending_10000_s "$inside" pending_1_s
  note matching_between "$between" pending_10000_s "$between" pending_1_s
  awk '$1 == "waiting_cpu_share" {print 100 * $2}' <<<"$inside" >>"$work/waiting"
  awk '$1 == "waiting_cpu_share" {print 100 * $2}' <<<"$between" >>"$work/waiting_between"

  inside=$(run 1 --endpoints 8 --figures collectives)
  between=$(run 2 --endpoints 4 --figures collectives)
  raw=$(run 8 --raw --figures collectives)
  for name in barrier allreduce_8 allreduce_1m; do note "all_$name" "$inside" ${name}_s "$raw" ${name}_s; done
  for name in allreduce_64k bcast_64k alltoall_64k; do note "hybrid_$name" "$between" ${name}_s "$raw" ${name}_s; done
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row small_inside "8-byte ping-pong, two endpoints of one process ÷ raw MPI between two processes" "≤ 0.6"
row rate_64k "bandwidth between two endpoints of one process ÷ raw MPI between two processes, 64 KiB" "≥ 2.5"
row rate_1m "the same, 1 MiB" "≥ 3.5"
row rate_16m "the same ÷ memcpy, 16 MiB" "≥ 0.9"
row small_between "8-byte ping-pong between processes, one endpoint each ÷ raw MPI" "≤ 1.6"
row between_64k "bandwidth between processes ÷ raw MPI, 64 KiB" "≥ 0.9"
row between_1m "the same, 1 MiB" "≥ 0.9"
row between_16m "the same, 16 MiB" "≥ 0.9"
row all_barrier "barrier, 8 endpoints in one process ÷ raw MPI with 8 processes" "≤ 0.001"
row all_allreduce_8 "allreduce of 8 B, the same" "≤ 0.002"
row all_allreduce_1m "allreduce of 1 MiB, the same" "≤ 0.033"
row hybrid_allreduce_64k "2 processes × 4 endpoints, allreduce of 64 KiB ÷ raw MPI with 8 processes" "≤ 0.33"
row hybrid_bcast_64k "the same, bcast" "≤ 0.33"
row hybrid_alltoall_64k "the same, alltoall" "≤ 0.33"
row matching "8-byte message, 10,000 receives pending on other tags ÷ one pending, one process" "≤ 2"
row matching_between "the same, two processes" "≤ 2"
row waiting "CPU of an endpoint blocked for a second, one process, % of a core" "≤ 5"
row waiting_between "the same, two processes" "≤ 5"
