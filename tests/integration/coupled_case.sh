#!/usr/bin/env bash
# Two models that exchange fields. Each checks what it receives, value by value.
#   coupled_case.sh <as in case.sh: processes of the ocean> <kind> <atmosphere's processes> <what the ocean is given> <what the atmosphere is given>
source "$(dirname "$0")/case.sh"
begin_case "$@"
kind=$6 others=$7
read -ra ocean <<< "$8"
read -ra atm <<< "$9"

export EPIOS_REPORT=run.json
# expect_reports <components...>: as the schema says, with time spent in waiting for the other one somewhere.
expect_reports() {
  # (A report without files, as the atmosphere's, is none that the test of the schema takes.)
  /usr/bin/python3 "$here/../config/report/schema_test.py" "$here/../../docs/reference/report.schema.json" "run_$1" ||
    fail "a report is not what the schema says"
  /usr/bin/python3 -c 'import json, sys; sys.exit(sum(json.load(open(f))["coupled_s"]["sum"] for f in sys.argv[1:]) <= 0)' "${@/#/run_}" ||
    fail "nobody has waited for the other one, as the reports say"
}

# write_coupled <XML variables of context xios> [sed script]
write_coupled() {
  sed -E -e "${2:-}" "$here/coupled.xml" > edited.xml
  case ${2:-#} in
    \#*) ;;
    *) ! cmp -s "$here/coupled.xml" edited.xml || fail "coupled.xml has nothing for the edit: $2" ;;
  esac
  sed -e "s|<!--settings-->|$1|" edited.xml > iodef.xml
}

# run_both <timeout in s>
run_both() {
  local start=$SECONDS
  command=("$mpiexec" -n "$processes" "$bin/coupled_model" "${ocean[@]}")
  ((others == 0)) || command+=(: -n "$others" "$bin/coupled_model" --code-id atm --contexts sky "${atm[@]}")
  ((servers == 0)) || command+=(: -n "$servers" "$bin/epios_server")
  timeout -k 5 "$1" "${command[@]}" > out.txt 2>&1
  status=$?
  ended_after_s=$((SECONDS - start))
  cat out.txt
}

# Processes of the job, which is alone in this folder.
members_of_run() {
  local entry
  for entry in /proc/[0-9]*; do
    [ "$(readlink "$entry/cwd" 2> /dev/null)" = "$PWD" ] || continue
    case $(readlink "$entry/exe" 2> /dev/null) in
      */coupled_model | */epios_server*) echo "${entry##*/}" ;;
    esac
  done
}

# What came from the other model is in the file, too: at hour 2n, point p 3e7 + 2e4 n + p.
expect_file() {
  grep -q "wind=30020000,30020001,30020002,.*,30240279}" < <(ncdump -v wind from_sky.nc | sed -n '/^data:/,$p' | tr -d ' ;\n') ||
    fail "from_sky.nc has not what was exchanged"
}

