#!/bin/bash
# Runs the example with dedicated I/O servers, reads its files with other people's tools and draws a
# map.
#
# usage: run.sh <build folder> [options]
#   --processes N    model processes, default 2 (of OMP_NUM_THREADS threads each, default 2)
#   --servers N      server processes, default 1; 0: the model writes its files itself
#   --output DIR     default ./shallow_water_output
#   --steps N        of 150 s, default 288 (half a day)
# EPIOS_MPIEXEC in the environment names another launcher than mpiexec.mpich or mpiexec.hydra.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../run_options.sh"

target=shallow_water
processes=2 servers=1 output=$PWD/shallow_water_output steps=288
counts=(--processes --servers --steps) texts=(--output) flags=() unknown=none
read_options "$@"

model=$build/examples/shallow_water/shallow_water
server=$build/server/xios_server.exe
need_programs "$model" "$server"
need_tools ncdump cdo gnuplot

mkdir -p "$output"
rm -f "$output"/shallow_water_*.nc "$output"/shallow_water_*.nc.part* "$output/shallow_water.png"
trap 'rm -f "$output/cells.txt"' EXIT
cp "$here/iodef.xml" "$output"
cd "$output"

# Threads that wait for each other at the end of a parallel region need not spin.
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
command=("$mpiexec" -n "$processes" "$model" "$steps")
((servers == 0)) || command+=(: -n "$servers" "$server")
echo "run:   $processes processes x $OMP_NUM_THREADS threads, $servers servers, $steps steps"
"${command[@]}"

for file in shallow_water_{hours,extremes,restart}.nc; do
  [[ -f $file ]] || fail "no $file (the run wrote none). See the messages above."
  echo
  echo "== $file, seen by ncdump and cdo"
  ncdump -h "$file" | grep -E $'^\t(float|double|[a-z]+ = )|:bounds|:coordinates|:cell_measures'
  complaints=$(cdo -s sinfon "$file" 2>&1 >/dev/null) || fail "cdo cannot read $file: $complaints"
  [[ -z $complaints ]] || fail "cdo complains about $file: $complaints"
done

# Water is neither made nor lost: the sum over all cells, which are alike, in metres.
echo
cdo -s outputf,%.12g,1 -fldsum -selname,height shallow_water_hours.nc 2>/dev/null | awk '
  NR == 1 { first = $1 }
  { change = $1 / first - 1; if (change < 0) change = -change; if (change > worst) worst = change }
  END {
    if (NR == 0 || worst > 1e-9) { printf "run.sh: water is lost or made: %g of it\n", worst; exit 1 }
    printf "water: the same in %d records (to %.1g)\n", NR, worst
  }'
cdo -s outputtab,lon:12,lat:12,value:14 -seltimestep,-1 -selname,height shallow_water_hours.nc 2>/dev/null |
  grep -v '^#' | awk '{ print } NR % 120 == 0 { print "" }' >cells.txt
gnuplot -e "data='cells.txt'; picture='shallow_water.png'; largest=12" \
  -e "title_text='A hump of water, after $((steps * 150 / 3600)) h'" "$here/map.gp"
echo "map:   $output/shallow_water.png"
