#!/usr/bin/env bash
# What a loss of power leaves of a run with durability="disk", by a record of its calls (power_loss.py).
#   power_loss_case.sh <as in case.sh> <format> <library that records calls> [settings]
# KIND in the environment: "replaced": files of an earlier run have the final names; "append": they are gone on with; "split": files
# are split. EPIOS_KILL_SEED=<n> takes other moments, EPIOS_KILL_TRIES=<n> so many.
here=$(dirname "$0")/../integration
faults=$(cd "$(dirname "$0")" && pwd)
source "$here/case.sh"
begin_case "$@"
format=$6 spy=$7 settings=${8:-} kind=${KIND:-new}
[ "$format" != zarr ] || "${PYTHON:?}" -c 'import zarr' 2> /dev/null || skip "there is no python3-zarr, which reads stores of version 2"
edit="s|<file id=\"([a-z]+)\"|& format=\"$format\" durability=\"disk\"|
s|<file id=\"instant\"|& sync_freq=\"4h\"|"
[ "$format" != zarr3 ] || edit+='
s|<field field_ref="temp" operation="instant"|& sharding_records="3"|'
[ "$kind" != append ] || edit+='
s|<file id="(instant\|means\|surface)"|& append="true"|'
[ "$kind" != split ] || edit+='
s|<file id="(instant\|means\|surface)"|& split_freq="8h"|'
write_iodef "$settings" "$edit"
mkdir run && cp iodef.xml run && cd run || exit 1
if [ "$kind" = replaced ] || [ "$kind" = append ]; then
  run_job 60 > /dev/null
  expect_success
  cp -r . ../before
fi
if [ "$kind" = append ]; then
  write_iodef "$settings" "$edit
s|start_date=\"2000-01-01 00:00:00\"|start_date=\"2000-01-01 12:00:00\"|"
fi
model_prefix=(env "LD_PRELOAD=$spy" "RECORD_FOLDER=$PWD" "RECORD_LOG=$work/record") server_prefix=("${model_prefix[@]}")
run_job 60
cd .. || exit 1
expect_success
options=(--moments "${EPIOS_KILL_TRIES:-8}" --seed "${EPIOS_KILL_SEED:-1}" --epios "$bin/epios")
[ ! -d before ] || options+=(--before before)
[ ! -e run/instant.nc ] || [ "$kind" = append ] || "$bin/check_toy" run/instant.nc 20 14 3 12 start > check.txt || fail "the run itself is wrong: $(cat check.txt)"
# A flush of HDF5 changes its structure in several places, of which not all may be there.
[ "$format" != netcdf4 ] || options+=(--may-be-torn)
ask() { "${PYTHON:?}" -B "$faults/power_loss.py" record run "${options[@]}" "$@"; }
ask || fail "something is lost"
for kind in data journals folders; do ask --forget $kind || fail "the check does not find what is lost without syncs of $kind"; done
