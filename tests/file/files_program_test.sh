#!/usr/bin/env bash
# `epios ls` and `epios diff` on files that ncgen makes, of each format.
#   files_program_test.sh <epios>
set -uo pipefail
epios=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-files.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() {
  echo "FAIL: $*" >&2
  exit 1
}
# expect <status> <expected output> <arguments of epios...>
expect() {
  local status=$1 text=$2 out
  shift 2
  out=$("$epios" "$@" 2>&1)
  [ $? -eq "$status" ] || fail "epios $*: another status than $status: $out"
  [ "$out" = "$text" ] || fail "epios $*: $(diff <(echo "$text") <(echo "$out"))"
}
cat > a.cdl <<'CDL'
netcdf a {
dimensions: time = UNLIMITED ; x = 3 ; n = 4 ; two = 2 ;
variables:
  double time(time) ; time:standard_name = "time" ; time:units = "days since 2000-02-01 00:00:00" ;
    time:calendar = "360_day" ; time:bounds = "time_bnds" ;
  double time_bnds(time, two) ;
  float x(x) ;
  char label(x, n) ;
  float t(time, x) ; t:_FillValue = -999.f ;
  short packed(time, x) ; packed:scale_factor = 0.5 ; packed:add_offset = 10. ; packed:_FillValue = -1s ;
  float empty(time, x) ; empty:_FillValue = -999.f ;
// global attributes:
  :title = "one" ; :uuid = "1" ;
data:
  time = 0.5, 29.5 ; time_bnds = 0, 1, 29, 30 ; x = 1, 2, 3 ; label = "a", "bc", "def" ;
  t = 1, 2, 3, 4, _, 9 ; packed = 0, 2, 4, 6, _, 10 ; empty = _, _, _, _, _, _ ;
}
CDL
for kind in "nc3 CDF-1" "nc6 CDF-2" "nc5 CDF-5" "nc7 NetCDF-4 classic" "nc4 NetCDF-4"; do
  ncgen -k "${kind%% *}" -o a.nc a.cdl || fail "ncgen -k ${kind%% *}"
  out=$("$epios" ls a.nc) || fail "epios ls"
  head=$(head -1 <<< "$out")
  [ "$head" = "a.nc: ${kind#* }, 2 records, 2000-02-01 12:00:00 to 2000-02-30 12:00:00 (360_day); values of record 1" ] ||
    fail "heading: $head"
  for row in 't  *float *time,x=3 .* 33\.3 %  *4  *6\.5  *9$' 'packed  *short *time,x=3 .* 33\.3 %  *13  *14  *15$' \
    'empty .* 100\.0 %  *-  *-  *-$'; do
    grep -Eq "$row" <<< "$out" || fail "no row '$row' in: $out"
  done
  ! grep -Eq '^ *(time|time_bnds|x|label) ' <<< "$out" || fail "a coordinate in: $out"
  [[ $("$epios" ls --record 0 a.nc) =~ t\ +float.*\ 0\.0\ %\ +1\ +2\ +3 ]] || fail "record 0"
done
sed -e 's/t = 1, 2, 3, 4, _, 9/t = 1, 2.001, 3, 4, _, 9.5/; s/uuid = "1"/uuid = "2"/; s/"one"/"two"/; s/"bc"/"bd"/' a.cdl > b.cdl
ncgen -k nc4 -o b.nc b.cdl
sed -e 's/_FillValue = -999.f/_FillValue = -5.f/g' a.cdl > c.cdl
ncgen -k nc5 -o c.nc c.cdl
expect 0 "" diff a.nc a.nc
expect 0 "" diff a.nc c.nc
expect 1 "label: 1 of 12 values differ, first at (1, 1): 'c' and 'd'
t: 2 of 6 values differ, first at (0, 1): 2 and 2.000999927520752; by 0.5 at most" diff a.nc b.nc
expect 1 "label: 1 of 12 values differ, first at (1, 1): 'c' and 'd'
t: 1 of 6 values differ, first at (1, 2): 9 and 9.5; by 0.5 at most" diff --relative 0.01 a.nc b.nc
expect 1 "label: 1 of 12 values differ, first at (1, 1): 'c' and 'd'
attribute 'title' of the file: 'one' and 'two'" diff --absolute 0.5 --attributes a.nc b.nc
sed -e 's/x = 3 ;/x = 2 ;/; s/float t(/double u(/; s/ t:/ u:/; s/ t = / u = /; s/"def"//; s/"bc",/"bc"/; s/ x = 1, 2, 3/ x = 1, 2/' \
  -e 's/= 1, 2, 3, 4, _, 9/= 1, 2, 4, 5/; s/packed = 0, 2, 4, 6, _, 10/packed = 0, 2, 4, 6/; s/empty = _, _, _, _, _, _/empty = _, _, _, _/' a.cdl > d.cdl
