#!/usr/bin/env bash
# A file with split_freq: its parts one after the other are the file without it, to the last bit; each has
# its final name as soon as it is complete. SPLIT_MORE in the environment holds more attributes of the files;
# SPLIT_LEFT which records they leave in the parts, a line "<file> <numbers from 1...>" each; SPLIT_ONCE a field of
# file instant that is written once: in its last part only, since it comes late.
#   split_case.sh <as in case.sh> <settings> <split_freq> <first part> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
settings=$6 split=$7 first=$8
shift 8
# Records written, over all parts of each file.
records() { sed -nE 's|^(instant\|means\|surface)[^ ]*\.nc: ([0-9]+) records, 0 lost, .*|\1 \2|p' out.txt |
  awk '{ sum[$1] += $2 } END { for (file in sum) print file, sum[file] }' | sort; }

export EPIOS_LOG=info
write_iodef "$settings"
run_job 50 "$@"
expect_success
records > whole_records.txt
mkdir whole
mv instant.nc means.nc surface.nc whole

write_iodef "$settings" "s|<file id=\"(instant\|means\|surface)\"|& split_freq=\"$split\" ${SPLIT_MORE:-} name=\"\\1_parts/\\1\"|"
run_job 50 "$@"
expect_success
[ -n "${SPLIT_LEFT:-}" ] || cmp <(records) whole_records.txt || fail "other records"
expect_layout "$settings"
[ -e "$first" ] || fail "no part $first: $(find . -name '*.nc')"
for file in instant means surface; do
  ls -1 "${file}_parts"
  [ -n "${SPLIT_LEFT:-}" ] || (($(ls -1 "${file}_parts" | wc -l) > 1)) || fail "$file is in one part"
  left=()
  [ -z "${SPLIT_LEFT:-}" ] || left=(--left "$(sed -n "s/^$file //p" <<< "$SPLIT_LEFT")")
  /usr/bin/python3 "$here/same_records.py" "${left[@]}" "whole/$file.nc" "${file}_parts"/*.nc || fail "$file differs"
done
[ -z "${SPLIT_ONCE:-}" ] || {
  for part in instant_parts/*.nc; do last=$part; done
  [ "$last" != "$first" ] || fail "one part only"
  cmp <(numbers_of "$last" "$SPLIT_ONCE") <(numbers_of whole/instant.nc "$SPLIT_ONCE") || fail "other $SPLIT_ONCE"
  ! grep -qv NaN < <(numbers_of "$first" "$SPLIT_ONCE") || fail "$SPLIT_ONCE in a part that was closed before it came"
  expect_text "file '$first' has no values of field '$SPLIT_ONCE', which is written once"
}
