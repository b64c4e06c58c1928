#!/usr/bin/env bash
# One run that must fail: non-zero exit in time, the expected texts, and no final file.
#   bad_case.sh <as in case.sh> <sed script on toy.xml> <expected text> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
edit=$6 expected=$7
shift 7
write_iodef "" "$edit"
run_job 40 "$@"
expect_failure
expect_end_within 20
expect_text "$expected"
[ -n "${ALLOW_FINAL:-}" ] || expect_no_final_file
