#!/usr/bin/env bash
# A program of tests on emulated nodes, which on_nodes.sh has made.
#   program_case.sh <folder> <mpiexec> <name> <processes> <0> <program> <options...>
set -uo pipefail
folder=$1 mpiexec=$2 processes=$4
shift 5
timeout -k 5 "${LIMIT_S:-100}" "$mpiexec" -n "$processes" "$folder/$1" "${@:2}"
