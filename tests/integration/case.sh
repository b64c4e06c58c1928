# Sourced by the case scripts: one run of the toy model in a folder of its own, and what must be true
# of it. Every case is called with the same first arguments:
#   <bin> <mpiexec> <name> <model processes> <servers>
# where <bin> holds toy_model, check_toy and epios_server. MODEL in the environment names another model.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

skip() {
  echo "skipped: $*"
  exit 77
}

# Starts the case again where it may mount file systems without anybody else seeing them.
#   enter_mount_namespace <all arguments of the case...>
enter_mount_namespace() {
  [ "${INSIDE:-}" != yes ] || return 0
  unshare --mount true 2> /dev/null || skip "no permission to mount a file system"
  INSIDE=yes exec unshare --mount "$0" "$@"
}

# begin_case <bin> <mpiexec> <name> <model processes> <servers>: goes to a new folder, $work.
begin_case() {
  bin=$1 mpiexec=$2 processes=$4 servers=$5
  programs=$bin mounted=() model_prefix=() server_prefix=() second_model=() job=
  work=$(mktemp -d "${TMPDIR:-/tmp}/epios-$3.XXXXXX")
  trap end_case EXIT
  cd "$work" || exit 1
  [ "${TRACED:-no}" = no ] || export EPIOS_PROTOCOL_TRACE=$work/steps
}

end_case() {
  local folder
  # Only where a check failed before the job's end.
  if [ -n "$job" ] && kill "$job" 2> /dev/null; then wait "$job"; fi
  for folder in "${mounted[@]}"; do umount "$folder" 2> /dev/null; done
  chmod -R u+rwX "$work"
  rm -rf "$work"
}

# mount_tmpfs <folder> <mount options>
mount_tmpfs() {
  mount -t tmpfs -o "$2" tmpfs "$1" || skip "cannot mount a tmpfs"
  mounted+=("$1")
}

# From here on the job is one of a user who may read only what permissions let him.
as_nobody() {
  [ "$(id -u)" -eq 0 ] || return 0
  local other=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
  "${other[@]}" test -x "$bin/epios_server" 2> /dev/null || skip "no other user may run the programs"
  chown -R nobody "$work"
  model_prefix=("${other[@]}") server_prefix=("${other[@]}")
}

# Nothing that whoever writes the files makes may grow beyond so many KiB: a full disk for those
# who may not mount one. (MPI itself needs shared memory of 5 MB.)
limit_file_size() {
  local limited=(bash -c 'ulimit -f "$0" && exec "$@"' "$1")
  if ((servers > 0)); then server_prefix=("${limited[@]}"); else model_prefix=("${limited[@]}"); fi
}

# write_iodef <XML variables of context xios> [sed script]: iodef.xml made from toy.xml. An edit that
# finds nothing to change would leave a case that tests something else. EDIT in the environment is one
# more sed script.
write_iodef() {
  grep -q '<!--settings-->' "$here/toy.xml" || fail "toy.xml has no place for settings"
  sed -E -e "${EDIT:-}" "$here/toy.xml" > edited_before.xml
  [ -z "${EDIT:-}" ] || ! cmp -s "$here/toy.xml" edited_before.xml || fail "toy.xml has nothing for EDIT"
  sed -E -e "${2:-}" edited_before.xml > edited.xml
  case ${2:-#} in
    \#*) ;;
    *) ! cmp -s edited_before.xml edited.xml || fail "toy.xml has nothing for the edit: $2" ;;
  esac
  sed -e "s|<!--settings-->|$1|" edited.xml > iodef.xml
  rm edited.xml edited_before.xml
}

# A copy of context toy, with its files in a folder of its own.
#   add_context <id> <folder>
add_context() {
  mkdir "$2"
  {
    sed '$d' iodef.xml
    sed -n '/<context id="toy">/,/<\/context>/p' "$here/toy.xml" |
      sed "s|<context id=\"toy\">|<context id=\"$1\" output_dir=\"$2\">|"
    echo '</simulation>'
  } > both.xml
  mv both.xml iodef.xml
}

