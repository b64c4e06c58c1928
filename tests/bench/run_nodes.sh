#!/usr/bin/env bash
# bench_nodes on two emulated nodes of this machine (root, network namespaces).
#   run_nodes.sh <folder of bench_nodes> [rounds]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ "${NODE_HOLDERS:-}" ]; then
  exec "$2" -n 2 "$1/bench_nodes" "${4:-5}"
fi
folder=$(cd "$1" && pwd)
mpiexec=$(command -v mpiexec.mpich || command -v mpiexec.hydra)
exec "$here/../nodes/on_nodes.sh" "${NODES_KIND:-nodes}" node1:1,node2:1 "${BASH_SOURCE[0]}" "$folder" "$mpiexec" bench "${2:-5}"
