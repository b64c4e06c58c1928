#!/bin/bash
# What module xios costs: one model process and one server.
#
# usage: run_fortran.sh <build folder>
set -euo pipefail
build=$(cd "$1" && pwd)
cmake --build "$build" --target bench_fortran epios_server_main >/dev/null
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$here/bench_fortran.xml" "$work/iodef.xml"
cd "$work"
"${EPIOS_MPIEXEC:-mpiexec.mpich}" -n 1 "$build/tests/bench/bench_fortran" : -n 1 "$build/server/epios_server"
