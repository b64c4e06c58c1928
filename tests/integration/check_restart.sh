#!/bin/bash
# Cuts runs of ocean_heat at random days: the jobs together, on other processes and servers each time, leave
# the files of the uncut run, bit for bit.
#
# usage: check_restart.sh <model> <server> <check_same_data> <folder of iodef.xml> <work folder> [seed]
set -uo pipefail
model=$1 server=$2 same=$3 xml=$4 work=$5
RANDOM=${6:-${EPIOS_TEST_SEED:-1}}
rm -rf "$work"
mkdir -p "$work"
cp "$xml"/*.xml "$work"
export OMP_WAIT_POLICY=passive

# run <folder> <model processes> <threads> <servers> <options...>
run() {
  local folder=$1 processes=$2 threads=$3 servers=$4
  shift 4
  local command=("${EPIOS_MPIEXEC:-mpiexec.mpich}" -n "$processes" "$model" --threads "$threads" --days 365
    --timestep 12 --quiet --iodef "$work/iodef.xml" --output "$work/$folder" "$@")
  ((servers == 0)) || command+=(: -n "$servers" "$server")
  timeout 60 "${command[@]}" || { echo "$folder $*: the run failed with status $?" >&2; exit 1; }
}

run whole 1 1 1
[[ $(ncdump -h "$work/whole/ocean_daily.nc") == *"time = UNLIMITED ; // (365 currently)"* ]] || {
  echo "the uncut run has not 365 days" >&2
  exit 1
}
# The first one is half a year.
for day in 182 $((1 + RANDOM % 364)) $((1 + RANDOM % 364)); do
  run cut $((1 + RANDOM % 2)) $((1 + RANDOM % 2)) $((RANDOM % 3)) --stop "$day"
  run cut $((1 + RANDOM % 3)) 1 $((RANDOM % 3)) --restart "$day"
  for file in daily monthly yearly global; do
    "$same" "$work/whole/ocean_$file.nc" "$work/cut/ocean_$file.nc" || {
      echo "cut after day $day: ocean_$file.nc differs from the uncut run's" >&2
      exit 1
    }
  done
  rm -rf "$work/cut"
done
# Without its restart file a job says which context misses what, and ends.
run cut 1 1 1 --stop 20
rm "$work/cut/ocean_restart.nc"
said=$(timeout 60 "${EPIOS_MPIEXEC:-mpiexec.mpich}" -n 2 "$model" --threads 1 --days 365 --timestep 12 --quiet \
  --iodef "$work/iodef.xml" --output "$work/cut" --restart 20 : -n 1 "$server" 2>&1)
status=$?
((status != 0 && status != 124)) || { echo "a job without its restart file ended with status $status" >&2; exit 1; }
grep -q "context 'ocean_restart_in': .*file '$work/cut/ocean_restart.nc' cannot be read (it does not exist). Is its name right?" <<<"$said" || {
  echo "the missing restart file is not named: $said" >&2
  exit 1
}
rm -rf "$work/cut"
# Of three jobs: the second one goes on and stops, too.
run cut 1 2 1 --stop 40
run cut 2 1 0 --restart 40 --stop 200
run cut 3 1 2 --restart 200
for file in daily monthly yearly global; do
  "$same" "$work/whole/ocean_$file.nc" "$work/cut/ocean_$file.nc" || exit 1
done
rm -rf "$work"
