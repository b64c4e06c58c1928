#!/usr/bin/env bash
# epios ragged: points of records become observations, compared with a list made by hand.
#   ragged_command_test.sh <epios>
# An observation at the place of another one, a record without points that shifts those behind it, or the time of a neighbour would show.
set -euo pipefail
epios=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-ragged.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" >&2; cat out.txt >&2; exit 1; }
# expect <exit code> <text> <arguments of epios>...
expect() {
  local code=$1 text=$2 status=0
  shift 2
  "$epios" "$@" >out.txt 2>&1 || status=$?
  [ "$status" -eq "$code" ] || fail "epios $*: exit code $status, expected $code"
  grep -qE "$text" < <(tr '\n' ' ' <out.txt) || fail "epios $*: not found: $text"
}
# has <file> <text of ncdump>...
has() {
  local file=$1 text
  shift
  ncdump -p 9,17 "$file" | tr -s '\t\n ' ' ' >out.txt
  for text in "$@"; do grep -qF -- "$text" out.txt || fail "$file: not found: $text"; done
}

# Four places; the second record has nobody. The packed field is 20 + 0.5 of what is stored.
cat >in.cdl <<'CDL'
netcdf in {
dimensions:
 time_counter = UNLIMITED ; drifter = 4 ; depth = 2 ; axis_nbounds = 2 ;
variables:
 double time_counter(time_counter) ;
  time_counter:standard_name = "time" ; time_counter:units = "days since 2000-01-01" ; time_counter:axis = "T" ;
  time_counter:bounds = "time_counter_bounds" ;
 double time_counter_bounds(time_counter, axis_nbounds) ;
 float lat(time_counter, drifter) ;
  lat:standard_name = "latitude" ; lat:_FillValue = -999.f ; lat:coordinates = "time_instant" ;
 float lon(time_counter, drifter) ;
  lon:standard_name = "longitude" ; lon:_FillValue = -999.f ;
 short temp(time_counter, drifter) ;
  temp:scale_factor = 0.5 ; temp:add_offset = 20. ; temp:_FillValue = -1s ; temp:units = "degC" ;
 float profile(time_counter, depth, drifter) ;
 float depth(depth) ;
 int mass(drifter) ;
 :featureType = "timeSeries" ; :Conventions = "CF-1.11" ; :title = "drifters" ;
data:
 time_counter = 0.5, 1.5, 2.5, 3.5 ;
 time_counter_bounds = 0, 1, 1, 2, 2, 3, 3, 4 ;
 lat = 1, _, 3, _,  _, _, _, _,  _, 22, 23, 24,  31, _, _, _ ;
 lon = 101, _, 103, _,  _, _, _, _,  _, 122, 123, 124,  131, _, _, _ ;
 temp = 1, 2, 3, 4,  5, 6, 7, 8,  9, 10, _, 12,  13, 14, 15, 16 ;
 profile = 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8 ;
 depth = 5, 50 ;
 mass = 10, 20, 30, 40 ;
}
CDL
ncgen -k nc4 -o in.nc in.cdl
expect 1 "field 'profile' .time_counter, depth, drifter. is left out .fields of records and points alone can be made ragged.*out.nc: 6 of 16 values are there in 4 records" ragged in.nc -o out.nc
has out.nc "drifter = 4 ;" "obs = 6 ;" "double time(obs) ;" "float lat(obs) ;" "short temp(obs) ;" "int mass(drifter) ;" "float depth(depth) ;" \
  "time = 0.5, 0.5, 2.5, 2.5, 2.5, 3.5 ;" "drifter_index = 0, 2, 1, 2, 3, 0 ;" "lat = 1, 3, 22, 23, 24, 31 ;" \
  "lon = 101, 103, 122, 123, 124, 131 ;" "temp = 1, 3, 10, _, 12, 13 ;" "mass = 10, 20, 30, 40 ;" "drifter_id = 1, 2, 3, 4 ;" \
  'drifter_id:cf_role = "trajectory_id"' 'drifter_index:instance_dimension = "drifter"' 'temp:coordinates = "time lat lon"' \
  "temp:scale_factor = 0.5" 'time:units = "days since 2000-01-01"' ':featureType = "trajectory"' ':title = "drifters"'
