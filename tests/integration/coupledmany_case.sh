#!/usr/bin/env bash
# Contexts of several components that exchange a field each. Each checks what it receives.
#   coupledmany_case.sh <as in case.sh> <"well", or "lives" when models go on after a mistake> <fields: "ocean::sea_atm::sky ..."> <a component each: "<processes> <code> <contexts> <options>"...>
# SAYS: lines of which each is found in the output; SETTINGS: of context xios; EDIT: a sed script for iodef.xml.
source "$(dirname "$0")/case.sh"
begin_case "$@"
kind=$6
read -ra couplings <<< "$7"
shift 7

# write_context <code::context>
write_context() {
  local self=$1 coupling from to id
  echo "<context id=\"${self#*::}\"><calendar type=\"NoLeap\" start_date=\"2000-01-01\" timestep=\"1h\"/>"
  echo '<domain_definition><domain id="d" type="curvilinear" ni_glo="24" nj_glo="1"/></domain_definition><field_definition>'
  for coupling in "${couplings[@]}"; do
    from=${coupling%_*} to=${coupling#*_} id=${from#*::}_${to#*::}
    [ "$from" != "$self" ] || echo "<field id=\"$id\" domain_ref=\"d\"/>"
  done
  echo '</field_definition><coupler_out_definition>'
  for coupling in "${couplings[@]}"; do
    from=${coupling%_*} to=${coupling#*_} id=${from#*::}_${to#*::}
    [ "$from" != "$self" ] || echo "<coupler_out context=\"$to\"><field field_ref=\"$id\" freq_op=\"1h\"/></coupler_out>"
  done
  echo '</coupler_out_definition><coupler_in_definition>'
  for coupling in "${couplings[@]}"; do
    from=${coupling%_*} to=${coupling#*_} id=${from#*::}_${to#*::}
    [ "$to" != "$self" ] || echo "<coupler_in context=\"$from\"><field id=\"$id\" domain_ref=\"d\" freq_op=\"1h\"/></coupler_in>"
  done
  echo '</coupler_in_definition></context>'
}

fields=
for coupling in "${couplings[@]}"; do
  from=${coupling%_*} to=${coupling#*_}
  fields+=${fields:+,}${from#*::}_${to#*::}
done
command=("$mpiexec")
# SECOND_PROGRAM: the second component is a program of that name.
[ -z "${SECOND_PROGRAM:-}" ] || cp "$bin/coupled_many" "$SECOND_PROGRAM"
number=0
{
  echo "<simulation><context id=\"xios\"><variable_definition>${SETTINGS:-}</variable_definition></context>"
  for component in "$@"; do
    read -ra words <<< "$component"
    ((${#command[@]} == 1)) || command+=(:)
    program=$bin/coupled_many
    ((++number != 2)) || program=${SECOND_PROGRAM:+$PWD/$SECOND_PROGRAM}
    command+=(-n "${words[0]}" "${program:-$bin/coupled_many}" --code-id "${words[1]}" --contexts "${words[2]}" --fields "$fields" "${words[@]:3}")
    # An id may be used by several, on clients of their own.
    for id in $(sed -E 's/:[0-9-]+//g; s/,/\n/g' <<< "${words[2]}" | sort -u); do write_context "${words[1]}::$id"; done
  done
  echo '</simulation>'
} > plain.xml
sed -E -e "${EDIT:-}" plain.xml > iodef.xml
[ -z "${EDIT:-}" ] || ! cmp -s plain.xml iodef.xml || fail "nothing for EDIT"

start=$SECONDS
timeout -k 5 60 "${command[@]}" > out.txt 2>&1
status=$?
ended_after_s=$((SECONDS - start))
cat out.txt
case $kind in
  well) expect_success ;;
  lives) if ((status == 124 || status == 137)); then fail "the job hung"; fi ;;
  *) fail "unknown kind: $kind" ;;
esac
expect_end_within 20
expect_text "${SAYS?what is said}"
