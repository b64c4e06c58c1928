#!/bin/bash
# Runs a year of ocean_heat with 1 to 3 processes of 1 and 2 client threads: the files must hold the same
# bits as those of one client and one server.
#
# usage: check_layouts.sh <model> <server> <check_same_data> <folder of iodef.xml> <work folder>
#                         <servers, 0: attached> <owned|shared|levels: files by one server, by all, or behind gatherers>
set -uo pipefail
model=$1 server=$2 same=$3 xml=$4 work=$5 servers=$6 files=$7
rm -rf "$work"
mkdir -p "$work"
export OMP_WAIT_POLICY=passive
cp "$xml"/*.xml "$work"
# settings <name> <variable> <value>
settings() {
  sed "s|<simulation>|& <context id=\"xios\"><variable_definition><variable id=\"$2\">$3</variable></variable_definition></context>|" \
    "$xml/iodef.xml" >"$work/$1.xml"
}
settings shared shared_record_bytes 0
settings levels using_server2 true
cp "$work/iodef.xml" "$work/owned.xml"

# run <name> <model processes> <threads> <servers> <owned|shared|levels>
run() {
  local name=$1 processes=$2 threads=$3 servers=$4 files=$5
  local command=("${EPIOS_MPIEXEC:-mpiexec.mpich}" -n "$processes" "$model" --threads "$threads" --days 365
    --timestep 12 --quiet --iodef "$work/$files.xml" --output "$work/$name")
  if ((servers > 0)); then
    command+=(: -n "$servers" "$server")
  fi
  mkdir -p "$work/$name"
  timeout 60 "${command[@]}" || { echo "$name: the run failed with status $?" >&2; return 1; }
}

# has_records <file> <count>: what is compared is not empty.
has_records() {
  [[ $(ncdump -h "$1") == *"time = UNLIMITED ; // ($2 currently)"* ]] || {
    echo "$1 has not $2 records" >&2
    return 1
  }
}

run reference 1 1 1 owned || exit 1
for expected in daily=365 global=365 monthly=12 yearly=1; do
  has_records "$work/reference/ocean_${expected%=*}.nc" "${expected#*=}" || exit 1
done

failures=0
compare() {
  local name="$1 processes with $2 threads" file
  run "$name" "$1" "$2" "$servers" "$files" || { failures=$((failures + 1)); return; }
  for file in daily monthly yearly global; do
    if ! "$same" "$work/reference/ocean_$file.nc" "$work/$name/ocean_$file.nc"; then
      echo "$name: ocean_$file.nc differs from one client and one server" >&2
      failures=$((failures + 1))
    fi
  done
  rm -rf "${work:?}/$name"
}
# Threads, processes, and an odd number of processes of several threads.
compare 1 2
compare 2 1
compare 3 2
((failures == 0)) || { echo "$failures differences" >&2; exit 1; }
echo "all layouts hold the same data"
rm -rf "$work"
