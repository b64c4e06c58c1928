#!/usr/bin/env bash
# A run that goes on with a file is killed: the file is as it was.
#   append_kill_case.sh <as in case.sh> <settings>
source "$(dirname "$0")/case.sh"
begin_case "$@"
settings=$6
write_iodef "$settings"
run_job 50 --nx 60 --ny 50
expect_success
md5sum ./*.nc > sums.txt
write_iodef "$settings" 's|start_date="2000-01-01 00:00:00"|start_date="2000-01-01 12:00:00"|
s|<file id="(instant\|means\|surface)"|& append="true"|'
start_job 60 --nx 60 --ny 50 --steps 200000
wait_for "the first file" test -s instant.nc.part.records
sleep 0.3
kill_one epios_server
expect_failure
md5sum --quiet -c sums.txt || fail "a file was changed"
[ -s instant.nc.part ] || fail "no file was open"
