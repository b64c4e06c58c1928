#!/bin/bash
# The coupled example in several layouts: what each model receives is the same to the last bit.
#
# usage: check_coupled_layouts.sh <ocean> <atmosphere> <server> <check_same_data> <iodef.xml> <work folder>
set -uo pipefail
ocean=$1 atmosphere=$2 server=$3 same=$4 iodef=$5 work=$6
rm -rf "$work"
export OMP_WAIT_POLICY=passive
# <processes x threads of the ocean>,<of the atmosphere>,<servers>
for layout in 1x2,1x1,1 2x1,1x3,2 1x3,2x2,0; do
  IFS=, read -r sea sky servers <<<"$layout"
  folder=$work/$layout options=(--days 2 --iodef "$iodef" --output "$work/$layout")
  mkdir -p "$folder"
  command=("${EPIOS_MPIEXEC:-mpiexec.mpich}" -n "${sea%x*}" "$ocean" --threads "${sea#*x}" "${options[@]}"
    : -n "${sky%x*}" "$atmosphere" --threads "${sky#*x}" "${options[@]}")
  ((servers == 0)) || command+=(: -n "$servers" "$server")
  timeout 60 "${command[@]}" || { echo "$layout: the run failed with status $?" >&2; exit 1; }
  for file in coupled_at_sea.nc coupled_at_sky.nc coupled_sea.nc; do
    [[ -s $folder/$file ]] || { echo "$layout: no $file" >&2; exit 1; }
    "$same" "$work/1x2,1x1,1/$file" "$folder/$file" ||
      { echo "$layout: $file differs from the first layout" >&2; exit 1; }
  done
done
echo "all layouts hold the same data"
rm -rf "$work"
