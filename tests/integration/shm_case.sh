#!/usr/bin/env bash
# One run on a node with little shared memory.
#   shm_case.sh <as in case.sh> <room> <expected> <settings> <model options...>
# <room>  mount:<size>  /dev/shm of that size; where mounting is allowed
#         limit:<KiB>   no segment may be larger
# <expected>  the text it fails with, 'success', or 'fallback': success by messages, and a word
source "$(dirname "$0")/case.sh"
case $6 in mount:*) enter_mount_namespace "$@" ;; esac
begin_case "$@"
room=$6 expected=$7 settings=$8
shift 8
case $room in
  mount:*) mount_tmpfs /dev/shm "size=${room#mount:}" ;;
  limit:*)
    limit_file_size "${room#limit:}"
    trap '' XFSZ
    ;;
  *) fail "unknown kind of room: $room" ;;
esac
write_iodef "$settings"
export EPIOS_LOG=info
# Pages of counters of processes that the launcher kills stay until the next run.
segments() { find /dev/shm -name 'epios-*' ! -name 'epios-page-*' | sort; }
before=$(segments)
run_job 60 "$@"
left=$(comm -13 <(echo "$before") <(segments))
# Jobs of tests beside this one have some for a moment.
for _ in $(seq 50); do
  [ -n "$left" ] || break
  sleep 0.1
  left=$(comm -12 <(echo "$left") <(segments))
done
if [ -n "$left" ] && ((servers > 0)); then fail "left in shared memory: $left"; fi
if [ "$expected" = success ]; then
  expect_success
  expect_layout "$settings"
  expect_values . "$@"
  exit
fi
if [ "$expected" = fallback ]; then
  expect_success
  expect_text "warning: context 'toy': not all servers have the shared memory .* 'buffer_bytes' .* 'carrier'
info: context 'toy': a shared memory segment of .* cannot be reserved
info: context 'toy' opened: .*[0-9] by messages"
  [ "$(grep -c 'not all servers have the shared memory' out.txt)" -eq 1 ] || fail "said more than once"
  expect_values . "$@"
  exit
fi
expect_failure
expect_text "$expected"
expect_no_final_file
