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

# What was durable makes a file, and nothing else does.
epios=$bin/epios
"$epios" recover instant.nc.part > recovered.txt || fail "cannot be recovered"
grep -qx "instant.nc: $durable records" recovered.txt || fail "other records: $(cat recovered.txt)"
"$bin/check_toy" instant.nc 60 50 10 $((2 * durable)) start || fail "a recovered record is wrong"
for field in temp index profile time_counter; do
  [ "$(ncdump -h instant.nc | sed -nE 's/.*UNLIMITED.*\(([0-9]+) currently\)/\1/p')" -eq "$durable" ] || fail "$field has other records"
done
header_of instant.nc.part > part_header.txt && header_of instant.nc > header.txt || fail "ncdump reads no header"
diff <(sed -E '2d;/UNLIMITED|_Storage|_Endianness|_NoFill|_Superblock|_NCProp|_IsNetcdf4/d' part_header.txt) \
  <(sed -E '2d;/UNLIMITED|_Storage|_Endianness|_NoFill|_Superblock|_NCProp|_IsNetcdf4/d' header.txt) || fail "another header"
cdo -s infon instant.nc > cdo.txt 2>&1 || { cat cdo.txt; fail "cdo cannot read what was recovered"; }
# expect_refusal <text> <arguments of recover...>
expect_refusal() {
  local text=$1
  shift
  ! "$epios" recover "$@" > refused.txt 2>&1 || fail "recovered: $*"
  grep -Eq "$text" refused.txt || fail "another text than '$text': $(cat refused.txt)"
}
expect_refusal "there is a file 'instant.nc' already" instant.nc.part
expect_refusal "its name does not end in '.part'" instant.nc
mv "$journal" journal
expect_refusal "its journal 'instant.nc.part.records' is not there" --output other.nc instant.nc.part
sed 's/^epios records 1$/epios records 2/' journal > "$journal"
expect_refusal "its journal '.*' is of another kind" --output other.nc instant.nc.part
sed 's/temp$/tempp/' journal > "$journal"
expect_refusal "its journal names 'tempp', which it has not" --output other.nc instant.nc.part
sed 's/^[0-9]* temp$/x temp/' journal > "$journal"
expect_refusal "has the line 'x temp'" --output other.nc instant.nc.part
cp journal "$journal"
flock instant.nc.part "$epios" recover --output other.nc instant.nc.part > refused.txt 2>&1 && fail "recovered what a job is writing"
head -c 2000 instant.nc.part > torn.nc.part
cp journal torn.nc.part.records
expect_refusal "file 'torn.nc.part' cannot be recovered" torn.nc.part
[ ! -e other.nc ] && [ ! -e torn.nc ] || fail "a refused file was made"
