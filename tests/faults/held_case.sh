#!/usr/bin/env bash
# A reader holds what an earlier run wrote, open, locked and mapped, while the next run replaces it: it keeps what it has, and the
# run succeeds. A job of its own locks the new file: a second reader who locks what grows is refused, and loses nothing.
#   held_case.sh <as in case.sh>
here=$(dirname "$0")/../integration
source "$here/case.sh"
begin_case "$@"
write_iodef '<!-- defaults -->'
run_job 40 > /dev/null
expect_success
before=$(sha256sum < instant.nc)
exec {held}< instant.nc
flock --shared --nonblock "$held" || fail "a final file is locked"
run_job 40
expect_success
expect_values .
[ "$(sha256sum < "/proc/self/fd/$held")" = "$before" ] || fail "the reader has other bytes"
[ "/proc/self/fd/$held" -ef instant.nc ] && fail "the file was not replaced"
# Who locks what grows keeps the run from it, which says so.
: > means.nc.part
exec {locked}< means.nc.part
flock --exclusive --nonblock "$locked" || fail "cannot lock"
run_job 40
expect_failure
expect_text "file 'means.nc': cannot be created .it is locked"
