#!/usr/bin/env bash
# epios check and epios plan look at files that a configuration reads.
#   check_files_test.sh <epios>
set -euo pipefail
own=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
epios=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-check-files.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" >&2; cat out.txt >&2; exit 1; }
# expect <exit code> <text, none: silence> <arguments of epios>...
expect() {
  local code=$1 text=$2 status=0
  shift 2
  "$epios" "$@" >out.txt 2>&1 || status=$?
  [ "$status" -eq "$code" ] || fail "epios $*: exit code $status, expected $code"
  if [ -z "$text" ]; then
    [ ! -s out.txt ] || fail "epios $*: silence was expected"
  else
    grep -qE "$text" < <(tr '\n' ' ' <out.txt) || fail "epios $*: not found: $text"
  fi
}
cp "$own/source_grid.xml" iodef.xml
ncgen -k nc4 -o source.nc "$own/rectilinear.cdl"

expect 0 "" check -q iodef.xml
expect 1 "does not fit its field .it is 1 x 2 x 3 x 4, the grid is . x . x 5.*ni_glo = 5 of domain 'globe' is given at .*--set" \
  check iodef.xml --set domain:globe.ni_glo=5
cat >model.xml <<'XML'
<context id="grids"><domain_definition><domain id="globe" type="rectilinear" ni_glo="4" nj_glo="2"/></domain_definition></context>
XML
expect 1 "the grid is . x 2 x 4.*nj_glo = 2 of domain 'globe' is given at model.xml:1" check iodef.xml --model model.xml
sed -i 's/nj_glo="2"/nj_glo="3"/' model.xml
expect 0 "" check -q iodef.xml --model model.xml

sed 's/id="source"/id="none"/' iodef.xml >other.xml
expect 0 "note: file 'none.nc' cannot be read .it does not exist in '$work'.*may be there when the model runs" check other.xml --notes
expect 1 "it does not exist|no n_glo" check other.xml --model model.xml  # nobody says how many levels
sed 's/<field id="temp"/<field id="temp" name="tmp"/' iodef.xml >other.xml
expect 1 "file 'source.nc' has no variable 'tmp' .it has 6.. Did you mean 'temp'" check other.xml
echo nothing >none.nc
sed 's/id="source"/id="none"/' iodef.xml >other.xml
expect 1 "file 'none.nc' cannot be opened .*Is it a NetCDF file, and whole" check other.xml
ncgen -k cdf5 -o whole.nc "$own/rectilinear.cdl"
head -c 900 whole.nc >none.nc
expect 1 "file 'none.nc' cannot be opened .it has 900 bytes, its header speaks of [0-9]+" check other.xml
# Of which HDF5 dies, as it is now.
ncgen -k nc4 -o none.nc "$own/ancil.cdl"
heap=$(grep -abo GCOL none.nc | sed -n '1s/:.*//p')
printf '\x60' | dd of=none.nc bs=1 seek=$((heap + 122)) conv=notrunc 2>/dev/null
expect 1 "file 'none.nc' (cannot be opened|has a variable) .*(HDF5|whole)" check other.xml
# A folder that is no store, and one with a torn document: named once, with a suggestion that fits.
mkdir none.zarr
sed 's/id="source"/id="none" format="zarr"/' iodef.xml >other.xml
expect 1 "error: file 'none.zarr' cannot be opened .it is a folder without '.zgroup'[^(]*. Is it the folder of an array" check other.xml
echo '{"zarr_format": 2}' >none.zarr/.zgroup
echo '{"zarr_consolidated_format": 1,' >none.zarr/.zmetadata
expect 1 "error: file 'none.zarr' cannot be opened .its document '.zmetadata' is not valid JSON.. Is the store whole" check other.xml

# One record, that of the start.
expect 0 "warning: file 'source.nc' ends before the run .variable 'temp' has 1 records, the last one for 2000-01-01 00:00:00; the run can ask for that of 2000-01-02 00:00:00.*cyclic" \
  plan iodef.xml --duration 1d
