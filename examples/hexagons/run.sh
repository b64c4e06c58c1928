#!/bin/bash
# Runs the example with dedicated I/O servers, reads its files with other people's tools and draws a
# globe.
#
# usage: run.sh <build folder> [options] [-- options of hexagons]
#   --processes N    model processes, default 2 (of 2 threads each)
#   --servers N      server processes, default 1; 0: the model writes its files itself
#   --output DIR     default ./hexagons_output
#   --level N, --days N    as of hexagons, default 6 and 12
# EPIOS_MPIEXEC in the environment names another launcher than mpiexec.mpich or mpiexec.hydra.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../run_options.sh"

target=hexagons
processes=2 servers=1 output=$PWD/hexagons_output level=6 days=12
counts=(--processes --servers) texts=(--output --level --days) flags=() unknown=after
read_options "$@"

model=$build/examples/hexagons/hexagons
reader=$build/examples/hexagons/hexagons_check
server=$build/server/epios_server
need_programs "$model" "$reader" "$server"
need_tools ncdump cdo gnuplot

mkdir -p "$output"
rm -f "$output"/dust_*.nc "$output"/dust_*.nc.part* "$output/dust.png"
trap 'rm -f "$output/cells.txt"' EXIT

# Threads that wait for each other at the end of a parallel region need not spin.
export OMP_WAIT_POLICY=passive
command=("$mpiexec" -n "$processes" "$model" --level "$level" --days "$days" --output "$output"
  --iodef "$here/iodef.xml" "${model_options[@]}")
if ((servers > 0)); then
  command+=(: -n "$servers" "$server")
fi
"${command[@]}"

for file in "$output"/dust_{daily,means}.nc; do
  [[ -f $file ]] || fail "no $file (the run wrote none). See the messages above."
  echo
  echo "== $file, seen by ncdump and cdo"
  ncdump -h "$file" | grep -E $'^\t(float|double|[a-z]+ = )|:bounds|:coordinates|:cell_measures'
  complaints=$(cdo -s sinfon "$file" 2>&1 >/dev/null) || fail "cdo cannot read $file: $complaints"
  [[ -z $complaints ]] || fail "cdo complains about $file: $complaints"
done
echo
"$reader" "$output" "$level" "$days"

# The second day, seen from above where the dust is.
day=$((days < 2 ? days : 2)) centre=$((180 + 30 * (days < 2 ? days : 2)))
cdo -s outputbounds -seltimestep,"$day" -selname,dust "$output/dust_daily.nc" |
  awk -v centre="$centre" '
    function put(k) {
      if (count && is_seen) {
        for (k = 1; k <= count; ++k) print corners[k], value
        print "\n"
      }
      count = 0
    }
    BEGIN { degree = atan2(0, -1) / 180 }
    /^>/ { put(); value = substr($2, 3); is_seen = 1; next }
    /^#/ || NF < 2 { next }
    {
      corners[++count] = $1 " " $2
      if (cos($2 * degree) * cos(($1 - centre) * degree) <= 0) is_seen = 0
    }
    END { put() }' >"$output/cells.txt"
gnuplot -e "data='$output/cells.txt'; picture='$output/dust.png'; centre=$centre" \
  -e "title_text='Dust at the end of day $day, cell by cell'" "$here/map.gp"
echo
echo "globe: $output/dust.png"
