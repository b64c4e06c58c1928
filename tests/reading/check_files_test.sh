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
    tr '\n' ' ' <out.txt | grep -qE "$text" || fail "epios $*: not found: $text"
  fi
}
cp "$own/source_grid.xml" iodef.xml
ncgen -k nc4 -o source.nc "$own/rectilinear.cdl"

expect 0 "" check iodef.xml
expect 1 "does not fit its field .it is 1 x 2 x 3 x 4, the grid is . x . x 5.*ni_glo = 5 of domain 'globe' is given at .*--set" \
  check iodef.xml --set domain:globe.ni_glo=5
cat >model.xml <<'XML'
<context id="grids"><domain_definition><domain id="globe" type="rectilinear" ni_glo="4" nj_glo="2"/></domain_definition></context>
XML
expect 1 "the grid is . x 2 x 4.*nj_glo = 2 of domain 'globe' is given at model.xml:1" check iodef.xml --model model.xml
sed -i 's/nj_glo="2"/nj_glo="3"/' model.xml
expect 0 "" check iodef.xml --model model.xml

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
heap=$(grep -abo GCOL none.nc | head -1 | cut -d: -f1)
printf '\x60' | dd of=none.nc bs=1 seek=$((heap + 122)) conv=notrunc 2>/dev/null
expect 1 "file 'none.nc' (cannot be opened|has a variable) .*(HDF5|whole)" check other.xml

# One record, that of the start.
expect 0 "warning: file 'source.nc' ends before the run .variable 'temp' has 1 records, the last one for 2000-01-01 00:00:00; the run can ask for that of 2000-01-02 00:00:00.*cyclic" \
  plan iodef.xml --duration 1d
expect 0 "file 'written': 4 records" plan iodef.xml --duration 1d
sed 's/mode="read"/& cyclic="true"/' iodef.xml >other.xml
"$epios" plan other.xml --duration 1d >out.txt 2>&1
! grep -q "ends before" out.txt || fail "a cyclic file has no end"
expect 1 "does not fit its field" plan iodef.xml --duration 1d --set axis:depth.n_glo=7
expect 0 "<axis id=.depth.* n_glo=.2.*<domain id=.globe.* ni_glo=.4.*<file id=.source.*mode=.read" resolve iodef.xml

# Without its program it says so, and goes on.
cp "$epios" alone
"$work/alone" check iodef.xml >out.txt 2>&1 || true
grep -q "files that are read are not looked at ('$work/epios-files' gives no answer)" out.txt || fail "not told"
