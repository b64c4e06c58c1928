#!/usr/bin/env bash
# indexed_output: the values of all points that have any, and which points these are; the others are missing
# in the file that is written without it.
#   gather_case.sh <as in case.sh> <settings> <edit> <file> <field> <points variable> <compress> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
settings=$6 edit=$7 file=$8 field=$9 points=${10} compress=${11}
shift 11
write_iodef "$settings" "$edit"
run_job 50 "$@"
expect_success
mkdir whole
mv ./*.nc whole
write_iodef "$settings" "$edit
s|(<field [^>]*(field_ref=\"$field\"\|name=\"$field\"))|\1 indexed_output=\"true\"|"
run_job 50 "$@"
expect_success
! grep -E " [1-9][0-9]* lost" out.txt || fail "records are lost"
ncdump -h "$file" > header.txt
cat header.txt
grep -q "$points:compress = \"$compress\"" header.txt || fail "no attribute compress"
grep -qE "$field\(time_counter, (depth, )?$points\)" header.txt || fail "another shape"
for variable in lat lon time_counter; do
  cmp <(numbers_of "whole/$file" $variable) <(numbers_of "$file" $variable) || fail "$variable differs"
done
cdo -s infon "$file" > cdo.txt 2>&1 || { cat cdo.txt; fail "cdo cannot read $file"; }
# Put back to their places they are the whole file.
cells=$(("$(numbers_of "whole/$file" lat | grep -c .)" * "$(numbers_of "whole/$file" lon | grep -c .)"))
awk -v cells="$cells" '
  FILENAME == ARGV[1] { place[n++] = $1; next }
  FILENAME == ARGV[2] { value[m++] = $1; next }
  { whole[w++] = $1 }
  END {
    if (n == 0 || n >= cells || m % n != 0 || w % cells != 0 || m / n != w / cells) { print "FAIL: counts", n, m, w, cells; exit 1 }
    for (i = 0; i < m; ++i) there[int(i / n) * cells + place[i % n]] = value[i]
    for (i = 0; i < w; ++i) {
      expected = i in there ? there[i] : missing
      if (!(i in there) && missing == "") missing = expected = whole[i]
      if (expected != whole[i]) { print "FAIL: value", i, "is", expected, "not", whole[i]; exit 1 }
    }
    if (missing != "_" && missing != "NaN" && missing !~ /^-999/) { print "FAIL: left out", missing; exit 1 }
  }' <(numbers_of "$file" "$points" | grep .) <(numbers_of "$file" "$field" | grep .) <(numbers_of "whole/$file" "$field" | grep .) ||
  fail "$field of $file differs"
