#!/usr/bin/env bash
# One run whose files are stored in another way: the values must be the same, and readers must say
# how they are stored.
#   storage_case.sh <as in case.sh> <settings> <edit> <expected> <model options...>
# <edit>      sed script for toy.xml
# SAYS in the environment is a text that the job must print; NEEDS a file without which the case is skipped.
# <expected>  lines of a file and an extended regular expression: a line of its `ncdump -hs`
source "$(dirname "$0")/case.sh"
begin_case "$@"
settings=$6 edit=$7 expected=$8
shift 8
[ -z "${NEEDS:-}" ] || [ -e "$NEEDS" ] || skip "there is no $NEEDS"
write_iodef "$settings" "$edit"
export EPIOS_LOG=info
run_job 100 "$@"
expect_success
expect_layout "$settings"
expect_account
[ -z "${SAYS:-}" ] || expect_text "$SAYS"
expect_values . "$@"
while read -r file text; do
  header_of "$file" > header.txt || fail "ncdump cannot read $file"
  grep -Eq -- "$text" header.txt || fail "the header of $file does not say: $text"
done <<< "$expected"
for file in *.nc; do
  cdo -s infon "$file" > cdo.txt 2>&1 || { cat cdo.txt; fail "cdo cannot read $file"; }
done
