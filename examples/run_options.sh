# shellcheck shell=bash
# Sourced by each run.sh: options, programs and tools of a run, with one set of words for what is wrong.
# Before, a run.sh sets processes, servers and output, a variable for each further option, and
#   target       the build target of the example
#   counts       options whose values are counts, e.g. (--processes --servers)
#   texts        options with other values, e.g. (--output)
#   flags        options without value, which become 1, e.g. (--check)
#   unknown      what happens to others: "model" (the model's, also behind --), "after" (those behind --), "none"
# An option --days is the variable days then; model_options are the model's.

fail() {
  echo "run.sh: $*" >&2
  exit 1
}

# read_options <build folder> <options...>
read_options() {
  [[ $# -ge 1 && -d $1 ]] || fail "no build folder (give it first). Build targets $target and programs."
  build=$(cd "$1" && pwd)
  shift
  model_options=()
  local value
  while (($#)); do
    if [[ " ${flags[*]-} " == *" $1 "* ]]; then
      printf -v "${1#--}" 1
      shift
    elif [[ " ${counts[*]} ${texts[*]} " == *" $1 "* ]]; then
      [[ -n ${2-} ]] || fail "$1 has no value (none follows it). See the head of run.sh."
      value=$2
      [[ " ${texts[*]} " == *" $1 "* || $2 =~ ^(0|[1-9][0-9]*)$ ]] || fail "$1 $2 is no count (a whole number is needed)."
      [[ $1 != --output ]] || value=$(realpath -m "$2")
      printf -v "${1#--}" %s "$value"
      shift 2
    elif [[ $1 == -- && $unknown != none ]]; then
      shift
      model_options+=("$@")
      break
    elif [[ $unknown == model ]]; then
      model_options+=("$1")
      shift
    elif [[ $unknown == after ]]; then
      fail "unknown option '$1'. Options of $target come after --."
    else
      fail "unknown option '$1'. See the head of run.sh."
    fi
  done
}

need_programs() {
  local program
  for program in "$@"; do
    [[ -x $program ]] || fail "no $program (it is not built). Build targets $target and programs."
  done
}

# need_tools <tools...>: and the launcher, mpiexec.
need_tools() {
  local tool
  mpiexec=${EPIOS_MPIEXEC:-$(command -v mpiexec.mpich || command -v mpiexec.hydra || echo mpiexec.mpich)}
  for tool in "$mpiexec" "$@"; do
    command -v "$tool" > /dev/null || fail "no $tool (a package is missing). Run ./scripts/setup."
  done
}
