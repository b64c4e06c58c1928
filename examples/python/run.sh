#!/bin/bash
# Runs the model in numpy with two servers, then the emulator that learns from its output.
#
# usage: run.sh <build folder> [options]
#   --processes N    processes of the model, default 2
#   --servers N      server processes, default 2; 0: the programs write their files themselves
#   --output DIR     default ./python_output
# EPIOS_MPIEXEC in the environment names another launcher than mpiexec.mpich or mpiexec.hydra.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../run_options.sh"

target=epios_python_package
processes=2 servers=2 output=$PWD/python_output
counts=(--processes --servers) texts=(--output) flags=() unknown=none
read_options "$@"

server=$build/server/epios_server
need_programs "$server"
need_tools ncdump
export PYTHONPATH=$build/client/python${PYTHONPATH:+:$PYTHONPATH}
python=/usr/bin/python3
"$python" -c "import epios, xarray" || fail "python3 does not find epios or xarray (install python3-xarray; see docs/python.md)"

mkdir -p "$output"
cd "$output"
rm -f diffusion_daily.nc* forecast_daily.nc*
behind=()
((servers == 0)) || behind=(: -n "$servers" "$server")
"$mpiexec" -n "$processes" "$python" "$here/diffusion.py" "$here/diffusion.xml" "${behind[@]}"
"$mpiexec" -n 1 "$python" "$here/emulator.py" "$here/emulator.xml" "${behind[@]}"
ncdump -h forecast_daily.nc | grep -E $'^\t(float|double|[a-z]+ = )|:standard_name'
