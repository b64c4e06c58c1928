#!/usr/bin/env bash
# What users of I/O servers have met before (docs/pain_points.md), where no other case has it.
#   pain_case.sh <as in case.sh> <kind> <settings> <further arguments of the kind...>
source "$(dirname "$0")/case.sh"
begin_case "$@"
kind=$6 settings=$7
shift 7

case $kind in
  # Session, client and context are opened back to back; one process is far behind all others: late <process>
  late)
    write_iodef "$settings"
    export LD_PRELOAD=$2 LATE_PROCESS=$1 LATE_MS=1500
    run_job 60
    unset LD_PRELOAD
    expect_success
    expect_text "^late_start: process $1 comes 1500 ms late$"
    ! grep -E "^epios: (waiting|warning)" out.txt || fail "somebody minded that a process came late"
    expect_account
    expect_values .
    ;;
  # Contexts that the model leaves open are ended, each with a warning, and their files are whole.
  left_open)
    write_iodef "$settings"
    add_context sibling sibling
    run_job 60 --contexts toy,sibling --mistake no_finalize
    expect_success
    expect_text "warning: context 'toy' is finalized by the end of its client .*epios_context_finalize
warning: context 'sibling' is finalized by the end of its client .*epios_context_finalize"
    expect_values .
    expect_values sibling
    ;;
  # Far more fields than real configurations have, in one file, of three kinds of grids: many_fields <its other attributes> <of each grid>
  many_fields)
    each=${2:-1200}
    write_iodef "$settings"
    {
      sed '/<\/file_definition>/,$d' iodef.xml
      echo "<file id=\"many\" output_freq=\"2h\" ${1:-}>"
      for ((n = 1; n <= each; ++n)); do
        for field in temp index profile; do
          printf '<field field_ref="%s" name="%s_%d" operation="instant" prec="8"/>\n' $field $field "$n"
        done
      done
      echo '</file>'
      sed -n '/<\/file_definition>/,$p' iodef.xml
    } > many.xml
    mv many.xml iodef.xml
    run_job 150 --steps 4 --nx 4 --ny 3 --nz 2
    expect_success
    expect_text "^many.nc: $((3 * each * 2)) records, 0 lost,"
    "$bin/check_alike" many.nc "$each" instant.nc temp index profile || fail "wrong values in many.nc"
    expect_values . --steps 4 --nx 4 --ny 3 --nz 2
    ;;
  # Who asks for nothing gets files, and what the model itself prints; and one report of so many lines: quiet <lines>
  quiet)
    write_iodef "$settings"
    run_job 60
    expect_success
    expect_account
    [ "$(grep -c "^epios: report: component 'toy': " out.txt)" -eq "$1" ] || fail "the report has not $1 lines"
    others=$(grep -vE "^[a-z]+\.nc: [0-9]+ records, 0 lost|^epios: report: " out.txt)
    [ -z "$others" ] || fail "something else was printed: $others"
    [ "$(echo *)" = "instant.nc iodef.xml means.nc out.txt surface.nc" ] || fail "other files: $(echo *)"
    expect_values .
    ;;
  # Whatever has how many points: any <model options...>
  any)
    write_iodef "$settings"
    run_job 60 "$@"
    expect_success
    expect_account
    expect_values . "$@"
    ;;
  # Numbers that the file cannot hold: infinite, and told once at the end.
  too_large)
    write_iodef "$settings" 's|<file id="surface"|<file id="huge" output_freq="2h"><field field_ref="temp" name="huge" operation="instant" prec="4"> temp * 1e300 </field><field field_ref="temp" name="wide" operation="instant" prec="8"> temp * 1e300 </field></file>&|'
    run_job 60
    expect_success
    [ "$(numbers_of huge.nc huge | sort -u)" = "Infinityf" ] || fail "in single precision it is $(numbers_of huge.nc huge | sort -u | head -3)"
    infinite=$(grep " infinite" out.txt)
    [ "$(wc -l <<< "$infinite")" -eq 1 ] || fail "not told once: $infinite"
    count=$(numbers_of huge.nc huge | grep -c .)
    expect_text "^epios: warning: context 'toy': $count values of 'huge' in file 'huge' are infinite, first in the record of 20[0-9-]+ 02:00:00 .prec=.4. holds numbers up to 3.4e38; "
    numbers_of huge.nc wide | awk '!($1 > 1e300 && $1 < 1e302) { exit 1 }' || fail "in double precision it is another number"
    expect_values .
    ;;
  *) fail "unknown kind: $kind" ;;
esac
