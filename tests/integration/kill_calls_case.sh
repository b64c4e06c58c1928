#!/usr/bin/env bash
# Runs that are killed in the middle of a call that changes a file, at one call after the other: what has
# its final name is whole, and what is left becomes a file with all records that were durable.
#   kill_calls_case.sh <as in case.sh> <format> <durability> <library that counts and kills> [settings]
# Of several servers the first is killed, or that of the number KILLED_SERVER from 0. EPIOS_KILL_ALL=1 tries every call, else some
# of them, evenly spread (EPIOS_KILL_TRIES says how many); EPIOS_PATIENCE_S is the limit of a run. With EPIOS_KILL_SEED=<n> any of them.
source "$(dirname "$0")/case.sh"
begin_case "$@"
format=$6 durability=$7 spy=$8 settings=${9:-}
write_iodef "$settings" "s|<file id=\"([a-z]+)\"|& format=\"$format\" durability=\"$durability\"|
s|<file id=\"instant\"|& sync_freq=\"4h\"|
$([ "$format" != zarr3 ] || echo 's|<field field_ref="temp" operation="instant"|& sharding_records="3"|')"
epios=$bin/epios
tries=${EPIOS_KILL_TRIES:-8}
patience_s=${EPIOS_PATIENCE_S:-40}

# kill_at <call, 0: none>: a run in a folder of its own.
kill_at() {
  mkdir run && cp iodef.xml run && cd run || exit 1
  local spied=(env "LD_PRELOAD=$spy" "KILL_FOLDER=$PWD" "KILL_AT=$1" "KILL_COUNT=$work/calls")
  local noted=(bash -c 'echo $$ >> "$0"; exec "$@"' "$work/pids")
  local only_first=(bash -c '[ "$PMI_RANK" = "$0" ] || shift "$1"; shift; exec "$@"' "$((processes + ${KILLED_SERVER:-0}))" "${#spied[@]}")
  model_prefix=("${noted[@]}") server_prefix=("${noted[@]}")
  if ((servers > 0)); then server_prefix+=("${only_first[@]}" "${spied[@]}"); else model_prefix+=("${spied[@]}"); fi
  run_job "$patience_s" > /dev/null
  cd .. || exit 1
  # (timeout's own status; that of who was killed may be passed on)
  ((status != 124 && ended_after_s < patience_s)) || { cat run/out.txt; fail "call $1: the run hung"; }
  expect_nobody_left "$1"
}

# expect_nobody_left <call>: all processes of the run have ended.
expect_nobody_left() {
  local pid patience=250
  for pid in $(tail -n $((processes + servers)) pids); do
    while kill -0 "$pid" 2> /dev/null; do
      ((--patience > 0)) || fail "call $1: process $pid is left: $(ps -o pid,stat,args -p "$pid")"
      sleep 0.02
    done
  done
}

