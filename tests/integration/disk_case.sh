#!/usr/bin/env bash
# One run whose output folder cannot take the files. It must fail in time, with the expected text, and
# without final files that are not whole; `epios recover` makes files of what is left. Or, where the text is "success", one that can just take them.
#   disk_case.sh <as in case.sh> <disk> <expected text> <settings> <model options...>
# <disk>  mount:<options>  a file system of its own, read-only or too small; where mounting is allowed
#         limit:<KiB>      no file may be larger
#         locked           a folder that this user may not write to
source "$(dirname "$0")/case.sh"
case $6 in mount:*) enter_mount_namespace "$@" ;; esac
begin_case "$@"
disk=$6 expected=$7 settings=$8
shift 8
mkdir disk
case $disk in
  mount:*) mount_tmpfs "$work/disk" "${disk#mount:}" ;;
  limit:*) limit_file_size "${disk#limit:}" ;;
  locked)
    chmod a-w disk
    # Root may write everywhere unless it gives up the right to.
    if [ -w disk ]; then
      give_up=(setpriv --bounding-set=-dac_override)
      "${give_up[@]}" true || skip "root, and not allowed to give up a capability"
      model_prefix=("${give_up[@]}") server_prefix=("${give_up[@]}")
    fi
    ;;
  *) fail "unknown kind of disk: $disk" ;;
esac
write_iodef "$settings" 's|<context id="toy">|<context id="toy" output_dir="disk">|
s|<file id="instant"|& sync_freq="2h"|'

export EPIOS_REPORT=$work/run.json

# What is left of each file, outside of the disk; records that were durable have the right values.
recover_all() {
  local part made records recovered=0 options=()
  while (($#)); do
    case $1 in --n[xyz]) options+=("$2") ;; esac
    shift
  done
  mkdir recovered
  for part in disk/*.part; do
    [ -e "$part" ] && [ -e "$part.records" ] || continue
    made=recovered/$(basename "$part" .part)
    if ! "$bin/epios" recover --output "$made" "$part" > recovered.txt 2>&1; then
      # The disk was full while HDF5's structure was flushed.
      grep -q "cannot be recovered .*Then its structure is torn" recovered.txt || fail "$part: $(cat recovered.txt)"
      continue
    fi
    ((++recovered))
    ncdump "$made" > /dev/null || fail "$made is not whole"
    records=$(sed -nE 's/^([0-9]+) temp$/\1/p' "$part.records")
    echo "recovered $made: $records"
    [ "$(basename "$made")" = instant.nc ] && ((records > 0)) || continue
    "$bin/check_toy" "$made" "${options[@]}" $((2 * records)) start > check.txt || { cat check.txt; fail "wrong values in $made"; }
  done
  [ ! -e disk/instant.nc.part ] || ((recovered > 0)) || fail "nothing was recovered"
}
run_job 60 "$@"
ls -l disk
if [ "$expected" = success ]; then
  expect_success
  expect_account
  expect_values disk "$@"
  exit
fi
expect_failure
expect_end_within 30
expect_text "$expected"
# The report of the run names a file, whatever the model asks EPIOS on its way out. Would have found the text of such a question there.
if [ -e run_toy.json ]; then
  grep '^  "error": ' run_toy.json > reason.txt
  grep -q "file 'disk/" reason.txt || fail "the report gives another reason: $(cat reason.txt)"
fi
expect_whole_files disk
# Where a file is left to write to, the model goes on to its end and has an account.
case $disk in limit:*) expect_account ;; esac
for file in disk/*.nc; do
  if grep -q "file '$file': cannot" out.txt; then fail "$file has its final name, and lost records"; fi
done
recover_all "$@"
