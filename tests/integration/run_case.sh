#!/usr/bin/env bash
# One run that must succeed, and the check of its files.
#   run_case.sh <as in case.sh> <settings> <expected text> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
settings=$6 expected=$7
shift 7
write_iodef "$settings"
export EPIOS_LOG=info EPIOS_REPORT=run.json
run_job 100 "$@"
expect_success
expect_text "$expected"
! grep -E "(never|always|again) .*sent|sent again" out.txt || fail "warned of data that were sent"
expect_layout "$settings"
[[ " $* " == *" no_finalize "* ]] || expect_account
# Who does what where.
expect_text "info: server 0: process [0-9]+ on node '.+' .PID [0-9]+., (alone there|beside clients? [0-9, -]+ of '.*'): receives, writes, reads"
expect_text "epios: report: component '.*': a client was in the library for [0-9.]+ s .*process with most
epios: report: component '.*': [1-9][0-9]* sends, [1-9][0-9]* records, [0-9.]+ [kMG]?B to servers; [1-9][0-9]* written to [1-9][0-9]* files, 0 lost
epios: report: component '.*': the busiest server received for [0-9.]+ % of the time"
# All that was sent is written, which the servers have counted, and the file is as the schema says.
/usr/bin/python3 "$here/../config/report/schema_test.py" "$here/../../docs/reference/report.schema.json" run_*.json ||
  fail "the report is not what the schema says"
expect_values . "$@"