ncgen -k nc4 -o d.nc d.cdl || fail "d.cdl"
expect 1 "x: of shape (3) and (2)
label: of shape (3, 4) and (2, 4)
t: only in 'a.nc'
packed: of shape (2, 3) and (2, 2)
empty: of shape (2, 3) and (2, 2)
u: only in 'd.nc'" diff a.nc d.nc
# 64-bit integers that are one number as double; a value that is the mark of what it is packed in; a date of no calendar.
cat > long.cdl <<'CDL'
netcdf long {
dimensions: time = UNLIMITED ; x = 2 ;
variables:
  double time(time) ; time:standard_name = "time" ; time:units = "days since 2000-01-01" ; time:calendar = "gregorian" ;
  int64 n(x) ;
  short p(time, x) ; p:scale_factor = 1. ; p:add_offset = -1998. ; p:_FillValue = -999s ;
data: time = 9.9e36 ; n = 9007199254740993, 5 ; p = 999, 998 ;
}
CDL
sed 's/993, 5/992, 5/' long.cdl > longer.cdl
for name in long longer; do ncgen -k nc4 -o $name.nc $name.cdl || fail "$name.cdl"; done
expect 0 "" diff long.nc long.nc
expect 1 "n: 1 of 2 values differ, first at (0): 9007199254740993 and 9007199254740992; by 1 at most" diff long.nc longer.nc
# The same in the files of two writers; unsigned ones are no negative numbers.
for name in set other; do
  for n in 0 1; do
    cat > one.cdl <<CDL
netcdf one {
dimensions: y = 1 ; x = 2 ;
variables:
  int64 n(y, x) ; uint64 u(y, x) ;
:DOMAIN_number_total = 2 ; :DOMAIN_number = $n ; :DOMAIN_dimensions_ids = 2, 1 ; :DOMAIN_size_global = 2, 2 ;
:DOMAIN_size_local = 2, 1 ; :DOMAIN_position_first = 1, $((n + 1)) ; :DOMAIN_position_last = 2, $((n + 1)) ;
data: n = 5, 9007199254740993 ; u = 9223372036854775809ULL, 7ULL ;
}
CDL
    [ $name$n = other1 ] && sed -i 's/993 ;/992 ;/; s/775809/775810/' one.cdl
    ncgen -k nc4 -o ${name}_$n.nc one.cdl || fail "a set: $(cat one.cdl)"
  done
done
expect 0 "" diff set.nc set.nc
expect 1 "n: 1 of 4 values differ, first at (1, 1): 9007199254740993 and 9007199254740992; by 1 at most
u: 1 of 4 values differ, first at (1, 0): 9223372036854775809 and 9223372036854775810; by 1 at most" diff set.nc other.nc
out=$("$epios" ls long.nc) || fail "epios ls long.nc"
[[ $out =~ p\ +short.*\ 0\.0\ %\ +-1000\ +-999\.5\ +-999 ]] || fail "a value is no mark: $out"
[[ $out =~ "9.9e+36 days since" ]] || fail "a date of no calendar: $out"
expect 2 "epios: file 'a.nc' has no record 2 (it has 2, counted from 0)." ls --record 2 a.nc
expect 2 "epios: file 'a.cdl' cannot be opened (NetCDF: Unknown file format). Is it a NetCDF file, and whole?" ls a.cdl
expect 2 "epios: file 'none.nc' cannot be opened (No such file or directory). Is it a NetCDF file, and whole?" diff a.nc none.nc
head -c 3000 a.nc > torn.nc
"$epios" ls torn.nc > /dev/null 2> error.txt
[ $? -eq 2 ] || fail "a torn file is no error"
grep -q "file 'torn.nc' cannot be opened" error.txt || fail "a torn file: $(cat error.txt)"
# One that is not whole hides no other.
[ "$("$epios" ls torn.nc a.nc 2> /dev/null | head -1 | cut -c 1-5)" = "a.nc:" ] || fail "a torn file hides others"
mkdir alone
cp "$epios" alone
LD_LIBRARY_PATH=$(dirname "$epios") alone/epios ls a.nc 2> error.txt
[ $? -eq 2 ] && grep -q "alone/epios-files' cannot be started (No such file or directory). Is EPIOS installed in whole?" error.txt ||
  fail "without the other program: $(cat error.txt)"
echo good
