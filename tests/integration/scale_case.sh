#!/usr/bin/env bash
# What `epios scale` says of each rank of a job is what that rank does in a run: channels, bytes of the opening, parts of records and
# memory of channels.
#   scale_case.sh <as in case.sh> <clients> <gatherers> <settings> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
clients=$6 gatherers=$7 settings=$8
shift 8
# All fields have as many records, and no mask.
write_iodef "$settings" 's/output_freq="[0-9]h"/output_freq="4h"/; s/domain_ref="d_masked"/domain_ref="d"/'
export EPIOS_PROTOCOL_TRACE=$work/steps
run_job 60 "$@" --halo 0 --steps 8
expect_success
columns=1 nx=20 ny=14 nz=3
while (($#)); do
  case $1 in --columns) columns=$2 ;; --nx) nx=$2 ;; --ny) ny=$2 ;; --nz) nz=$2 ;; esac
  shift
done
"$bin/epios" scale iodef.xml --context toy --set domain:d.ni_glo=$nx --set domain:d.nj_glo=$ny --set axis:levels.n_glo=$nz \
  --clients "$clients" --servers "$servers" --gatherers "$gatherers" --columns "$columns" --json --every-rank > ranks.json ||
  fail "no answer"
/usr/bin/python3 "$here/scale_check.py" ranks.json 2 steps.*.trace || fail "the run was another one"
