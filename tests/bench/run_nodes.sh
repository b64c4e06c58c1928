#!/bin/bash
# Measures channels between two emulated nodes of this machine against raw MPI between the same two processes and prints a table
# of medians. Emulated nodes need root and network namespaces; where they are not to be had, it says so and exits with 77.
#
# usage: run_nodes.sh <build folder> [repeats, default 5]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# on_nodes.sh calls this script once more, among its nodes: <folder of bench_nodes> <mpiexec>
if [[ -n ${NODE_HOLDERS:-} ]]; then
  exec "$2" -n 2 "$1/bench_nodes"
fi
needed=(bench_nodes)
. "$here/measure.sh"

out=
# Sets out: "name value" lines of bench_nodes.
measure() {
  local code=0
  out=$(timeout 300 "${pinned[@]}" "$here/../nodes/on_nodes.sh" "${NODES_KIND:-nodes}" node1:1,node2:1 \
    "$here/run_nodes.sh" "$build/tests/bench" "$launcher") || code=$?
  if ((code == 77)); then
    echo "$script: $out" >&2
    exit 77
  fi
  ((code == 0)) || fail "bench_nodes has failed between emulated nodes"
  [[ $(value "$out" is_near) == 0 ]] || fail "the two processes see each other's memory (are these nodes?)"
}

for ((n = 1; n <= repeats; ++n)); do
  echo "run $n of $repeats" >&2
  measure
  note stream "$(value "$out" stream_ratio)"
  note answer "$(value "$out" answer_ratio)"
  note rate "$(value "$out" mpi_mb_per_s)"
  note time "$(value "$out" mpi_answer_us)"
done

echo "| figure | target | median of $repeats | range |"
echo "| --- | --- | --- | --- |"
row "between two emulated nodes, records of 15.5 MB: throughput ÷ raw MPI between the same processes" "≥ 0.9" stream
row "the same, a record of 1 kB there and an answer back ÷ raw MPI" "≤ 1.3" answer
row "of the first: raw MPI, MB/s" "" rate
row "of the second: raw MPI, µs" "" time
