#!/usr/bin/env bash
# A file with split_freq: its parts one after the other are the file without it, to the last bit; each has
# its final name as soon as it is complete. SPLIT_MORE in the environment holds more attributes of the files.
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
cmp <(records) whole_records.txt || fail "other records"
expect_layout "$settings"
[ -e "$first" ] || fail "no part $first: $(find . -name '*.nc')"
for file in instant means surface; do
  ls -1 "${file}_parts"
  (($(ls -1 "${file}_parts" | wc -l) > 1)) || fail "$file is in one part"
  for field in $(fields_of "whole/$file.nc"); do
    for part in "${file}_parts"/*.nc; do numbers_of "$part" "$field" && echo; done | sed '/^$/d' > parts.txt
    { numbers_of "whole/$file.nc" "$field" && echo; } | sed '/^$/d' > whole.txt
    [ -s whole.txt ] || fail "no numbers of $field"
    cmp parts.txt whole.txt || fail "$field of $file differs"
  done
done
