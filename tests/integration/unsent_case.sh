#!/usr/bin/env bash
# A run whose model leaves out what files need: the job succeeds, its files are complete, and the
# user is told what was missing, once: TOLD warnings in all (1).
#   unsent_case.sh <as in case.sh> <sed script on toy.xml> <expected text> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
edit=$6 expected=$7
shift 7
write_iodef "" "$edit"
run_job 40 "$@"
expect_success
expect_text "$expected"
told=$(grep -c "^epios: warning: " out.txt)
[ "$told" -eq "${TOLD:-1}" ] || fail "$told warnings instead of ${TOLD:-1}"
expect_whole_files .