# expect_first_values <file> <variable> <comma-separated numbers>: of each record at its first point.
expect_first_values() {
  local records=${3//[^,]/} got
  records=$((${#records} + 1))
  got=$(numbers_of "$1" "$2" | awk -v records=$records '{ v[NR] = $1 } END { for (r = 0; r < records; ++r) printf "%s%d", r ? "," : "", v[1 + r * NR / records] }')
  [ "$got" = "$3" ] || fail "$2 of $1 is $got, expected $3"
}

patience='<variable id="patience_s">0.3</variable>'
case $kind in
  run | messages | one_sided)
    [ $kind = run ] && write_coupled "" "${EDIT:-}" || write_coupled "<variable id=\"carrier\">$kind</variable>"
    run_both 60
    expect_success
    expect_text "ocean: received 40 fields as expected"
    ((others == 0)) || expect_text "atm: received 18 fields as expected"
    [ -z "${SAYS:-}" ] || expect_text "$SAYS"
    expect_file
    ((others == 0)) || expect_reports ocean.json atm.json
    # Off the node MPI says of the bye of a component (wire_format.md) that who has ended before did
    # not take it.
    left="UCX\|warning"
    if [ "${EP_SHM:-1}" = 0 ] || [ -n "${NODE_HOLDERS:-}" ]; then left=warning; fi
    ! grep -q "$left" out.txt || fail "something was left over"
    ;;
  same_clients)
    write_coupled "" 's|atm::sky|ocean::sky|'
    run_both 60
    expect_success
    expect_text "ocean: received 58 fields as expected"
    [ -z "${SAYS:-}" ] || expect_text "$SAYS"
    expect_file
    ;;
  # Sizes and coordinates that the receiver leaves open are the sender's.
  takes_grid)
    write_coupled "<variable id=\"patience_s\">3</variable><variable id=\"give_up_s\">10</variable>" "$EDIT; s|(<context id=\"sky\">)|\\1<file_definition><file id=\"taken\" output_freq=\"2h\"><field field_ref=\"sst\" operation=\"instant\" prec=\"8\"/><field field_ref=\"sst\" name=\"largest\" domain_ref=\"_reset_\" scalar_ref=\"all\" operation=\"instant\" prec=\"8\"/></file></file_definition>|; s|<scalar id=\"one\"/>|&<scalar id=\"all\"><reduce_domain operation=\"max\"/></scalar>|"
    run_both 60
    expect_success
    expect_text "${SAYS?what is said}"
    [ "$(numbers_of taken.nc largest | paste -sd, | cut -c-17)" = "10020279,10040279" ] ||
      fail "the largest values are $(numbers_of taken.nc largest | paste -sd,)"
    [ -n "${NO_COORDINATES:-}" ] || [ "$(numbers_of taken.nc nav_lon | paste -sd, | cut -c-12)" = "0,0.5,1,1.5," ] ||
      fail "the longitudes are not those of the sender: $(ncdump -h taken.nc)"
    ;;
  # Half a step after the sender's period has begun, the receiver waits for its end.
  early)
    write_coupled "" 's|(<field id="sst" [^>]*freq_op="2h")|\1 freq_offset="0ts"|'
    run_both 60
    expect_success
    expect_text "atm: received 18 fields as expected"
    ;;
  # The last values of periods are missing: means of three hours, sums of five and a half.
  late)
    write_coupled "$patience<variable id=\"give_up_s\">10</variable>" 's|^    </file_definition>|<file id="rains" output_freq="6h"><field field_ref="rain" operation="instant" prec="8"/></file>\0|; s|(<context id="sky">)|\1<file_definition><file id="currents" output_freq="4h"><field field_ref="current" operation="instant" prec="8"/></file></file_definition>|'
    run_both 60
    expect_success
    expect_text "ocean: received 36 fields as expected
atm: received 12 fields as expected"
    ! grep -Eq "to send field|a circle" out.txt || fail "one waited for the other"
    expect_text "note: context 'sea': field 'current': 6 records were made for 'atm::sky' of fewer samples than their period has
note: context 'sky': field 'rain': 4 records were made for 'ocean::sea' of fewer samples than their period has"
    expect_first_values rains.nc rain 440330000,440990000,441650000,442310000
    expect_first_values currents.nc current 20020000,20060000,20100000,20140000,20180000,20220000
    ;;
  # One record, which the model and files have at any date.
  once)
    write_coupled "" 's|(<field field_ref="sst" operation="instant" freq_op="2h")|<field id="ground" field_ref="sst" operation="once"/>\1|; s|<field id="sst" domain_ref="d"|<field id="ground" domain_ref="d" operation="once" default_value="-99"/>&|; s|(<context id="sky">)|\1<file_definition><file id="ground" output_freq="12h"><field field_ref="ground" operation="once" prec="8"/><field field_ref="ground" name="always" operation="instant" prec="8"/></file></file_definition>|'
    run_both 60
    expect_success
    expect_text "ocean: received 40 fields as expected
atm: received 18 fields as expected"
    expect_first_values ground.nc ground 10010000
    expect_first_values ground.nc always 10010000,10010000
    ;;
  # Messages and parts leave and arrive late, at random.
  delays)
    write_coupled "${SETTINGS:-}"
    first=${EPIOS_SEED:-1}
    for ((seed = first; seed < first + 3; ++seed)); do
      export EPIOS_TEST_DELAYS=$seed LD_PRELOAD=${DELAYS?the library that is preloaded} EP_SHM=0
      run_both 60
      unset EPIOS_TEST_DELAYS LD_PRELOAD EP_SHM
      ((status == 0)) || echo "EPIOS_TEST_DELAYS=$seed"
      expect_success
      expect_text "ocean: received 40 fields as expected
