#!/usr/bin/env bash
# What durability="disk" promises against a loss of power: a file is brought to disk before it gets its
# final name, and so is that name.
#   durable_case.sh <as in case.sh> <process|disk> <settings> <library that logs fsync and rename>
source "$(dirname "$0")/case.sh"
begin_case "$@"
durability=$6 settings=$7 spy=$8
write_iodef "$settings" "s|<file id=\"instant\"|& durability=\"$durability\"|"
export EPIOS_LOG=info
spied=(env LD_PRELOAD="$spy" DISK_LOG="$work/disk.log")
model_prefix=("${spied[@]}") server_prefix=("${spied[@]}")
run_job 100
cat disk.log
expect_success
expect_layout "$settings"
expect_values .
part=$work/instant.nc.part
grep -qx "rename $part" disk.log || fail "the spy saw nothing"
case $durability in
  process) ! grep -q "^fsync $work" disk.log || fail "durability=\"process\" waits for the disk" ;;
  disk)
    before=$(sed "/^rename ${part//\//\\/}\$/q" disk.log)
    after=$(sed "1,/^rename ${part//\//\\/}\$/d" disk.log)
    last=$(grep -nx "fsync $part" <<< "$before" | tail -n 1)
    [ -n "$last" ] || fail "the file gets its final name before it is on disk"
    grep -qx "fsync $work" <<< "$after" || fail "the final name is not brought to disk"
    # Another job may take the name of the .part file, and of its journal, from now on.
    [ "$(grep -E "$work" <<< "$after" | head -n 1)" = "unlink $part.records" ] || fail "the journal stays after the rename"
    ;;
  *) fail "unknown durability: $durability" ;;
esac
