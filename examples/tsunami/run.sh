#!/bin/bash
# Runs the example with dedicated I/O servers, reads its files with other people's tools and draws a
# map.
#
# usage: run.sh <build folder> [options] [-- options of tsunami]
#   --processes N    model processes, default 3 (of 2 threads each)
#   --servers N      server processes, default 1; 0: the model writes its files itself
#   --output DIR     default ./tsunami_output
#   --hours N        as of tsunami, default 12
# EPIOS_MPIEXEC in the environment names another launcher than mpiexec.mpich or mpiexec.hydra.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../run_options.sh"

target=tsunami
processes=3 servers=1 output=$PWD/tsunami_output hours=12
counts=(--processes --servers) texts=(--output --hours) flags=() unknown=after
read_options "$@"

model=$build/examples/tsunami/tsunami
reader=$build/examples/tsunami/tsunami_check
server=$build/server/epios_server
need_programs "$model" "$reader" "$server"
need_tools ncdump cdo gnuplot

mkdir -p "$output"
rm -f "$output"/tsunami_*.nc "$output"/tsunami_*.nc.part* "$output/tsunami.png"
trap 'rm -f "$output/cells.txt"' EXIT

# Threads that wait for each other at the end of a parallel region need not spin.
export OMP_WAIT_POLICY=passive
command=("$mpiexec" -n "$processes" "$model" --hours "$hours" --output "$output"
  --iodef "$here/iodef.xml" "${model_options[@]}")
if ((servers > 0)); then
  command+=(: -n "$servers" "$server")
fi
"${command[@]}"

for file in "$output"/tsunami_{surface,highest,gauges}.nc; do
  [[ -f $file ]] || fail "no $file (the run wrote none). See the messages above."
  echo
  echo "== $file, seen by ncdump and cdo"
  ncdump -h "$file" | grep -E $'^\t(float|double|[a-z]+ = )|:bounds|:coordinates|:cell_measures'
  complaints=$(cdo -s sinfon "$file" 2>&1 >/dev/null) || fail "cdo cannot read $file: $complaints"
  [[ -z $complaints ]] || fail "cdo complains about $file: $complaints"
done
echo
"$reader" "$output" "$hours"

# How high the sea came in the first six hours.
if ((hours < 6)); then
  echo "map:   none (the run was too short)"
  exit 0
fi
cdo -s outputtab,lon:12,lat:12,value:14 -seltimestep,1 -selname,highest "$output/tsunami_highest.nc" \
  2>/dev/null | grep -v '^#' | awk '$3 > 1e19 { $3 = "NaN" } { print } NR % 180 == 0 { print "" }' \
  >"$output/cells.txt"
gnuplot -e "data='$output/cells.txt'; picture='$output/tsunami.png'" \
  -e "title_text='Lisbon, 1 November 1755: how high the sea came within six hours'" "$here/map.gp"
echo
echo "map:   $output/tsunami.png"
