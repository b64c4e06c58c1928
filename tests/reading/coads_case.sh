#!/usr/bin/env bash
# A model that reads the months of a climatology of the sea (COADS, of ferret-datasets), cut out by CDO, in any year: every
# value is that which CDO prints of this month.
#   coads_case.sh <bin> <mpiexec> <name> <model processes> <servers>
own=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$own/../integration/case.sh"
begin_case "$@"
data=/usr/share/ferret-vis/data/coads_climatology.cdf
command -v cdo >/dev/null || skip "no cdo"
[ -r "$data" ] || skip "no $data (package ferret-datasets)"
steps=26
cdo -s -selindexbox,100,103,45,47 -selname,SST "$data" ancil.nc 2>cdo.txt || fail "cdo: $(cat cdo.txt)"
sed -e 's/NoLeap/Gregorian/;s/timestep="6h"/timestep="1mo"/;s/start_date="2000-01-01/start_date="1958-02-01/' \
  -e 's/output_freq="6h"/output_freq="1mo" cyclic="true" time_from_file="true"/;s/name="sst"/name="SST"/' \
  "$own/forcing.xml" > iodef.xml
export MODEL=forcing_model
run_job 40 sst "$steps"
expect_end_within 20
[ "$status" -eq 0 ] || fail "the job ended with status $status"
for ((step = 0; step < steps; ++step)); do
  cdo -s outputf,%14g,4 -seltimestep,$(((step + 1) % 12 + 1)) ancil.nc 2>/dev/null |
    awk -v step="$step" '{$1 = $1; print "step " step " row " NR - 1 ": " $0}'
done > expected.txt
[ "$(grep -c . expected.txt)" -eq $((3 * steps)) ] || fail "cdo says something else: $(head -5 expected.txt)"
sort rows.* | diff <(sort expected.txt) - || fail "other values"
