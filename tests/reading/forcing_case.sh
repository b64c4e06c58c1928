#!/usr/bin/env bash
# A model that receives a field of a file made by the distribution's ncgen: every row is there once
# (expected "OK"), or the job ends with the expected texts.
#   forcing_case.sh <bin> <mpiexec> <name> <model processes> <servers> <steps> <kind of ncgen>
#                   <sed script on ancil.cdl> <sed script on forcing.xml> <expected texts>
# Environment: FIELD (sst), DAMAGE (a command that is run on ancil.nc), PACKED (values are half of what
# is stored, and 10), SHIFT (the record of step 0), BETWEEN (so many steps from one record to the next, values in proportion), ALIKE (all steps have the first record), WARNS (what a good
# run says), LOST ("1 text": at this step each client has an error with that text, and goes on), CHECK (a command that sees whether
# files are right), AS_NOBODY (the job is one of a user who may not read everything),
# APART (the last server finds another file of that name); and what
# forcing_model knows.
own=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$own/../integration/case.sh"
begin_case "$@"
steps=$6 kind=$7 edit_cdl=$8 edit_xml=$9 expected=${10}
sed -E -e "$edit_cdl" "$own/ancil.cdl" > ancil.cdl
sed -E -e "$edit_xml" "$own/forcing.xml" > iodef.xml
ncgen -k "$kind" -o ancil.nc ancil.cdl || fail "ncgen"
if [ -n "${DAMAGE:-}" ]; then
  bash -c "$DAMAGE"
  case $? in
    0) ;;
    77) exit 77 ;;  # what it needs is missing
    *) fail "$DAMAGE" ;;
  esac
fi
[ -z "${AS_NOBODY:-}" ] || as_nobody
if [ -n "${APART:-}" ]; then
  mkdir apart && cp ancil.nc apart
  # shellcheck disable=SC2016
  printf '#!/bin/sh\n: "${PMI_RANK:?is wanted of mpiexec}"\n[ "$PMI_RANK" -ne %d ] || cd apart || exit 1\nexec "$@"\n' $((processes + servers - 1)) > in_its_folder
  chmod +x in_its_folder
  server_prefix=(./in_its_folder)
fi
export MODEL=forcing_model
run_job 40 "${FIELD:-sst}" "$steps"
expect_end_within 20
if [ "$expected" != OK ]; then
  expect_failure
  expect_text "$expected"
  # A process that HDF5 takes down takes the job with it.
  grep -q "This process ends here" out.txt && exit 0
  for ((rank = 0; rank < processes; ++rank)); do
    grep -qE -- "$expected" < <(tr '\n' ' ' < "error.$rank") || fail "client $rank has no such error: $(cat "error.$rank")"
  done
  exit 0
fi
[ "$status" -eq 0 ] || fail "the job ended with status $status"
[ -z "${WARNS:-}" ] || expect_text "$WARNS"
lost=${LOST:+${LOST%% *}}
for ((rank = 0; rank < processes; ++rank)); do
  [ -n "$lost" ] || break
  grep -qE "^step $lost client $rank: .*${LOST#* }" "rows.$rank" || fail "client $rank has no such error: $(cat "rows.$rank")"
done
for ((step = 0; step < steps; ++step)); do
  [ "$step" != "$lost" ] || continue
  record=$(((step * ${STRIDE:-1} + ${SHIFT:-0}) % 3))
  [ -z "${ALIKE:-}" ] || record=0
  for row in 0 1 2; do
    printf 'step %d row %d:' "$step" "$row"
    for column in 0 1 2 3; do
      value=$((100 * record + 10 * row + column))
      [ -z "${BETWEEN:-}" ] || value=$((100 * step / BETWEEN + 10 * row + column))
      if [ -n "${PACKED:-}" ]; then value=$(awk "BEGIN {print $value * 0.5 + 10}"); fi
      printf ' %s' "$value"
    done
    printf '\n'
  done
done > expected.txt
if [ -n "${CHECK:-}" ]; then bash -c "$CHECK" || fail "$CHECK"; fi
sort rows.* | grep -v " client " | diff <(sort expected.txt) - || fail "other values"
