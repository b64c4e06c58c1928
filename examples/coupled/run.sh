#!/bin/bash
# Runs an ocean and an atmosphere that exchange fields, with I/O servers that both share, compares what
# each has received with what CDO makes of what the other one has sent, and draws both.
#
# usage: run.sh <build folder> [options]
#   --processes N    processes of each model, default 2 (the ocean's have 2 threads each)
#   --servers N      server processes, default 1; 0: the models write their files themselves
#   --output DIR     default ./coupled_output
#   --days N         default 30
# EPIOS_MPIEXEC in the environment names another launcher than mpiexec.mpich or mpiexec.hydra.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../run_options.sh"

target=coupled
processes=2 servers=1 output=$PWD/coupled_output days=30
counts=(--processes --servers --days) texts=(--output) flags=() unknown=none
read_options "$@"

ocean=$build/examples/coupled/coupled_ocean
atmosphere=$build/examples/coupled/coupled_atmosphere
server=$build/server/epios_server
need_programs "$ocean" "$atmosphere" "$server"
need_tools cdo gnuplot

mkdir -p "$output"
rm -f "$output"/coupled_*.nc "$output"/coupled_*.nc.part* "$output/coupled.png"
trap 'rm -f "$output"/{sea,heat,winds,u,v}.txt' EXIT

# Threads that wait for each other at the end of a parallel region need not spin.
export OMP_WAIT_POLICY=passive
options=(--days "$days" --output "$output" --iodef "$here/iodef.xml")
command=("$mpiexec" -n "$processes" "$ocean" --threads 2 "${options[@]}"
  : -n "$processes" "$atmosphere" "${options[@]}")
if ((servers > 0)); then
  command+=(: -n "$servers" "$server")
fi
"${command[@]}"

files=("$output"/coupled_{sea,to_sky,at_sea,sky,from_sky,at_sky}.nc)
for file in "${files[@]}"; do
  [[ -f $file ]] || fail "no $file (the run wrote none). See the messages above."
  complaints=$(cdo -s sinfon "$file" 2>&1 >/dev/null) || fail "cdo cannot read $file: $complaints"
  [[ -z $complaints ]] || fail "cdo complains about $file: $complaints"
done

# figure <cdo operators and files...>: one number. CDO opens the files of one command in threads, which HDF5 does not
# take: an open that fails for no reason is tried again. -L makes that rare.
figure() {
  local said again
  for again in yes yes yes no; do
    said=$(cdo -L -s "$@" 2>&1) && break
    [[ $again == yes && $said == *"Open failed"* ]] || fail "cdo $*: $said"
  done
  awk 'NF == 1 && $1 + 0 == $1 { print $1; exit }' <<< "$said"
}

# compare <what> <variable sent> <file of the sender> <variable received> <file of the receiver> <cells>: the
# largest difference, over all records, between what was received and what CDO makes of what was sent; and
# whether so many cells, at least, have both.
compare() {
  local largest both difference=(-sub -selname,"$4" "$5" -remapcon,"$5" -selname,"$2" "$3")
  largest=$(figure -outputf,%g,1 -fldmax -timmax -abs "${difference[@]}")
  both=$(figure -outputf,%g,1 -timmin -fldsum -gec,0 -abs "${difference[@]}")
  echo "$1: $(figure ntime "$5") records of $both cells, within $largest of what CDO makes of those that were sent"
  awk -v x="$largest" 'BEGIN { exit !(x != "" && x >= 0 && x < 1e-9) }' || fail "$1 differs by '$largest' (at most 1e-9 is expected)."
  awk -v n="$both" -v least="$6" 'BEGIN { exit !(n >= least) }' || fail "$1 has come on $both cells ($6 at least are expected)."
}
echo
for field in wind_u wind_v heat; do
  compare "$field that the ocean has received" $field "$output/coupled_from_sky.nc" $field "$output/coupled_at_sea.nc" 10918
done
compare "temperature that the atmosphere has received" temperature "$output/coupled_to_sky.nc" sea_temperature "$output/coupled_at_sky.nc" 1999

# points <file> <variable> <time step>: "lon lat value" of each cell; NaN: none.
points() {
  cdo -s outputtab,lon:12,lat:12,value:14 -seltimestep,"$3" -selname,"$2" "$1" 2>/dev/null |
    grep -v '^#' | awk '$3 > 1e19 { $3 = "NaN" } { print }'
}
points "$output/coupled_sea.nc" temperature "$days" >"$output/sea.txt"
points "$output/coupled_at_sea.nc" heat $((4 * days)) >"$output/heat.txt"
points "$output/coupled_sky.nc" wind_u "$days" >"$output/u.txt"
points "$output/coupled_sky.nc" wind_v "$days" >"$output/v.txt"
paste -d ' ' "$output/u.txt" "$output/v.txt" | awk '{ print $1, $2, $3, $6 }' >"$output/winds.txt"
gnuplot -e "sea='$output/sea.txt'; heat='$output/heat.txt'; winds='$output/winds.txt'; picture='$output/coupled.png'" \
  -e "title_text='Ocean and atmosphere, coupled, after $days days'" "$here/map.gp"
echo
echo "map:   $output/coupled.png"
echo "files: ${files[*]}"