# expect_next_run: it succeeds where the last kill has left its files, and removes what all of them have left in memory.
expect_next_run() {
  cd run || exit 1
  model_prefix=() server_prefix=()
  run_job "$patience_s" > /dev/null
  cd .. || exit 1
  [ "$status" -eq 0 ] || { cat run/out.txt; fail "the run behind the kills ended with status $status"; }
  ! ls -d run/*.part* > /dev/null 2>&1 || fail "the run behind the kills left a .part file"
  expect_whole_files run
  [ ! -e run/instant.nc ] || "$bin/check_toy" run/instant.nc 20 14 3 12 start > check.txt || fail "the run behind the kills is wrong"
  local left
  # (older ones are of another process that had the number, or of a user whose runs alone remove them)
  left=$(find /dev/shm -maxdepth 1 -user "$(id -u)" -newer iodef.xml -printf '%f\n' | grep -E "^epios-(page-)?($(paste -sd '|' pids))-")
  [ -z "$left" ] || fail "left in /dev/shm: $left"
}

# keeps <call>: chunks of an unpublished store that were durable are those of the run without a kill.
keeps() {
  local part=run/instant.zarr.part store durable chunk
  for store in run/*.zarr; do
    [ -e "$store" ] || continue
    diff -rq -x '.z*' -x .epios.lock "$store" "whole/$(basename "$store")" || fail "call $1: $store is not whole"
  done
  [ -e "$part.records" ] && [ -e "$part" ] || return 0
  durable=$(sed -nE 's/^([0-9]+) temp$/\1/p' "$part.records")
  [ -n "$durable" ] || fail "call $1: the journal is not whole: $(cat "$part.records")"
  local record_bytes=$((20 * 14 * 3 * 8)) size first some
  for chunk in whole/instant.zarr/temp/[0-9]*; do
    size=$(stat -c %s "$chunk") chunk=$(basename "$chunk")
    ((size % record_bytes == 0)) || fail "a chunk has no whole records: $chunk has $size bytes"
    first=$((${chunk%%.*} * size / record_bytes)) some=$((size / record_bytes))
    ((first < durable)) || continue
    ((first + some <= durable)) || some=$((durable - first))
    cmp -n $((some * record_bytes)) "$part/temp/$chunk" "whole/instant.zarr/temp/$chunk" ||
      fail "call $1: a record that was durable is wrong"
  done
  ((++recovered))
}

# keeps_shards <call>: stores with their name are those of the run without a kill, and what `epios recover` makes of the
# other one has the records that were durable. A decoder of the tests' own reads them.
keeps_shards() {
  local part=run/instant.zarr.part store durable
  for store in run/*.zarr; do
    [ -e "$store" ] || continue
    "${PYTHON:?}" -B "$here/zarr3.py" "$store" "whole/$(basename "$store")" || fail "call $1: $store is not whole"
  done
  [ -e "$part.records" ] && [ -e "$part" ] || return 0
  durable=$(sed -nE 's/^([0-9]+) temp$/\1/p' "$part.records")
  [ -n "$durable" ] || fail "call $1: the journal is not whole: $(cat "$part.records")"
  "$epios" recover --output run/made.zarr "$part" > recovered.txt 2>&1 || fail "call $1: $(cat recovered.txt)"
  grep -qx "run/made.zarr: $durable records" recovered.txt || fail "call $1: other records: $(cat recovered.txt)"
  expect_remark "$1" "$durable"
  ((durable == 0)) || "$PYTHON" -B "$here/zarr3.py" run/made.zarr whole/instant.zarr "$durable" || fail "call $1: a record that was durable is wrong"
  ((++recovered))
}

# expect_remark <call> <records>: before the first ones, not even coordinates need be there.
expect_remark() {
  (($2 > 0)) || grep -q "made.*: no record was durable, so that coordinates may be missing, too" recovered.txt ||
    fail "call $1: nobody says that coordinates may be missing"
}

# recovers <call>: what is left of file instant, all of whose records are known.
recovers() {
  local part=run/instant.nc.part durable torn
  [ -e "$part.records" ] || return 0  # nothing was promised yet
  if [ ! -e "$part" ]; then
    [ -e run/instant.nc ] || fail "call $1: neither a file nor what becomes one is there"
    return 0  # killed before the journal was removed
  fi
  durable=$(sed -nE 's/^([0-9]+) temp$/\1/p' "$part.records")
  [ -n "$durable" ] || fail "call $1: the journal is not whole: $(cat "$part.records")"
  if ! "$epios" recover --output run/made.nc "$part" > recovered.txt 2>&1; then
    # HDF5's structure can be torn while it is flushed; then the file is refused, and says so.
    torn=$(grep -cE "cannot be recovered .*killed while it flushed. Then its structure is torn|as HDF5 does over damaged" recovered.txt)
    [ "$format" != cdf5 ] && [ "$torn" -eq 1 ] && [ ! -e run/made.nc ] || fail "call $1: $(cat recovered.txt)"
    ((++refused))
    return 0
  fi
  grep -qx "run/made.nc: $durable records" recovered.txt || fail "call $1: other records: $(cat recovered.txt)"
  expect_remark "$1" "$durable"
  ((durable == 0)) || "$bin/check_toy" run/made.nc 20 14 3 $((2 * durable)) start > check.txt ||
    fail "call $1: a record that was durable is wrong"
  ((++recovered))
}

kill_at 0
[ "$status" -eq 0 ] || { cat run/out.txt; fail "the run without a kill ended with status $status"; }
calls=$(cat calls)
[ "$calls" -gt 50 ] || fail "only $calls calls were counted"
mv run whole
if [ -n "${EPIOS_KILL_ALL:-}" ]; then tries=$calls; fi
recovered=0 refused=0 killed=0
for ((n = 1; n <= tries; ++n)); do echo $((n * calls / tries)); done | sort -nu > chosen
if [ -n "${EPIOS_KILL_SEED:-}" ]; then
  seq "$calls" | shuf -n "$tries" --random-source=<(yes "$EPIOS_KILL_SEED") | sort -n > chosen
fi
for call in $(cat chosen); do
  ((++killed))
  kill_at "$call"
  # The last calls close what is whole: of them the launcher may not see that the process died.
  ls -d run/*.part > /dev/null 2>&1 && [ "$status" -eq 0 ] && fail "call $call: the run ended well and left a .part file"
  expect_whole_files run
  if [ -e run/instant.nc ]; then
    "$bin/check_toy" run/instant.nc 20 14 3 12 start > check.txt || fail "call $call: instant.nc is not whole"
  fi
  case $format in
    zarr) keeps "$call" ;;
    zarr3) keeps_shards "$call" ;;
    *) recovers "$call" ;;
  esac
  # The next run starts from what the last kill has left.
  if ((killed == $(wc -l < chosen))); then expect_next_run; fi
  rm -rf run
done
echo "$calls calls, killed at $killed: $recovered recovered, $refused torn and refused"
((recovered > 0)) || [ -n "${EPIOS_KILL_SEED:-}" ] || fail "nothing was recovered"
