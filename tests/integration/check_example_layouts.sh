#!/bin/bash
# Runs an example in several layouts: the files must hold the same bits as those of the first.
#
# usage: check_example_layouts.sh <model> <server> <check_same_data> <iodef.xml> <work folder>
#                                 <a file of each run> <layouts> [options of the model...]
# A layout reads <processes>x<threads>+<servers>[,option of the model...]; with "shared" behind the
# servers (2x2+2shared) all of them write each file.
set -uo pipefail
model=$1 server=$2 same=$3 iodef=$4 work=$5 file=$6 layouts=$7
shift 7
rm -rf "$work"
mkdir -p "$work"
export OMP_WAIT_POLICY=passive
cp "$iodef" "$work/owned.xml"
shared='<context id="xios"><variable_definition><variable id="shared_record_bytes">0</variable></variable_definition></context>'
sed "s|<simulation>|& $shared|" "$iodef" >"$work/shared.xml"

reference=
for layout in $layouts; do
  [[ $layout =~ ^([0-9]+)x([0-9]+)\+([0-9]+)(shared)?,?(.*)$ ]] || { echo "no layout: $layout" >&2; exit 2; }
  processes=${BASH_REMATCH[1]} threads=${BASH_REMATCH[2]} servers=${BASH_REMATCH[3]}
  xml=${BASH_REMATCH[4]:-owned} folder=$work/$layout
  IFS=, read -ra own <<<"${BASH_REMATCH[5]}"
  command=("${EPIOS_MPIEXEC:-mpiexec.mpich}" -n "$processes" "$model" --threads "$threads"
    --iodef "$work/$xml.xml" --output "$folder" "$@" "${own[@]}")
  ((servers == 0)) || command+=(: -n "$servers" "$server")
  mkdir -p "$folder"
  timeout 60 "${command[@]}" || { echo "$layout: the run failed with status $?" >&2; exit 1; }
  [[ -s $folder/$file ]] || { echo "$layout: no $file" >&2; exit 1; }
  if [[ -z $reference ]]; then
    reference=$folder/$file
  elif ! "$same" "$reference" "$folder/$file"; then
    echo "$layout: $file differs from the first layout" >&2
    exit 1
  fi
done
echo "all layouts hold the same data"
rm -rf "$work"
