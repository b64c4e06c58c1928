#!/usr/bin/env bash
# One run whose output folder cannot take the files. It must fail in time, with the expected text, and
# without final files that are not whole. Or, where the text is "success", one that can just take them.
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
write_iodef "$settings" 's|<context id="toy">|<context id="toy" output_dir="disk">|'
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
expect_whole_files disk
# Where a file is left to write to, the model goes on to its end and has an account.
case $disk in limit:*) expect_account ;; esac
for file in disk/*.nc; do
  if grep -q "file '$file': cannot" out.txt; then fail "$file has its final name, and lost records"; fi
done
