#!/usr/bin/env bash
# `epios remap` on files that ncgen makes, against CDO; and what bad input gets.
#   remap_command_test.sh <epios> <python>
set -uo pipefail
epios=$1
python=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-remap.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() {
  echo "FAIL: $*" >&2
  exit 1
}
# run <arguments of epios remap...>: its words are in $out
run() { out=$("$epios" remap "$@" 2>&1) || fail "epios remap $*: $out"; }
# refused <part of the message> <arguments...>
refused() {
  local part=$1
  shift
  if out=$("$epios" remap "$@" 2>&1); then fail "epios remap $* is not refused"; fi
  [[ $out == *"$part"* ]] || fail "epios remap $*: '$out' has no '$part'"
  [[ $(wc -l <<<"$out") -eq 1 ]] || fail "epios remap $* takes more than one line: $out"
}
# largest difference of two files' values as CDO reads them, in parts of the largest value; both miss
# the same ones.
difference() {
  cdo -s outputf,%.12g,1 -setmissval,1e34 "$1" >a.txt 2>/dev/null || fail "CDO cannot read $1"
  cdo -s outputf,%.12g,1 -setmissval,1e34 "$2" >b.txt 2>/dev/null || fail "CDO cannot read $2"
  paste a.txt b.txt | awk '
    { ma = ($1 > 1e30 || $1 < -1e30); mb = ($2 > 1e30 || $2 < -1e30)
      if (ma != mb) { print "missing in one, line " NR; bad = 1; exit }
      if (ma) next
      d = $1 - $2; if (d < 0) d = -d; if (d > worst) worst = d
      v = $2 < 0 ? -$2 : $2; if (v > most) most = v; n++ }
    END { if (!bad) { if (n == 0) print "no values"; else printf "%.3g\n", worst / most } }'
}
# near <limit> <a> <b>
near() {
  local d
  d=$(difference "$2" "$3")
  awk -v d="$d" -v limit="$1" 'BEGIN {exit !(d ~ /^[0-9.e+-]+$/ && d <= limit)}' || fail "line ${BASH_LINENO[0]}: $2 and $3: $d"
}

# Where the target has few large cells, CDO 2.1 loses overlaps of some (its weights of a cell are the others', larger
# by one factor): all but 3 in 100 are near, and ours keep the integral.
mostly_near() {
  difference "$2" "$3" >/dev/null
  paste a.txt b.txt | awk -v limit="$1" '
    { d = $1 - $2; if (d < 0) d = -d; v = $2 < 0 ? -$2 : $2; if (d > limit * (v + 100)) far++ }
    END { exit !(NR > 0 && far <= 0.03 * NR) }' || fail "line ${BASH_LINENO[0]}: $2 and $3 differ in more than few cells"
}
keeps_integrals() {
  while read -r differ; do
    awk -v d="$differ" 'BEGIN {exit !(d <= 1e-13)}' || fail "integrals differ by $differ"
  done < <(grep -oE 'differ by [^ ]+' <<<"$out" | cut -d' ' -f3)
}

# Times, levels, missing values, packed values, variables that are on no grid.
"$python" - >field.cdl <<'PY'
import math
ni, nj, values = 24, 12, []
for t in range(2):
    for k in range(3):
        for j in range(nj):
            for i in range(ni):
                gone = (i - 5) ** 2 + (j - 6) ** 2 < 5 + 3 * k
                v = 5 + math.sin(i * 0.7 + t) * math.cos(j * 0.5) + k
                values.append("_" if gone else repr(round(v, 4)))
