#!/usr/bin/env bash
# A file with sync_freq: while the job runs, its journal names records that are durable, and they are
# in the .part file, to the last bit, after a process is killed.
#   sync_case.sh <as in case.sh> <toy_model|epios_server> <settings> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
victim=$6 settings=$7
shift 7
write_iodef "$settings" 's|<file id="instant"|& sync_freq="4h"|'
export EPIOS_LOG=info
journal=instant.nc.part.records

# How many records the journal promises: a sync point is one instant, the same for all variables and
# all servers that share the file.
durable_records() {
  sed -nE 's/^([0-9]+) (temp|index|profile|time_instant)$/\1/p' "$journal" 2> /dev/null | sort -n | uniq -c |
    sed -nE 's/^ *4 ([0-9]+)$/\1/p'
}
first_sync_is_over() { [ "$(durable_records)" -ge 2 ] 2> /dev/null; }

start_job 60 "$@"
wait_for "a sync" first_sync_is_over
kill_one "$victim"
expect_failure
expect_layout "$settings"
cat "$journal"
expect_no_final_file
grep -qx 'epios records 1' "$journal" || fail "the journal does not begin with its version"
durable=$(durable_records)
[ -n "$durable" ] || fail "the journal promises more of one variable than of another"
[ "$durable" -ge 2 ] || fail "the journal lost a record that was durable"
# toy.xml writes a record every two steps of an hour.
((durable % 2 == 0)) || fail "the journal is not at a multiple of four hours"
"$bin/check_toy" instant.nc.part 60 50 10 $((2 * durable)) start || fail "a durable record is wrong"
