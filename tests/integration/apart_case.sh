#!/usr/bin/env bash
# Files of type multiple_file: one per server, from which a rebuild tool makes the file that one_file gives.
#   apart_case.sh <as in case.sh> <settings> <edit> <model options...>
# PARTS in the environment: the files are split, and have so many parts. GATHERED: files that the tool does not know how to
# put together, only `epios diff`.
source "$(dirname "$0")/case.sh"
begin_case "$@"
settings=$6 edit=$7 epios=$bin/epios
shift 7
write_iodef "$settings" "$edit"
run_job 50 "$@"
expect_success
mkdir whole rebuilt
mv ./*.nc whole

export EPIOS_LOG=info
write_iodef "$settings" "$edit
s|<file id=\"(instant\|means\|surface)\"|& type=\"multiple_file\" min_digits=\"3\"|"
run_job 50 "$@"
expect_success
! grep -E " [1-9][0-9]* lost" out.txt || fail "records are lost"
writers=$servers
((servers > 0)) || writers=$processes
check_rebuilt() {
  "$bin/rebuild_files" "rebuilt/$name.nc" "${pieces[@]}" || fail "$name cannot be rebuilt"
  # The same to the last bit, for an independent reader and for our own.
  cmp <(ncdump -p 9,17 "$file" | sed '1d;/:\(timeStamp\|uuid\|history\) = /d') \
    <(ncdump -p 9,17 "rebuilt/$name.nc" | sed -E '1d;/:(timeStamp|uuid|history|[ij]begin|n[ij]|DOMAIN_[a-z_]*) = /d') ||
    fail "$name differs: $(diff <(ncdump "$file") <(ncdump "rebuilt/$name.nc") | head -20)"
}
for file in whole/*.nc; do
  name=$(basename "$file" .nc)
  pieces=("${name}"_[0-9][0-9][0-9].nc)
  [ "${#pieces[@]}" -eq "$writers" ] || fail "${#pieces[@]} pieces of $name: ${pieces[*]}"
  [ "${GATHERED:-}" = "$name" ] || check_rebuilt
  [ -z "$("$epios" diff --attributes "$file" "$name.nc")" ] || fail "epios diff: $("$epios" diff --attributes "$file" "$name.nc")"
  cmp <("$epios" ls "$file" | tail -n +2 | awk '{print $1, $3, $6, $8, $10}') \
    <("$epios" ls "$name.nc" | tail -n +2 | awk '{print $1, $3, $6, $8, $10}') || fail "epios ls differs"
  grep -Eq "^$name.nc: $writers files of (NetCDF-4|CDF-5)" < <("$epios" ls "$name.nc") || fail "epios ls: $("$epios" ls "$name.nc")"
  for piece in "${pieces[@]}"; do
    cdo -s infon "$piece" > cdo.txt 2>&1 || { cat cdo.txt; fail "cdo cannot read $piece"; }
  done
done
((${PARTS:-0} == 0)) || [ "$(find rebuilt -name 'instant_*.nc' | wc -l)" -eq "$PARTS" ] || fail "not $PARTS parts"
# A piece that is not there is named.
rm "${pieces[1]}"
"$epios" ls "$name.nc" > missing.txt 2>&1 && fail "a set without one of its files is listed"
grep -q "file '$name.nc' cannot be put together (number 1 of its $writers files is not there)" missing.txt ||
  fail "another text: $(cat missing.txt)"