packed = [str((i * 7 + j * 3) % 100) for j in range(nj) for i in range(ni)]
packed[17] = "_"
print(f"""netcdf field {{ dimensions: time = UNLIMITED ; lev = 3 ; lat = {nj} ; lon = {ni} ; two = 2 ; n = 4 ;
variables: double time(time) ; time:standard_name = "time" ; time:units = "days since 2000-01-01" ; time:bounds = "time_bnds" ;
  double time_bnds(time, two) ;
  double lev(lev) ; lev:positive = "down" ; lev:units = "m" ;
  double lat(lat) ; lat:units = "degrees_north" ; lat:standard_name = "latitude" ;
  double lon(lon) ; lon:units = "degrees_east" ; lon:standard_name = "longitude" ;
  float t(time, lev, lat, lon) ; t:_FillValue = -999.f ; t:units = "K" ; t:cell_methods = "time: mean" ; t:quantization_nsb = 7 ;
  short p(lat, lon) ; p:scale_factor = 0.5 ; p:add_offset = 20. ; p:_FillValue = -1s ;
  double area(lat, lon) ; t:cell_measures = "area: area" ;
  char label(n) ; int height ; height:units = "m" ;
  :title = "of a test" ; :Conventions = "CF-1.8" ;
data: time = 0.5, 1.5 ; time_bnds = 0, 1, 1, 2 ; lev = 5, 15, 30 ; label = "abcd" ; height = 2 ;
  lat = {", ".join(str(-82.5 + 15 * j) for j in range(nj))} ;
  lon = {", ".join(str(15 * i) for i in range(ni))} ;
  t = {", ".join(values)} ; p = {", ".join(packed)} ; }}""")
PY
ncgen -k nc4 -o field.nc field.cdl || fail "ncgen"
run field.nc --to r40x17 -o out.nc --check
[[ $out == *"t: "*"values; remapped "*"; integrals differ by "* ]] || fail "--check says $out"
keeps_integrals
[[ $out == *"epios: 'area' is left out"* ]] || fail "no word of the area: $out"
for variable in t p; do
  cdo -s -b F32 remapcon,r40x17 -setmissval,1e34 -selname,$variable field.nc theirs.nc 2>/dev/null
  cdo -s selname,$variable out.nc ours.nc 2>/dev/null
  near 1e-6 ours.nc theirs.nc
done
dump=$(ncdump -h out.nc)
for line in 'time = UNLIMITED ; // (2 currently)' 'float t(time, lev, lat, lon) ;' 't:_FillValue = -999.f ;' 't:units = "K" ;' \
  't:cell_methods = "time: mean area: mean" ;' 'float p(lat, lon) ;' 'double time_bnds(time, two) ;' 'char label(n) ;' \
  'lat:bounds = "lat_bnds" ;' ':title = "of a test" ;' ':Conventions = "CF-1.8" ;' 'epios remap field.nc --to r40x17 --order 1'; do
  [[ $dump == *"$line"* ]] || fail "no '$line' in $dump"
done
# Would have found means of rounded values said to be rounded.
[[ $dump != *scale_factor* && $dump != *cell_measures* && $dump != *quantization_nsb* ]] || fail "attributes of the input's grid in $dump"
[[ $(ncdump -v label,lev,time_bnds out.nc) == *'label = "abcd"'* ]] || fail "label"
run field.nc --to r40x17 -o three.nc --threads 3
cmp <(ncdump out.nc | grep -v -e history -e '^netcdf') <(ncdump three.nc | grep -v -e history -e '^netcdf') || fail "threads change bits"
run field.nc --to r40x17 -o second.nc --order 2 --check
awk -v d="$(grep -oE 'differ by [^ ]+' <<<"$out" | head -1 | cut -d' ' -f3)" 'BEGIN {exit !(d < 1e-2)}' || fail "order 2: $out"
run field.nc --to r40x17 -o covered.nc --cover 1
[[ $(cdo -s outputf,%g,1 -selname,p covered.nc | awk '$1 > 1e30' | wc -l) -gt $(cdo -s outputf,%g,1 -selname,p out.nc | awk '$1 > 1e30' | wc -l) ]] ||
  fail "--cover 1 has no more missing values"
run field.nc --to r40x17 -o one.nc --variables p
[[ $out == "" && $(ncdump -h one.nc) != *"float t("* ]] || fail "--variables: $out"

