#!/usr/bin/env bash
# A file with timeseries="exclusive" for two of its fields: these stand in files of their own, to the last bit
# as in the file without it.
#   series_case.sh <as in case.sh> <settings> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
settings=$6
shift 6
write_iodef "$settings"
run_job 50 "$@"
expect_success
mkdir whole
mv ./*.nc whole

write_iodef "$settings" 's|<file id="means"|& timeseries="exclusive" ts_prefix="series/%file_name%"|;s|name="temp_(max\|sum)"|& ts_enabled="true"|'
run_job 50 "$@"
expect_success
[ "$(fields_of means.nc | grep temp | tr '\n' ' ')" = "temp_mean temp_min " ] || fail "means.nc has other fields"
for field in temp_max temp_sum; do
  file=series/means_$field.nc
  [ "$(fields_of $file | grep temp)" = $field ] || fail "$file has other fields"
  for variable in $field time_counter time_centered lat depth; do
    cmp <(numbers_of whole/means.nc $variable) <(numbers_of $file $variable) || fail "$variable of $file differs"
  done
done
