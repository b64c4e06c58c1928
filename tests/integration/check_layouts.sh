#!/bin/bash
# Runs ocean_heat on several layouts of clients, threads and servers: the files must hold the same
# bits. 40 days, so that every kind of file but the yearly one has records.
#
# usage: check_layouts.sh <model> <server> <check_same_data> <folder of iodef.xml> <work folder>
set -uo pipefail
model=$1 server=$2 same=$3 xml=$4 work=$5
rm -rf "$work"
mkdir -p "$work"
export OMP_WAIT_POLICY=passive

# run <name> <model processes> <threads> <servers>
run() {
  local name=$1 processes=$2 threads=$3 servers=$4
  local command=(mpiexec.mpich -n "$processes" "$model" --threads "$threads" --days 40
    --timestep 6 --quiet --iodef "$xml/iodef.xml" --output "$work/$name")
  if ((servers > 0)); then
    command+=(: -n "$servers" "$server")
  fi
  mkdir -p "$work/$name"
  timeout 60 "${command[@]}" || { echo "$name: the run failed with status $?" >&2; return 1; }
}

failures=0
run reference 1 1 1 || exit 1
compare() {
  run "$@" || { failures=$((failures + 1)); return; }
  local file
  for file in daily monthly yearly global; do
    if ! "$same" "$work/reference/ocean_$file.nc" "$work/$1/ocean_$file.nc"; then
      echo "$1: ocean_$file.nc differs from one client and one server" >&2
      failures=$((failures + 1))
    fi
  done
}
compare two_clients 2 1 1
compare three_clients 3 1 1
compare two_threads 1 2 1
compare two_by_two 2 2 1
compare two_servers 1 1 2
compare two_threads_two_servers 1 2 2
compare attached 1 1 0
compare attached_threads 1 2 0
compare attached_processes 2 1 0
((failures == 0)) || { echo "$failures differences" >&2; exit 1; }
echo "all layouts hold the same data"
rm -rf "$work"
