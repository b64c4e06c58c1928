#!/bin/bash
# Runs the example with dedicated I/O servers, reads its files with other people's tools and draws a
# map.
#
# usage: run.sh <build folder> [options] [-- options of ocean_heat]
#   --processes N    model processes, default 2
#   --servers N      server processes, default 1; 0: the model writes its files itself
#   --output DIR     default ./ocean_heat_output
#   --restart        in two jobs: the first stops after half a year (or half of --days) and leaves its state, the
#                    second goes on from there
#   --check          also dump every step and compare the files with it
# EPIOS_MPIEXEC in the environment names another launcher than mpiexec.mpich or mpiexec.hydra.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../run_options.sh"

target=ocean_heat
processes=2 servers=1 output=$PWD/ocean_heat_output check=0 restart=0
counts=(--processes --servers) texts=(--output) flags=(--check --restart) unknown=model
read_options "$@"

model=$build/examples/ocean_heat/ocean_heat
reader=$build/examples/ocean_heat/ocean_heat_check
server=$build/server/epios_server
need_programs "$model" "$reader" "$server"
need_tools ncdump cdo gnuplot

mkdir -p "$output"
rm -f "$output"/ocean_*.nc "$output"/ocean_*.nc.part* "$output/sst.png" "$output/dump"
trap 'rm -f "$output/dump" "$output/map.txt"' EXIT
if ((check)); then
  model_options+=(--dump "$output/dump")
fi
# Relative paths in the model's options are the caller's, so the folder is not changed.
[[ " ${model_options[*]}" == *" --iodef"* ]] || model_options+=(--iodef "$here/iodef.xml")

# The launcher hands the model a pipe, whatever it writes to itself.
[[ ! -t 1 ]] || model_options+=(--bar)

# Threads that wait for each other at the end of a parallel region need not spin.
export OMP_WAIT_POLICY=passive
# run_model <options...>
run_model() {
  local command=("$mpiexec" -n "$processes" "$model" --output "$output" "${model_options[@]}" "$@")
  if ((servers > 0)); then
    command+=(: -n "$servers" "$server")
  fi
  "${command[@]}"
}
days=365
for ((i = 0; i + 1 < ${#model_options[@]}; ++i)); do
  if [[ ${model_options[i]} == --days ]]; then days=${model_options[i + 1]}; fi
done
started=$(date +%s%N)
if ((restart)); then
  run_model --stop $((days / 2))
  run_model --restart $((days / 2))
else
  run_model
fi
tenths=$((($(date +%s%N) - started) / 100000000))
printf 'the whole job took %d.%d s\n' $((tenths / 10)) $((tenths % 10))

files=("$output"/ocean_{daily,monthly,yearly,global}.nc)
for file in "${files[@]}"; do
  [[ -f $file ]] || fail "no $file (the run wrote none). See the messages above."
  echo
  echo "== $file, seen by ncdump and cdo"
  ncdump -h "$file" | grep -E '^\t(float|double|[a-z]+ = )|standard_name|cell_methods|:units'
  if [[ $(ncdump -h "$file") == *"UNLIMITED ; // (0 currently)"* ]]; then
    echo "no record: the run was too short for it"
    continue
  fi
  complaints=$(cdo -s sinfon "$file" 2>&1 >/dev/null) || fail "cdo cannot read $file: $complaints"
  [[ -z $complaints ]] || fail "cdo complains about $file: $complaints"
  cdo -s sinfon "$file" | sed -n '1,3p'
done
if ((check)); then
  echo
  "$reader" "$output/dump" "$output"
fi

# The warmest month of the north, or the last month of a short run. (cdo refuses a file without records.)
months=$(cdo -s ntime "$output/ocean_monthly.nc" 2>/dev/null) || months=0
if ((months == 0)); then
  echo
  echo "map:   none (the run was too short for a monthly mean)"
else
  month=$((months < 8 ? months : 8))
  date=$(cdo -s showdate -seltimestep,"$month" "$output/ocean_monthly.nc" | tr -d ' ')
  cdo -s outputtab,lon:12,lat:12,value:14 -setmissval,nan -seltimestep,"$month" -selname,sst \
    "$output/ocean_monthly.nc" 2>/dev/null | grep -v '^#' >"$output/map.txt"
  gnuplot -e "data='$output/map.txt'; picture='$output/sst.png'" \
    -e "title_text='Sea surface temperature, mean of ${date%-*}'" "$here/map.gp"
  echo
  echo "map:   $output/sst.png"
fi
echo "files: ${files[*]}"