expect 0 "file 'written': 4 records" plan iodef.xml --duration 1d
sed 's/mode="read"/& cyclic="true"/' iodef.xml >other.xml
"$epios" plan other.xml --duration 1d >out.txt 2>&1
! grep -q "ends before" out.txt || fail "a cyclic file has no end"
expect 1 "does not fit its field" plan iodef.xml --duration 1d --set axis:depth.n_glo=7
expect 0 "<axis id=.depth.* n_glo=.2.*<domain id=.globe.* ni_glo=.4.*<file id=.source.*mode=.read" resolve iodef.xml

# By dates in the file, and in parts of a series; the first part is looked at for its grid in any case.
at() {  # <file> <hours since 2000-01-01 of its records...>
  local file=$1 count=$(($# - 1))
  shift
  {
    printf 'netcdf a {\ndimensions:\n time = UNLIMITED ;\n lat = 3 ;\n lon = 4 ;\nvariables:\n'
    printf ' double time(time) ;\n time:units = "%s" ;\n time:calendar = "%s" ;\n float sst(time, lat, lon) ;\ndata:\n' \
      "${UNITS:-hours since 2000-01-01}" "${CALENDAR:-noleap}"
    printf ' time = %s ;\n sst = %s ;\n}\n' "$(tr ' ' , <<<"$*")" "$(seq -s , $((12 * count)))"
  } >a.cdl
  ncgen -k nc4 -o "$file" a.cdl
}
dated() { sed -e 's/mode="read"/& time_from_file="true"/' -e "${1:-#}" "$own/forcing.xml" >other.xml; }
dated
at ancil.nc 12 0 18 6 24
expect 0 "" check -q other.xml
expect 0 "file 'ancil': every 6h|sst" plan other.xml --duration 1d
! grep -q warning out.txt || fail "what a file has in disorder is there"
expect 0 "warning: file 'ancil.nc' ends before the run .variable 'sst' has 5 records of 2000-01-01 00:00:00 to 2000-01-02 00:00:00; the run can ask for that of 2000-01-02 06:00:00.. Is there a file that goes on" \
  plan other.xml --duration 2d
at ancil.nc 0 6 18 24
expect 0 "warning: file 'ancil.nc' has no record of 2000-01-01 12:00:00 .variable 'sst' has 4 records .*output_freq" plan other.xml --duration 1d
# Dates that come again: all of them, and one that the file has not.
dated 's/mode="read"/& cyclic="true"/'
expect 0 "warning: file 'ancil.nc' has no record of 2000-01-01 12:00:00 .variable 'sst' has 4 records of .* to 2000-01-02 00:00:00, again every 1d 6h; the run" \
  plan other.xml --duration 5d
at ancil.nc 0 6 12 18
expect 0 "file 'ancil'" plan other.xml --duration 40d
! grep -q warning out.txt || fail "dates that come again are there"
dated
at ancil.nc 3 9 15 21
expect 0 "forcing.xml|other.xml:[0-9:]+ warning: file 'ancil.nc' has no record of 2000-01-01 00:00:00 .variable 'sst' has 4 records of 2000-01-01 03:00:00" \
  check other.xml
# Between records every date has a value; before the first one none, and behind the last one.
dated 's/mode="read"/& interpolate_time="linear"/'
expect 0 "warning: file 'ancil.nc' has no record of 2000-01-01 00:00:00 .*Does the file begin after the run" check other.xml
at ancil.nc 0 15 24
expect 0 "" check -q other.xml
expect 0 "file 'ancil'" plan other.xml --duration 18h
! grep -q warning out.txt || fail "between records there are values"
expect 0 "warning: file 'ancil.nc' ends before the run" plan other.xml --duration 2d
# Dates of another calendar are those of the run where it is asked for.
dated
CALENDAR=standard at ancil.nc 0 6 12 18
expect 0 "warning: the dates of file 'ancil.nc' cannot be read .their calendar is 'standard', the run has 'noleap'; calendar_mapping=.date. would" check other.xml
dated 's/mode="read"/& calendar_mapping="date"/'
expect 0 "" check -q other.xml
UNITS="hours since 2000-02-28" CALENDAR=standard at ancil.nc 0 6 12 18 24 30 36 42 48
dated 's/mode="read"/& calendar_mapping="date"/;s/start_date="2000-01-01/start_date="2000-02-28/'
expect 0 "file 'ancil'" plan other.xml --duration 1d
! grep -q warning out.txt || fail "the day that the run does not have is left out"
dated
UNITS="months since 2000-01-01" at ancil.nc 0 1 2 3
expect 0 "warning: the dates of file 'ancil.nc' cannot be read .their units are 'months since 2000-01-01'.. Count records" check other.xml
# A file over which HDF5 dies, or goes round for ever, ends the child that looks at it, not the check.
ncgen -k nc4 -o whole.nc "$own/ancil.cdl"
heap=$(grep -abo GCOL whole.nc | head -n 1 | cut -d : -f 1)
[ -n "$heap" ] || fail "the file has no heap to damage"
for damage in "122 \\x60" "48 \\x51"; do
  cp whole.nc ancil.nc
  # shellcheck disable=SC2059
  printf "${damage#* }" | dd of=ancil.nc bs=1 seek=$((heap + ${damage% *})) conv=notrunc status=none
  expect 1 "other.xml:[0-9:]+ error: file 'ancil.nc' cannot be opened .HDF5 breaks down over its structure" check other.xml
done
# Each file is looked at once.
mkdir counted
cp "$epios" counted/epios
printf '#!/bin/sh\necho "$@" >>%s/calls.txt\nexec %s/epios-files "$@"\n' "$work" "$(dirname "$(readlink -f "$epios")")" >counted/epios-files
chmod +x counted/epios-files
at ancil.nc 0 6 12 18
dated
for command in "check other.xml" "plan other.xml --duration 18h"; do
  rm -f calls.txt
  # shellcheck disable=SC2086
  counted/epios $command >out.txt 2>&1 || fail "$command"
  [ "$(cat calls.txt)" = "facts --dates -- ancil.nc sst" ] || fail "epios $command looked at: $(cat calls.txt)"
done
rm ancil.nc
dated 's/mode="read"/& split_freq="1d"/'
at ancil_20000101-20000101.nc 0 6 12 18
at ancil_20000102-20000102.nc 24 30 36 42
expect 0 "" check -q other.xml
expect 0 "warning: file 'ancil_20000102-20000102.nc' ends before the run .*the run can ask for that of 2000-01-03 00:00:00.. Is there a file that goes on, 'ancil_20000103-20000103.nc'" \
  plan other.xml --duration 3d
at ancil_20000103-20000103.nc 48 54 66
expect 0 "warning: file 'ancil_20000103-20000103.nc' has no record of 2000-01-03 12:00:00" plan other.xml --duration 60h
expect 0 "file 'ancil'" plan other.xml --duration 54h
! grep -q warning out.txt || fail "all parts are there"
rm ancil_20000102-20000102.nc
expect 0 "warning: file 'ancil_20000101-20000101.nc' ends before the run .*that of 2000-01-02 00:00:00.. Is there a file that goes on, 'ancil_20000102-20000102.nc'" \
  plan other.xml --duration 54h
at ancil_20000102-20000102.nc 24 30 36 42
# The same, counted.
sed 's/mode="read"/& split_freq="1d"/' "$own/forcing.xml" >other.xml
expect 0 "warning: file 'ancil_20000103-20000103.nc' ends before the run .variable 'sst' has 3 records, the last one for 2000-01-03 12:00:00; the run can ask for that of 2000-01-03 18:00:00" \
  plan other.xml --duration 66h
rm ancil_20000102-20000102.nc
expect 0 "warning: file 'ancil_20000102-20000102.nc' does not exist .the run can ask for the record of 2000-01-02 00:00:00 of variable 'sst'.. Parts before it are there" \
  plan other.xml --duration 66h
at ancil_20000102-20000102.nc 24 30 36 42
# Parts that follow the calendar, of a run that begins inside of one.
dated 's/mode="read"/& split_freq="1d"/;s/start_date="2000-01-01 00/start_date="2000-01-01 12/'
expect 0 "file 'ancil'" plan other.xml --duration 1d
! grep -q warning out.txt || fail "parts of the calendar have all dates"

# Without its program it says so, and goes on.
cp "$epios" alone
"$work/alone" check iodef.xml >out.txt 2>&1 || true
grep -q "files that are read are not looked at ('$work/epios-files' gives no answer)" out.txt || fail "not told"
