#!/usr/bin/env bash
# What a loss of power leaves of a run with durability="disk", by a record of its calls (power_loss.py).
#   power_loss_case.sh <as in case.sh> <format> <library that records calls> [settings]
# REPLACED=yes in the environment: files of an earlier run have the final names. EPIOS_KILL_SEED=<n> takes other moments, EPIOS_KILL_TRIES=<n> so many.
here=$(dirname "$0")/../integration
faults=$(cd "$(dirname "$0")" && pwd)
source "$here/case.sh"
begin_case "$@"
format=$6 spy=$7 settings=${8:-}
write_iodef "$settings" "s|<file id=\"([a-z]+)\"|& format=\"$format\" durability=\"disk\"|
s|<file id=\"instant\"|& sync_freq=\"4h\"|
$([ "$format" != zarr3 ] || echo 's|<field field_ref="temp" operation="instant"|& sharding_records="3"|')"
mkdir run && cp iodef.xml run && cd run || exit 1
if [ "${REPLACED:-no}" = yes ]; then
  run_job 60 > /dev/null
  expect_success
  cp -r . ../before
fi
model_prefix=(env "LD_PRELOAD=$spy" "RECORD_FOLDER=$PWD" "RECORD_LOG=$work/record") server_prefix=("${model_prefix[@]}")
run_job 60
cd .. || exit 1
expect_success
options=(--moments "${EPIOS_KILL_TRIES:-8}" --seed "${EPIOS_KILL_SEED:-1}" --epios "$bin/epios" --check_toy "$bin/check_toy"
  --zarr3 "$here/zarr3.py")
[ "${REPLACED:-no}" = no ] || options+=(--before before)
# A flush of HDF5 changes its structure in several places, of which not all may be there.
[ "$format" != netcdf4 ] || options+=(--may-be-torn)
ask() { "${PYTHON:?}" -B "$faults/power_loss.py" record run "${options[@]}" "$@"; }
ask || fail "something is lost"
for kind in data journals folders; do ask --forget $kind || fail "the check does not find what is lost without syncs of $kind"; done