! grep -qE "time_counter|profile|time_instant|timeSeries" out.txt || fail "what has no place in it is there"
ls ./*.part 2>/dev/null && fail "something is left"

# Another field says who is there.
expect 1 "out.nc: 15 of 16 values are there" ragged in.nc --present temp -o out.nc
has out.nc "obs = 15 ;" "lat = 1, _, 3, _, _, _, _, _, _, 22, 24, 31, _, _, _ ;"
# A classic file, whose own ids stay, and names that are taken.
sed -e '/profile/d' -e 's/mass(drifter) ;/& mass:cf_role = "trajectory_id" ; int obs(drifter) ; int time(drifter) ;/' in.cdl >other.cdl
ncgen -k cdf5 -o other.nc other.cdl
expect 0 "other_out.nc: 6 of 16 values" ragged other.nc -o other_out.nc
has other_out.nc "obs_ = 6 ;" "double time_(obs_) ;" "time_ = 0.5, 0.5, 2.5, 2.5, 2.5, 3.5 ;"
! grep -q "drifter_id" out.txt || fail "there are two ids"

# Would have found names of stations in a file of trajectories, and the topology of a mesh taken for names.
sed -e '/profile/d' -e 's/mass(drifter) ;/& mass:cf_role = "profile_id" ; int wmo(drifter) ; wmo:cf_role = "timeseries_id" ; int mesh ; mesh:cf_role = "mesh_topology" ;/' in.cdl >other.cdl
ncgen -k nc4 -o other.nc other.cdl
expect 0 "stations_out.nc: 6 of 16 values" ragged other.nc -o stations_out.nc
has stations_out.nc 'mass:cf_role = "trajectory_id"' 'mesh:cf_role = "mesh_topology"'
! grep -qE "wmo:cf_role|drifter_id|profile_id|timeseries_id" out.txt || fail "there are other ids"
sed -i 's/"profile_id"/"none"/; s/"timeseries_id"/"none"/' other.cdl
ncgen -k nc4 -o other.nc other.cdl
expect 0 "mesh_out.nc: 6 of 16 values" ragged other.nc -o mesh_out.nc
has mesh_out.nc 'drifter_id:cf_role = "trajectory_id"'

# What nothing can be made of.
expect 2 "cannot be made ragged .variable 'mass' does not have two dimensions, of records and of points" ragged in.nc --present mass -o no.nc
expect 2 "cannot be made ragged .variable 'u' is not in it" ragged in.nc --present u -o no.nc
sed '/lat:standard_name/d' in.cdl >other.cdl && ncgen -k nc4 -o other.nc other.cdl
expect 2 "no variable of records and points has standard_name 'latitude'.*--present" ragged other.nc -o no.nc
sed 's/ lat = .*/ lat = _ ;/' in.cdl >other.cdl && ncgen -k nc4 -o other.nc other.cdl
expect 2 "variable 'lat' has no value in 4 records" ragged other.nc -o no.nc
sed 's/time_counter:standard_name = "time" ;//' in.cdl >other.cdl && ncgen -k nc4 -o other.nc other.cdl
expect 2 "its records have no time" ragged other.nc -o no.nc
expect 2 "does not exist|cannot be" ragged none.nc -o no.nc
# Would have found the question for a latitude that is there.
sed 's/UNLIMITED/4/' in.cdl >other.cdl && ncgen -k nc4 -o other.nc other.cdl
expect 2 "cannot be made ragged .none of its dimensions is unlimited: it has no records.. Make that of time unlimited" ragged other.nc -o no.nc
# Would have found that the only copy of a run was replaced.
expect 2 "^epios: -o ./in.nc: is read, too. Write another file. *$" ragged in.nc -o ./in.nc
has in.nc "profile(time_counter, depth, drifter)"
[ ! -e no.nc ] && ! ls ./*.part 2>/dev/null || fail "what was refused is there"
