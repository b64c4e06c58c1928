#!/bin/bash
# Runs the example for a month with levels.xml: HEALPix in four levels as stores of Zarr, and stations; opens them with xarray.
#
# usage: levels.sh <build folder> [options] [-- options of ocean_heat]
#   --processes N    model processes, default 2
#   --servers N      server processes, default 1; 0: the model writes its files itself
#   --output DIR     default ./ocean_levels_output
# EPIOS_MPIEXEC in the environment names another launcher than mpiexec.mpich or mpiexec.hydra.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../run_options.sh"

target=ocean_heat
processes=2 servers=1 output=$PWD/ocean_levels_output
counts=(--processes --servers) texts=(--output) flags=() unknown=after
read_options "$@"

model=$build/examples/ocean_heat/ocean_heat
server=$build/server/epios_server
need_programs "$model" "$server"
need_tools
/usr/bin/python3 -c "import xarray, zarr" || fail "python3 does not find xarray or zarr (install python3-xarray and python3-zarr)"

mkdir -p "$output"
rm -rf "$output"/ocean*.zarr* "$output"/ocean_islands.nc*
behind=()
((servers == 0)) || behind=(: -n "$servers" "$server")
export OMP_WAIT_POLICY=passive
"$mpiexec" -n "$processes" "$model" --output "$output" --iodef "$here/levels.xml" --days 31 "${model_options[@]}" "${behind[@]}"
/usr/bin/python3 "$here/levels.py" "$output"
