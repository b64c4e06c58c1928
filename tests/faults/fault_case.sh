#!/usr/bin/env bash
# Runs in which a system call of the process that writes fails, at one call after the other.
#   fault_case.sh <bin> <mpiexec> <name> <library that lets calls fail> <a line of faults.txt...>
# EPIOS_KILL_SEED=<n> takes another cell of formats and places, and other calls; EPIOS_FAULTS=<n> tries so many calls.
here=$(dirname "$0")/../integration
name=$3 spy=$4
read -r call fault often durability at_netcdf4 at_cdf5 at_zarr format place text <<< "${*:5}"
formats=(netcdf4 cdf5 zarr) places=(dedicated attached in_process)
if [ -n "${EPIOS_KILL_SEED:-}" ]; then
  format=${formats[$((EPIOS_KILL_SEED % 3))]} place=${places[$((EPIOS_KILL_SEED / 3 % 3))]}
fi
expected=at_$format
expected=${!expected}
servers=0 settings='<!-- defaults -->'
case $place in
  dedicated) servers=1 ;;
  in_process) settings='<variable id="servers_per_process">1</variable>' ;;
esac
source "$here/case.sh"
begin_case "$1" "$2" "$name" 1 "$servers"
write_iodef "$settings" "s|<file id=\"([a-z]+)\"|& format=\"$format\" durability=\"$durability\" sync_freq=\"4h\"|"

# run_with <call, 0: none>: in a folder of its own.
run_with() {
  mkdir run && cp iodef.xml run && cd run || exit 1
  local spied=(env "LD_PRELOAD=$spy" "KILL_FOLDER=$PWD" "KILL_AT=$1" "KILL_COUNT=$work/calls" "FAULT=$fault" "FAULT_CALL=$call")
  [ "$often" = once ] || spied+=("FAULT_LASTS=1")
  if ((servers > 0)); then server_prefix=("${spied[@]}"); else model_prefix=("${spied[@]}"); fi
  run_job "${EPIOS_PATIENCE_S:-40}" > /dev/null
  mv out.txt "$work"
  cd .. || exit 1
}

# contents <folder>: what its files and stores with final names say, without when they were made.
contents() {
  local file
  for file in "$1"/*.nc; do
    [ -e "$file" ] || continue
    echo "$(basename "$file")" "$(ncdump "$file" | grep -vE '^\s*:(timeStamp|history|uuid) = ' | sha256sum)"
  done
  for file in "$1"/*.zarr; do
    [ -e "$file" ] || continue
    echo "$(basename "$file")" "$(cd "$file" && find . -type f ! -name '.z*' ! -name .epios.lock | sort | xargs sha256sum | sha256sum)"
  done
}

refuse() {
  cat out.txt
  ls -l run
  fail "$format $place, $call call $n: $1"
}

n=0
run_with 0
[ "$status" -eq 0 ] || refuse "the run without a fault ended with status $status"
calls=$(cat calls)
if [ "$calls" -eq 0 ] && [ -n "${EPIOS_KILL_SEED:-}" ]; then
  echo "skipped: $format $place has no such call"
  exit 77
fi
[ "$calls" -gt 0 ] || refuse "there is no such call"
contents run > whole.txt
[ "$(wc -l < whole.txt)" -eq 3 ] || refuse "not all files were written"
rm -r run
tries=${EPIOS_FAULTS:-2}
[ "$call" != memory ] || tries=$((4 * tries))
for ((n = 1; n <= tries; ++n)); do echo $((n * calls / (tries + 1) + 1)); done | sort -nu > chosen
if [ -n "${EPIOS_KILL_SEED:-}" ]; then
  seq "$calls" | shuf -n "$tries" --random-source=<(yes "$EPIOS_KILL_SEED") | sort -n > chosen
fi
# What is no call on a file may strike where there is none yet.
whose="(file|field|context) '"
case $call in thread | memory) whose="error: " ;; esac
# In the process of the model it may be the model's own memory, of which only its C++ can say anything.
[ "$call" != memory ] || [ "$place" = dedicated ] || text="($text|std::bad_alloc\$)"
whole=0 named=0 tried=0
for n in $(cat chosen); do
  run_with "$n"
  ((++tried))
  [ "$status" -ne 124 ] && [ "$status" -ne 137 ] || refuse "the run hung"
  ! grep -qE "Segmentation fault|Aborted|terminate called|SIGNAL: [0-9]|AddressSanitizer" out.txt || refuse "a process crashed"
  contents run > found.txt
  if [ -n "$(comm -13 <(sort whole.txt) <(sort found.txt))" ]; then refuse "a file has its final name and other contents"; fi
  if [ "$status" -eq 0 ]; then
    cmp -s whole.txt found.txt || refuse "the run succeeded, but files are missing"
    ! ls -d run/*.part > /dev/null 2>&1 || refuse "the run succeeded and left a .part file"
    [ "$expected" != named ] || refuse "the run succeeded, but a call failed that it needs"
    ((++whole))
  else
    [ "$expected" != whole ] || refuse "the run failed, but nothing was lost"
    grep -qE "$whose.*$text" out.txt || refuse "no error that has '$text' and says whose"
    ((++named))
  fi
  rm -rf run
done
echo "$format $place: $calls calls, failed at $tried: $whole whole, $named named"