atm: received 18 fields as expected
^message_delays: [1-9][0-9]* pauses$"
      expect_file
    done
    ;;
  # Somebody is killed, at random moments: the job ends, and what has its final name is whole.
  kills)
    write_coupled ""
    sed -i 's|<file id="from_sky" output_freq="2h"|& split_freq="2d"|' iodef.xml
    RANDOM=${EPIOS_SEED:-7}
    killed=0 finished=0 named=0
    for ((k = 0; k < 6; ++k)); do
      rm -f from_sky*.nc*
      delay=$((k % 2)).$((RANDOM % 9))$((RANDOM % 10)) victim=$RANDOM
      export EPIOS_LOG=info
      (run_both 60 > /dev/null; exit "$status") &
      run=$!
      for ((i = 0; i < 200; ++i)); do
        mapfile -t members < <(members_of_run)
        ((${#members[@]} == processes + others + servers)) && break
        sleep 0.02
      done
      ((${#members[@]} == processes + others + servers)) || fail "the run has ${#members[@]} processes"
      sleep "$delay"
      victim=${members[victim % ${#members[@]}]}
      was_there=no
      kill -9 "$victim" 2> /dev/null && was_there=yes && killed=$((killed + 1))
      start=$SECONDS
      wait "$run"
      ended=$?
      echo "seed ${EPIOS_SEED:-7}: after $delay s, process $victim of ${members[*]}: $was_there, status $ended"
      [ $was_there = no ] || ((ended != 0)) || fail "the job was as if nobody had been killed"
      # The launcher says which process of which node, the servers which that is.
      if [ $was_there = yes ]; then
        ! grep -q "PID $victim RUNNING AT" out.txt || named=$((named + 1))
        grep -Eq "info: (server [0-9]+: process [0-9]+ on node '.+' .PID $victim.|process [0-9]+ .PID $victim on node '.+'.: clients? [0-9, -]+ of '(ocean|atm)')" out.txt ||
          fail "nobody says what process $victim was: $(grep PID out.txt)"
      fi
      ((SECONDS - start < 20)) || fail "the job went on for $((SECONDS - start)) s"
      [ -z "$(members_of_run)" ] || fail "somebody is left: $(members_of_run)"
      whole=$(/usr/bin/python3 "$here/whole_records.py" 24 wind from_sky*.nc) || fail "a file is not whole"
      finished=$((finished + whole))
    done
    ((finished >= 1)) || fail "no file was finished before a kill"
    ((killed >= 4)) || fail "only $killed of 6 runs were there to be killed"
    ((named >= 1)) || fail "the launcher has said of no process that it was killed"
    echo "killed $killed, $finished files were finished before, the launcher named $named"
    ;;
  # The other model takes its time before it ends.
  lingers)
    write_coupled "$patience<variable id=\"give_up_s\">1</variable>"
    run_both 60
    expect_success
    expect_text "${SAYS?what is said}"
    ;;
  ignores)
    write_coupled ""
    run_both 60
    expect_success
    expect_text "ocean: received 36 fields as expected"
    ;;
  circle)
    write_coupled "$patience<variable id=\"give_up_s\">1.5</variable>"
    run_both 40
    expect_failure
    expect_end_within 20
    expect_text "epios: waiting:   client 0 of 'ocean': [0-9.]+ s for client 0 of 'atm': 'atm::sky' to send field 'wind' for 2000-01-01 02:00:00
epios: waiting:   client 0 of 'atm': [0-9.]+ s for client 0 of 'ocean': 'ocean::sea' to send field 'sst' for 2000-01-01 02:00:00
epios: waiting: a circle, which nobody can leave: client 0 of '(atm|ocean)' waits for client 0 of '(atm|ocean)', which waits for .* again. Does every model send what others want before it receives
'(atm::sky' to send field 'wind'|ocean::sea' to send field 'sst') for 2000-01-01 02:00:00 .*give_up_s"
    ;;
  bad)
    write_coupled "${SETTINGS:-}" "${EDIT:-}"
    run_both 40
    expect_failure
    expect_end_within 20
    expect_text "${SAYS?what is said}"
    # Who gives up leaves a report, which says why.
    if [ -n "${REPORTS:-}" ]; then
      /usr/bin/python3 "$here/../config/report/schema_test.py" "$here/../../docs/reference/report.schema.json" run_ocean.json || fail "the report is not what the schema says"
      grep -Eq -- "$REPORTS" run_ocean.json || fail "the report has not: $REPORTS"
    fi
    ;;
  *) fail "unknown kind: $kind" ;;
esac
