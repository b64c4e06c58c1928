#!/usr/bin/env bash
# append="true": two runs, one behind the other, make the records of both, to the last bit; what does not
# fit is an error, and what was there stays.
#   append_case.sh <as in case.sh> <settings> <edit> <model options...>
# DIGITS in the environment: with an error of significant_digits, which are 3. OTHER_WRITERS: the files are apart, also the
# errors of other servers. ALL: with the other errors, and with runs that count times from other dates.
# AGAIN_SERVERS, AGAIN_EDIT: of the run that replaces records, which may have other servers and write in another way.
source "$(dirname "$0")/case.sh"
begin_case "$@"
settings=$6 edit=$7
shift 7
# run_from <date> <append> [further edit]: a run of 12 h in a folder of its own, $folder, with the files of $before.
run_from() {
  write_iodef "$settings" "$edit
s|start_date=\"2000-01-01 00:00:00\"|start_date=\"$1\"|
s|<file id=\"(instant\|means\|surface)\"|& append=\"$2\"|${3:+
$3}"
}
export EPIOS_LOG=info
run_from "2000-01-01 00:00:00" false
run_job 50 "$@"
expect_success
mkdir first second
cp ./*.nc first
rm ./*.nc
run_from "2000-01-01 12:00:00" true  # where there is nothing
run_job 50 "$@"
expect_success
mv ./*.nc second

# Nothing is there: as without append.
run_from "2000-01-01 00:00:00" true
run_job 50 "$@"
expect_success
for file in first/*.nc; do
  cmp <(ncdump -p 9,17 "$file" | grep -vE ':(timeStamp|uuid) = ') <(ncdump -p 9,17 "$(basename "$file")" | grep -vE ':(timeStamp|uuid) = ') ||
    fail "append changes a new file"
done

run_from "2000-01-01 12:00:00" true
run_job 50 "$@"
expect_success
# Each file has the records of the first run and those of the second.
for name in $( (cd first && ls ./*.nc; cd ../second && ls ./*.nc) | sort -u); do
  /usr/bin/python3 "$here/same_records.py" "$name" $(ls {first,second}/"$name" 2> /dev/null) || fail "$name differs"
  cdo -s infon "$name" > cdo.txt 2>&1 || { cat cdo.txt; fail "cdo cannot read $name"; }
done
! grep -q HDF5-DIAG out.txt || fail "HDF5 talks"
! grep -q "are not before this run" out.txt || fail "nothing was replaced"
# The same again: what the run before had written is replaced, and said.
mkdir both
cp ./*.nc both
usual_servers=$servers
servers=${AGAIN_SERVERS:-$servers}
run_from "2000-01-01 12:00:00" true "${AGAIN_EDIT:-}"
run_job 50 "$@"
servers=$usual_servers
expect_success
for file in both/*.nc; do "$bin/epios" diff "$file" "$(basename "$file")" || fail "$file differs"; done
grep -Eq "warning: file '[-a-z0-9_]+.nc': [1-9][0-9]* of its [0-9]+ records are not before this run, which replaces them" out.txt ||
  fail "no word of what was replaced"

# expect_refusal <expected text> <further edit> <model options...>: and all files stay as they are.
expect_refusal() {
  local expected=$1 further=$2
  shift 2
  md5sum ./*.nc > sums.txt
  run_from "2000-01-01 18:00:00" true "$further"
  run_job 50 "$@"
  expect_failure
  expect_text "$expected"
  md5sum --quiet -c sums.txt || fail "a file was changed"
  rm -f ./*.part*
}
# Would have found records of 10 bits in a file that says 7 of all.
[ -z "${DIGITS:-}" ] ||
  expect_refusal "file 'means.nc' cannot be continued .significant_digits of 'temp_max' is '3' in it and '2' in this run" 's|significant_digits="3"|significant_digits="2"|' "$@"
# Other writers of files apart would leave those that are there behind.
[ -z "${OTHER_WRITERS:-}" ] || {
  some="(instant|means|surface)"
  servers=1
  expect_refusal "file '$some.nc' cannot be continued .'${some}_0.nc' is there, which an earlier run has written as $usual_servers files, one of each writer; this one writes as one file.. Start as many servers as then" "" "$@"
  servers=$((usual_servers + 1))
  expect_refusal "file '${some}_[0-9].nc' cannot be continued .'${some}_[0-9].nc' is there, which an earlier run has written as $usual_servers files, one of each writer; this one writes as $servers files" "" "$@"
  rm ./*.nc
  servers=1
  run_from "2000-01-01 00:00:00" true
  run_job 50 "$@"
  expect_success
  servers=$usual_servers
  expect_refusal "file '${some}_[0-9].nc' cannot be continued .'$some.nc' is there, which an earlier run has written as one file; this one writes as $servers files" "" "$@"
}
[ -n "${ALL:-}" ] || exit 0

# Would have found that a file said of all records that they are made of samples at the distance of the last run's.
run_from "2000-01-01 18:00:00" true 's#(<field field_ref="surface" operation="average")#\1 freq_op="3h"#'
run_job 50 "$@"
expect_success
grep -Eq "warning: file 'surface[-a-z0-9_]*.nc': interval_operation of 'surface' was '.*' and is '3 h' in this run .freq_op, or the time step.: the file says it of the earlier records, too" out.txt ||
  fail "no word of the other freq_op"

# Each run counts from its own start: what is there already counts from the first's, and what follows, too.
dates() { ncdump -t -v time_counter "$1" | sed -n '/^data:/,$p'; }
rm ./*.nc
for start in "2000-01-01 00:00:00" "2000-01-01 12:00:00"; do
  run_from "$start" true 's| time_origin="1990-01-01"||'
  run_job 50 "$@"
  expect_success
done
for file in both/means*.nc both/surface*.nc; do
  cmp <(dates "$file") <(dates "$(basename "$file")") || fail "other dates in $file"
done
rm ./*.nc
cp both/*.nc .

expect_refusal "file '[-a-z0-9_]+.nc' cannot be continued .(the shape of )?'[a-z_]+' .*lon=20.* in it and .*lon=21.* in this run" "" "$@" --nx 21
expect_refusal "file '[-a-z0-9_]+.nc' cannot be continued .calendar of 'time[a-z_]*' is 'noleap' in it and '360_day' in this run" 's|type="NoLeap"|type="D360"|' "$@"
expect_refusal "file 'means[-a-z0-9_]*.nc' cannot be continued .it has 'temp_sum', which this run does not write" 's|name="temp_sum"|name="temp_all"|' "$@"
expect_refusal "file 'surface[-a-z0-9_]*.nc' cannot be continued .units of 'surface' is 'degC' in it and 'K' in this run" 's|id="surface" domain_ref="d_masked" unit="degC"|id="surface" domain_ref="d_masked" unit="K"|' "$@"
expect_refusal "file 'means[-a-z0-9_]*.nc' cannot be continued .online_operation of '[a-z_]+' is 'average' in it and 'maximum' in this run" 's|operation="average"|operation="maximum"|' "$@"
expect_refusal "file 'instant[-a-z0-9_]*.nc' cannot be continued .the type of 'index' is 'double' in it and 'float' in this run" 's|(<field field_ref="index" operation="instant") prec="8"|\1|' "$@"
# A file that is none is not written over.
victim=$(ls ./*.nc | tail -1)
echo "not NetCDF" > "$victim"
expect_refusal "file '$(basename "$victim")' cannot be opened" "" "$@"
