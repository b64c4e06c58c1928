#!/usr/bin/env bash
# A process of a run with split_freq is killed: parts that were complete have their final names and all their
# values; of the others none has one.
#   split_kill_case.sh <as in case.sh> <toy_model|epios_server> <settings> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
victim=$6 settings=$7
shift 7
write_iodef "$settings" 's|<file id="instant"|& split_freq="4h"|'
export EPIOS_LOG=info
second=instant_2000010104-2000010107.nc

start_job 60 "$@"
wait_for "the second part" test -e $second
kill_one "$victim"
expect_failure
expect_whole_files .
for part in instant_*.nc; do
  [ "$(numbers_of "$part" index | grep -c .)" -eq 2 ] || fail "$part has other records"
done
# Each hour is 3600 s, each record two of them.
[ "$(numbers_of $second time_instant | tr '\n' ' ')" = "315381600 315388800" ] ||
  fail "times of $second: $(numbers_of $second time_instant)"
left=$(find . -name 'instant_*.part' | wc -l)
((left <= 2)) || fail "$left parts are unfinished"  # none between two of them
for part in instant_*.part; do
  # One that was being made, or being given its name, has none.
  [ ! -e "$part.records" ] || grep -qx 'epios records 1' "$part.records" || fail "$part has a strange journal"
  [ ! -e "${part%.part}" ] || fail "$part is final, too"
done
