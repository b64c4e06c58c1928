#!/usr/bin/env bash
# One run of the toy model that must succeed, and the check of its files.
#   run_case.sh <bin> <mpiexec> <name> <model processes> <servers> "<settings>" <model options...>
# <bin> holds toy_model, check_toy and epios_server; <settings> are XML variables of context xios.
set -euo pipefail
bin=$1 mpiexec=$2 name=$3 processes=$4 servers=$5 settings=$6
shift 6
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-$name.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
sed "s|<!--settings-->|$settings|" "$here/toy.xml" > iodef.xml
command=("$mpiexec" -n "$processes" "$bin/toy_model" "$@")
if [ "$servers" -gt 0 ]; then command+=(: -n "$servers" "$bin/epios_server"); fi
timeout 100 "${command[@]}"
left=$(find . -name '*.part*')
if [ -n "$left" ]; then echo "left behind: $left" >&2; exit 1; fi
nx=20 ny=14 nz=3 steps=12 single=
args=("$@")
for ((i = 0; i < ${#args[@]}; ++i)); do
  case ${args[i]} in
    --nx) nx=${args[i + 1]} ;; --ny) ny=${args[i + 1]} ;; --nz) nz=${args[i + 1]} ;;
    --steps) steps=${args[i + 1]} ;; --single) single=single ;;
  esac
done
"$bin/check_toy" "$work" "$nx" "$ny" "$nz" "$steps" $single