# Points: nearest (no two as near), bilinear (CDO has other poles).
run field.nc --to r47x8 -o out.nc --method nearest
cdo -s -b F32 remapnn,r47x8 -setmissval,1e34 -selname,p field.nc theirs.nc 2>/dev/null
cdo -s selname,p out.nc ours.nc 2>/dev/null
near 1e-6 ours.nc theirs.nc
cdo -s -f nc4 -setname,t -topo,r72x36 topo.nc
run topo.nc --to r50x41 -o out.nc --method bilinear
cdo -s sellonlatbox,0,360,-87,87 out.nc ours.nc
cdo -s sellonlatbox,0,360,-87,87 -remapbil,r50x41 topo.nc theirs.nc
near 1e-6 ours.nc theirs.nc

# Cells: lists with padded corners, meshes, curvilinear; both ways.
"$python" "$here/remap_grids.py" cells 6 | ncgen -k nc4 -o cells.nc - || fail "ncgen cells"
"$python" "$here/remap_grids.py" mesh 6 | ncgen -k nc4 -o mesh.nc - || fail "ncgen mesh"
"$python" "$here/remap_grids.py" points 6 | ncgen -k nc4 -o points.nc - || fail "ncgen points"
run cells.nc --to r36x18 -o out.nc --check
cdo -s remapcon,r36x18 cells.nc theirs.nc
near 1e-9 out.nc theirs.nc
run mesh.nc --to r36x18 -o mesh_out.nc
near 1e-9 mesh_out.nc theirs.nc
run topo.nc --to cells.nc -o out.nc --check
keeps_integrals
cdo -s remapcon,cells.nc topo.nc theirs.nc
mostly_near 1e-6 out.nc theirs.nc
run topo.nc --to mesh.nc -o mesh_out.nc
near 1e-6 mesh_out.nc out.nc
cdo -s setgridtype,curvilinear topo.nc bent.nc
run bent.nc --to r50x25 -o out.nc
cdo -s remapcon,r50x25 topo.nc theirs.nc
near 1e-6 out.nc theirs.nc
run cells.nc --to bent.nc -o out.nc
[[ $(ncdump -h out.nc) == *'t:coordinates = "lat lon"'* ]] || fail "no coordinates: $(ncdump -h out.nc)"
cdo -s remapcon,r72x36 cells.nc theirs.nc
near 1e-9 out.nc theirs.nc
run points.nc --to r36x18 -o out.nc --method nearest
run cells.nc --to points.nc -o out.nc --method nearest
cmp <(ncdump -v t out.nc | sed '1,/^data:/d') <(ncdump -v t cells.nc | sed '1,/^data:/d') || fail "nearest to the same points"

# Weights: written for CDO, and taken from it.
run topo.nc --to r36x18 -o out.nc --weights w.nc
cdo -s remap,r36x18,w.nc topo.nc theirs.nc || fail "CDO does not take our weights"
near 1e-6 out.nc theirs.nc
run topo.nc --to r36x18 -o again.nc --weights w.nc
near 0 again.nc out.nc
cdo -s gencon,r36x18 topo.nc cdo_weights.nc
run topo.nc --to r36x18 -o from_cdo.nc --weights cdo_weights.nc
near 1e-6 from_cdo.nc out.nc
# Where values are missing, too.
cdo -s setrtomiss,-1e9,0 topo.nc holes.nc
run holes.nc --to r36x18 --order 2 -o out.nc --weights holes_w.nc
run holes.nc --to r36x18 --order 2 -o again.nc --weights holes_w.nc
cmp <(ncdump -v t out.nc | sed '1,/^data:/d') <(ncdump -v t again.nc | sed '1,/^data:/d') || fail "other results from weights in a file"
ncdump holes_w.nc | sed 's/weight_first/other_name/' | ncgen -k nc4 -o second_w.nc -
run holes.nc --to r36x18 --order 2 -o again.nc --weights second_w.nc
[[ $out == *"second_w.nc' has weights of second order without those of first order"* ]] || fail "no word of weights of first order: $out"