# Sets the array `command` to the whole job. A second model runs beside the first when `second_model`
# holds its options. SERVER_NODES in the environment: the nodes on which the servers pretend to be.
#   compose_command <model options...>
compose_command() {
  local node
  command=("$mpiexec" -n "$processes" "${model_prefix[@]}" "$programs/${MODEL:-toy_model}" "$@")
  ((${#second_model[@]} == 0)) || command+=(: -n 1 "$programs/toy_model" "${second_model[@]}")
  if [ -n "${SERVER_NODES:-}" ]; then
    for node in $SERVER_NODES; do
      command+=(: -n 1 -env EPIOS_TEST_NODE "$node" "${server_prefix[@]}" "$programs/epios_server")
    done
  elif ((servers > 0)); then
    command+=(: -n "$servers" "${server_prefix[@]}" "$programs/epios_server")
  fi
}

# Runs the job to its end; leaves `status`, `ended_after_s` and out.txt.
#   run_job <timeout in s> <model options...>
run_job() {
  local timeout_s=$1 start=$SECONDS
  shift
  compose_command "$@"
  timeout -k 5 "$timeout_s" "${command[@]}" > out.txt 2>&1
  status=$?
  ended_after_s=$((SECONDS - start))
  cat out.txt
}

# Starts the job without waiting for it. Its programs get names of their own, by which kill_one
# finds them.
#   start_job <timeout in s> <model options...>
start_job() {
  local timeout_s=$1
  shift
  programs=$work
  ln -sf "$bin/toy_model" "$bin/epios_server" "$work"
  compose_command "$@"
  timeout -k 5 "$timeout_s" "${command[@]}" > out.txt 2>&1 &
  job=$!
}

# wait_for <what, in words> <command...>: until the command succeeds, while the job runs.
wait_for() {
  local what=$1
  shift
  until "$@"; do
    if ! kill -0 "$job" 2> /dev/null; then
      cat out.txt
      fail "the job ended before $what"
    fi
    sleep 0.02
  done
}

# Waits for the end of a job that was started.
wait_for_end() {
  local start=$SECONDS
  wait "$job"
  status=$? job=
  ended_after_s=$((SECONDS - start))
  cat out.txt
}

# kill_one <toy_model|epios_server>: kills its youngest process, or its oldest one with WHICH=oldest in the
# environment, and waits for the job's end.
kill_one() {
  # mpiexec's own command line names the programs, too, but does not begin with them.
  local pid
  local age=-n
  [ "${WHICH:-}" != oldest ] || age=-o
  pid=$(pgrep $age -f "^$work/$1")
  [ -n "$pid" ] || fail "no $1 to kill: the run was too short or did not start"
  kill -KILL "$pid"
  wait_for_end
}

expect_success() {
  [ "$status" -eq 0 ] || fail "the job ended with status $status"
  [ "${TRACED:-no}" = no ] || expect_specified
  local left
  left=$(find . -name '*.part*')
  [ -z "$left" ] || fail "left behind: $left"
}

# expect_specified: the job's steps are ones of the specification of its protocol (TRACED=mutate: and changed ones are not).
expect_specified() {
  local how=()
  [ "$TRACED" != mutate ] || how=(--mutate)
  /usr/bin/python3 "$here/../protocol/check_trace.py" "${how[@]}" steps.*.trace || fail "the run is none that the specification has"
  rm steps.*.trace
}

expect_failure() {
  [ "$status" -ne 0 ] || fail "the job succeeded"
  # What timeout(1) returns after the signals it sends.
  if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then fail "the job hung (status $status)"; fi
  echo "failed as it should, status $status"
}

# expect_end_within <s>: the job did not keep its user waiting, on a machine that may be busy.
expect_end_within() {
  [ "$ended_after_s" -le "$1" ] || fail "the job ended only after $ended_after_s s"
}

# expect_text <extended regular expressions, one a line>: the job printed a line for each.
expect_text() {
  local text
  while IFS= read -r text; do
    grep -Eq -- "$text" out.txt || fail "expected text not found: $text"
  done <<< "$1"
}

# With EPIOS_LOG=info the servers say what they are.
#   expect_layout <settings>: the carrier is the one that was asked for, by EPIOS_SET or them, or fits
#   where the servers are, and what was to be shared has all servers as its writers.
expect_layout() {
  local opened writers=$servers carrier=
  opened=$(grep -E "info: (component '[^']*': )?context 'toy' opened: " out.txt) || fail "no server says that it opened the context"
  if [[ ${EPIOS_SET:-} =~ carrier[[:space:]]*=[[:space:]]*([a-z_]+) ]]; then
    carrier=${BASH_REMATCH[1]}
  elif [[ $1 == *'"carrier">messages<'* ]]; then
    carrier=messages
  elif [[ $1 == *'>one_sided<'* ]]; then
    carrier=one_sided
  fi
  if [[ $carrier == messages ]]; then
    ! grep -Ev ' \([0-9]+ by messages\), ' <<< "$opened" || fail "not by messages"
  elif [[ $carrier == one_sided ]]; then
    # Never from servers that gather to those that write.
    ! grep -v ' gatherers (' <<< "$opened" | grep -Ev ' \([0-9]+ by one_sided\), ' || fail "not one-sidedly"
  elif ((servers > 0)); then
    ! grep -Ev ' \([0-9]+ by shared_memory\), ' <<< "$opened" || fail "not by shared memory"
  else
    ! grep -v ' gatherers (' <<< "$opened" | grep -Ev ' \([0-9]+ by in_process[,)]' || fail "not in the process"
  fi
  [[ $1 == *'"shared_record_bytes">0<'* ]] || return 0
  ((servers > 0)) || writers=$processes
  [ "$(grep -c ', writes instant, means, surface$' <<< "$opened")" -eq "$writers" ] ||
    fail "not all of $writers servers write the shared files"
}

# Nothing is dropped silently: of every file, what the model has sent is written or reported lost.
expect_account() {
  awk '/^[^ ]+\.nc: [0-9]+ records, [0-9]+ lost, [0-9]+ bytes, of [0-9]+ sent$/ {
         ++files
         if ($2 + $4 != $9) { print "FAIL: the account does not add up: " $0; exit bad = 1 }
       }
       END { exit bad || files == 0 }' out.txt || fail "no account, or one that does not add up"
}

expect_no_final_file() {
  local final
  final=$(find . -name '*.nc')
  [ -z "$final" ] || fail "final files exist: $final"
}

# What has its final name in the folder is whole.
expect_whole_files() {
  local file
  for file in "$1"/*.nc; do
    [ ! -e "$file" ] || ncdump "$file" > /dev/null || fail "$file is not whole"
  done
}

# Every value in the folder's files is the one that the formulas give.
#   expect_values <folder> <model options...>
expect_values() {
  local folder=$1 nx=20 ny=14 nz=3 steps=12 single=()
  shift
  while (($#)); do
    case $1 in
      --nx) nx=$2 ;; --ny) ny=$2 ;; --nz) nz=$2 ;; --steps) steps=$2 ;; --single) single=(single) ;;
    esac
    shift
  done
  "$bin/check_toy" "$folder" "$nx" "$ny" "$nz" "$steps" "${single[@]}" || fail "wrong values in $folder"
}

# header_of <file>: what it is, and its header with how things are stored (ncdump of netCDF 4.9 cannot
# say the latter of CDF-5).
header_of() {
  local kind options=-hs
  kind=$(ncdump -k "$1") || return 1
  [ "$kind" != cdf5 ] || options=-h
  echo "kind $kind"
  ncdump "$options" "$1"
}

# Record variables of a file, but times.
fields_of() { ncdump -h "$1" | sed -nE 's/^\t(float|double) ([a-z_]+)\(time_counter.*/\2/p'; }

# numbers_of <file> <variable>: a number a line, to the last bit.
numbers_of() {
  ncdump -p 9,17 -v "$2" "$1" | sed -n '/^data:/,$p' | tr -d ' \n' | sed -E "s/.*[;:]$2=([^;]*);.*/\\1/" | tr ',' '\n'
}
