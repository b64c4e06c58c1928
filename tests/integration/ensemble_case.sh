#!/usr/bin/env bash
# Members of an ensemble in one job, each a component of its own with files of its own, and one group of servers.
#   ensemble_case.sh <as in case.sh: processes of each member> <kind> <members> <model options...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
kind=$6 members=$7
shift 7
export EPIOS_LOG=info EPIOS_REPORT=run.json

# number_of <member>
number_of() { printf '%03d' "$1"; }

# Options of a member, beside those of all: LAST are those of the last one, OTHERS those of all others.
#   options_of <member>
options_of() { if (($1 == members)); then echo "${LAST:-}"; else echo "${OTHERS:-}"; fi; }

# compose_members <model options...>: sets `command`. NUMBERED_BY=code_id: the model says which member it is.
compose_members() {
  local member number own
  command=("$mpiexec")
  for ((member = 1; member <= members; ++member)); do
    number=$(number_of "$member")
    read -ra own <<< "$(options_of "$member")"
    ((member == 1)) || command+=(:)
    if [ "${NUMBERED_BY:-}" = code_id ]; then
      command+=(-n "$processes" "$programs/toy_model" --code-id "toy_$number" "$@" "${own[@]}")
    elif [ "${NUMBERED_BY:-}" = nobody ]; then
      command+=(-n "$processes" "$programs/toy_model" --code-id "toy$number" "$@" "${own[@]}")
    else
      command+=(-n "$processes" -env EPIOS_MEMBER "$number" "$programs/toy_model" "$@" "${own[@]}")
    fi
  done
  ((servers == 0)) || command+=(: -n "$servers" "$programs/epios_server")
}

# run_members <timeout in s> <model options...>
run_members() {
  local timeout_s=$1 start=$SECONDS
  shift
  compose_members "$@"
  timeout -k 5 "$timeout_s" "${command[@]}" > out.txt 2>&1
  status=$?
  ended_after_s=$((SECONDS - start))
  cat out.txt
}

# What each member has said of itself.
expect_reports() {
  local member
  for ((member = 1; member <= members; ++member)); do
    expect_text "epios: report: component 'toy_$(number_of "$member")': .* $processes process(es)?, "
    # All have a context of this name.
    expect_text "epios server 0: info: component 'toy_$(number_of "$member")': context 'toy' opened: "
    grep -q "\"component\": \"toy_$(number_of "$member")\"" "run_toy_$(number_of "$member").json" ||
      fail "no report of member $member"
  done
}

case $kind in
  # A folder for each member.
  folders)
    write_iodef "" 's|<context id="toy">|<context id="toy" output_dir="%component%">|'
    run_members 100 "$@"
    expect_success
    expect_account
    expect_reports
    for ((member = 1; member <= members; ++member)); do
      read -ra own <<< "$(options_of "$member")"
      expect_values "toy_$(number_of "$member")" "$@" "${own[@]}"
    done
    ;;
  # The member in the names, and in an attribute of the file.
  names)
    write_iodef "" 's|<file_definition>|<file_definition name_suffix="_%member%">|; s|>toy run</variable>|&<variable id="realization" type="string">%member% of %component%</variable>|'
    run_members 100 "$@"
    expect_success
    expect_reports
    for ((member = 1; member <= members; ++member)); do
      number=$(number_of "$member")
      grep -q ":realization = \"$number of toy_$number\"" <<< "$(ncdump -h "instant_$number.nc")" || fail "the file does not say whose it is"
      mkdir "of_$number"
      for file in instant means surface; do mv "${file}_$number.nc" "of_$number/$file.nc"; done
      expect_values "of_$number" "$@"
    done
    ;;
  # All write the same files: who is second is told, and what to do.
  same_file)
    write_iodef ""
    run_members 40 "$@"
    expect_failure
    expect_end_within 20
    expect_text "${SAYS?what is said}"
    ;;
  # The same, one after the other: what was there is replaced, and both are named.
  same_file_later)
    write_iodef ""
    run_members 60 "$@"
    expect_success
    expect_text "${SAYS?what is said}"
    [ "$(grep -c "%member%" out.txt)" -eq "${TIMES?how often}" ] || fail "it is not said $TIMES times"
    ;;
  bad)
    write_iodef "" "${CHANGE?what is changed in the XML}"
    run_members 40 "$@"
    expect_failure
    expect_end_within 20
    expect_text "${SAYS?what is said}"
    expect_no_final_file
    ;;
  # A member, or a server, is killed: the job ends, and what has its final name is whole.
  kills)
    write_iodef "" 's|<context id="toy">|<context id="toy" output_dir="%component%">|; s|<file id="instant"|& split_freq="60d"|'
    # Programs of this job alone have such names.
    programs=$work
    ln -s "$bin/toy_model" "$bin/epios_server" "$work"
    compose_members "$@"
    for victim_program in toy_model epios_server; do
      rm -rf toy_0*
      timeout -k 5 60 "${command[@]}" > out.txt 2>&1 &
      job=$!
      wait_for "its first part was finished" bash -c 'compgen -G "toy_0*/instant_*.nc" > /dev/null'
      mapfile -t there < <(pgrep -f "^$work/$victim_program")
      ((${#there[@]} > 0)) || fail "no $victim_program to kill"
      victim=${there[RANDOM % ${#there[@]}]}
      kill -KILL "$victim"
      start=$SECONDS
      wait_for_end
      expect_failure
      ((SECONDS - start < 20)) || fail "the job went on for $((SECONDS - start)) s"
      # The launcher says which process, the servers who that is.
      grep -Eq "PID $victim.|PID $victim on node" out.txt || fail "nobody says what process $victim was"
      for folder in toy_0*; do expect_whole_files "$folder"; done
      [ -z "$(pgrep -f "^$work/")" ] || fail "somebody is left: $(pgrep -af "^$work/")"
    done
    ;;
  *) fail "unknown kind: $kind" ;;
esac