# Parts of the sphere.
cdo -s sellonlatbox,-30,60,-40,70 topo.nc part.nc
run part.nc --to r36x18 -o out.nc
[[ $out == *"epios: grid 'r36x18': "*" of 648 target cells have no source (the first is cell 0): they are missing"* ]] || fail "no word of what has no source: $out"
cdo -s remapcon,r36x18 part.nc theirs.nc
near 1e-6 out.nc theirs.nc

# Bad input.
refused "has no variable 'x'" field.nc --to r4x2 -o no.nc --variables x
refused "--to r4by2: neither a file nor a grid" field.nc --to r4by2 -o no.nc
refused "there is no grid 'r0x5'" field.nc --to r0x5 -o no.nc
refused "'none.nc' cannot be opened" none.nc --to r4x2 -o no.nc
echo nothing >text.nc
refused "'text.nc' cannot be opened" text.nc --to r4x2 -o no.nc
refused "its cells have no corners (no bounds of 'lon' and 'lat'). Give them bounds, or use --method nearest." points.nc --to r4x2 -o no.nc
refused "its cells have no corners" topo.nc --to points.nc -o no.nc
refused "-o field.nc: is read, too. Write another file." field.nc --to r4x2 -o field.nc
refused "it is made for a target grid of 648 cells, here are 8" topo.nc --to r4x2 -o no.nc --weights w.nc
refused "it is made for a source grid of 2592 cells, here are 288" field.nc --to r36x18 -o no.nc --weights w.nc
refused "'no/such.nc': cannot be created" field.nc --to r4x2 -o no/such.nc --variables p
sed -e 's/faces:start_index = 1/faces:start_index = 0/' <("$python" "$here/remap_grids.py" mesh 2) | ncgen -k nc4 -o bad.nc -
refused "Is start_index right?" bad.nc --to r4x2 -o no.nc
echo 'netcdf x { dimensions: x = 3 ; variables: float v(x) ; data: v = 1, 2, 3 ; }' | ncgen -k nc4 -o bare.nc -
refused "has no variable on a grid of longitudes and latitudes" bare.nc --to r4x2 -o no.nc
refused "has no grid to remap to" topo.nc --to bare.nc -o no.nc
echo 'netcdf x { dimensions: lat = 2 ; lon = 3 ; variables: float lat(lat) ; lat:units = "degrees_north" ; float lon(lon) ;
  lon:units = "degrees_east" ; float v(lon, lat) ; data: lat = -45, 45 ; lon = 0, 120, 240 ; v = 1, 2, 3, 4, 5, 6 ; }' | ncgen -k nc4 -o turned.nc -
refused "variable 'v': its longitudes come before its latitudes" turned.nc --to r4x2 -o no.nc
[[ ! -e no.nc && ! -e no.nc.part ]] || fail "a refused run leaves a file"
"$python" "$here/remap_grids.py" cells 2 | sed -E 's/(lat_bnds = )[^,]*,/\1 NaN,/' | ncgen -k nc4 -o nan.nc -
run nan.nc --to r36x18 -o out.nc
[[ $out == *"file 'nan.nc': cell 0 has corners that are no points of the sphere"* ]] || fail "no word of NaN: $out"

# Observed data, where the package ferret-datasets is.
data=/usr/share/ferret-vis/data
if [[ -e $data/coads_climatology.cdf ]]; then
  run $data/coads_climatology.cdf --to r100x50 -o out.nc --variables SST,WSPD --check
  cdo -s remapcon,r100x50 -selname,SST,WSPD $data/coads_climatology.cdf theirs.nc
  near 1e-6 out.nc theirs.nc
  run $data/levitus_climatology.cdf --to r90x45 -o out.nc
  cdo -s remapcon,r90x45 $data/levitus_climatology.cdf theirs.nc
  near 1e-6 out.nc theirs.nc
else
  echo "SKIPPED: observed data (no package ferret-datasets)"
fi
