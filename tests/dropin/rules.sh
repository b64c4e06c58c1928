#!/bin/bash
# Rules for programs built by epcc and epcxx and started by epexec, one per test: how they are
# compiled and linked, how they start and end. Programs are in rules/.
#
# usage: rules.sh <folder of epcc> <rule>
set -euo pipefail
export LC_ALL=C
ulimit -c 0

bin=$(cd "$1" && pwd)
rules=$(cd "$(dirname "${BASH_SOURCE[0]}")/rules" && pwd)
PATH=$bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "rules.sh: $*" >&2
  [[ ! -f output ]] || sed 's/^/  output: /' output >&2
  [[ ! -f errors ]] || sed 's/^/  errors: /' errors >&2
  exit 1
}
limit_s=20
# try <command...>: its output, errors and status
try() {
  status=0
  timeout "$limit_s" "$@" >output 2>errors || status=$?
  ((status != 124)) || fail "hangs: $*"
}
expect_status() { [[ $status == "$1" ]] || fail "status $status, expected $1."; }
# expect <file> <lines>: in any order
expect() { diff <(sort "$1") <(sort <<<"$2") || fail "$1 is not as expected."; }
expect_text() { grep -qF -- "$2" "$1" || fail "$1 does not say '$2'."; }
build() { epcc -O1 "$rules/$1.c" -o "$1" "${@:2}"; }

rule_exit_status() {
  build ends
  try epexec -endpoints 3 ./ends 0 7 3
  expect_status 7
  expect output $'rank 0 reached the end\nrank 1 reached the end\nrank 2 reached the end'
  try epexec -n 2 -endpoints 2 ./ends 0 5 0 0
  expect_status 5
  try epexec -n 2 -endpoints 2 ./ends
  expect_status 0
  try epexec -endpoints 2 ./ends 258 0 # as of a process: what fits into a byte
  expect_status 2
}

# The others wait in a barrier, which must not last.
rule_early_exit() {
  build ends
  local how number
  for how in exit4 return4 quick4; do
    for number in 1 2; do
      try epexec -n "$number" -endpoints 2 ./ends 0 "$how"
      ((status != 0)) || fail "$how between MPI_Init and MPI_Finalize is a success."
      expect_text errors "ended with status 4 between MPI_Init and MPI_Finalize"
      expect_text errors "The job ends."
      ! grep -q "reached the end" output || fail "somebody passed the barrier."
    done
  done
  try epexec -endpoints 3 ./ends 0 0 exit0
  ((status != 0)) || fail "exit(0) between MPI_Init and MPI_Finalize is a success."
  expect_text errors "endpoint 2 of this process ended with status 0"
}

rule_fatal() {
  build ends
  local how
  for how in abort segv terminate; do
    try epexec -endpoints 3 ./ends 0 "$how"
    ((status != 0)) || fail "$how in one endpoint is a success."
    try epexec -n 2 -endpoints 2 ./ends 0 0 "$how"
    ((status != 0)) || fail "$how in one of two processes is a success."
    ! grep -q "reached the end" output || fail "somebody passed the barrier."
  done
  try epexec -n 2 -endpoints 2 ./ends 0 0 0 mpi_abort6
  expect_status 6
}

rule_alone() {
  build who
  try ./who <<<"line"
  expect_status 0
  expect output "who 0 of 1, MPI 4.0 as 4.0, 1 lines"
  build ends
  try ./ends 9
  expect_status 9
  try ./ends exit5
  ((status != 0)) || fail "exit(5) between MPI_Init and MPI_Finalize is a success."
  try ./ends segv
  expect_status 139
  build no_mpi
  try ./no_mpi
  expect_status 4
  expect output "hello, count 1, initialised 0"
}

rule_without_init() {
  build no_mpi
  try epexec -endpoints 3 ./no_mpi
  expect_status 4
  expect output "$(for i in 1 2 3; do echo "hello, count 1, initialised 0"; done)"
}

rule_unsupported() {
  # Of an MPI that has more than ours.
  local top mpi
  top=$(cd "$rules/../../.." && pwd)
  mpi=$(mpicc.mpich -show | grep -oE -- '-I[^ ]+/mpich' | head -1)
  mkdir newer
  cp "${mpi#-I}"/*.h newer
  echo 'int MPI_Comm_newer(MPI_Comm comm);' >>newer/mpi.h
  try "$top/ep_core/dropin/make_mpi_header" --unsupported "${CC:-cc}" newer "$top/ep_core/include"
  expect_status 0
  expect output "MPI_Comm_newer"
  mkdir dropin
  "$top/ep_core/dropin/make_mpi_header" "${CC:-cc}" newer "$top/ep_core/include" dropin/mpi.h
  printf '#include <mpi.h>\nint main(void) { return MPI_Comm_newer(MPI_COMM_SELF); }\n' >too_new.c
  try "${CC:-cc}" -Idropin -I"$top/ep_core/include" -Inewer too_new.c -o too_new
  ((status != 0)) || fail "MPI_Comm_newer links."
  expect_text errors "MPI_Comm_newer_is_not_supported"
  [[ ! -e too_new ]] || fail "there is a program all the same."
  try epcc -static "$rules/ring.c"
  expect_status 1
  expect errors "epcc: -static is not possible (every endpoint loads a copy of the program)."
}

counts_lines=$'rank 0: sum 6, counter 100\nrank 1: sum 6, counter 101\nrank 2: sum 6, counter 102'

rule_separate_objects() {
  epcc -c "$rules/counting.c"
  epcc -c -O2 -o main.o "$rules/counts.c"
  epcc main.o counting.o -o counts
  try epexec -endpoints 3 ./counts
  expect output "$counts_lines"
  [[ $(epcc -show -c x.c) == *" -c x.c "*-fPIC* ]] || fail "epcc -show does not show the command."
}

rule_static_library() {
  epcc -c "$rules/counting.c"
  ar rcs libcounting.a counting.o
  epcc "$rules/counts.c" -L. -lcounting -o counts
  try epexec -endpoints 3 ./counts
  expect output "$counts_lines"
}

# A library of one's own is loaded once: what it calls is MPI all the same, its variables are common.
rule_shared_library() {
  epcc -shared "$rules/counting.c" -o libcounting.so
  epcc "$rules/counts.c" -L. -lcounting -Wl,-rpath,"$PWD" -o counts
  try ./counts
  expect output "rank 0: sum 1, counter 100"
  try epexec -n 3 ./counts
  expect output "$counts_lines"
  try epexec -endpoints 3 ./counts
  expect_status 0
  expect_text output "rank 2: sum 6, counter "
  [[ $(wc -l <output) == 3 ]] || fail "not one line per rank."
}

rule_programs() {
  build who
  epcc -DNAME='"other"' "$rules/who.c" -o other
  try epexec -n 1 -endpoints 2 ./who a : -n 2 -endpoints 1 ./other b c </dev/null
  expect_status 0
  expect output "$(echo "who 0 of 4, MPI 4.0 as 4.0, 0 lines <a>"
    echo "who 1 of 4, MPI 4.0 as 4.0, 0 lines <a>"
    echo "other 2 of 4, MPI 4.0 as 4.0, 0 lines <b> <c>"
    echo "other 3 of 4, MPI 4.0 as 4.0, 0 lines <b> <c>")"
}

rule_arguments() {
  build who
  try epexec -endpoints 2 ./who "two words" "" '$HOME *' -n 'quo"te' </dev/null
  expect output "$(for i in 0 1; do
    echo "who $i of 2, MPI 4.0 as 4.0, 0 lines <two words> <> <\$HOME *> <-n> <quo\"te>"
  done)"
  try epexec
  expect_status 2
  try epexec -n 2
  expect_status 2
  expect errors "epexec: no program to start. See epexec -help."
  try epexec -endpoints none ./who
  expect errors "epexec: -endpoints takes a number from 1 on, not 'none'."
  expect_status 2
  try epexec ./who :
  expect errors "epexec: no program after ':'."
}

rule_input() {
  build who
  try epexec -n 1 -endpoints 2 ./who < <(seq 1000)
  expect output $'who 0 of 2, MPI 4.0 as 4.0, 1000 lines\nwho 1 of 2, MPI 4.0 as 4.0, 1000 lines'
  try epexec -n 2 -endpoints 1 ./who < <(seq 20)
  expect output $'who 0 of 2, MPI 4.0 as 4.0, 20 lines\nwho 1 of 2, MPI 4.0 as 4.0, 20 lines'
}

rule_many_endpoints() {
  build ring
  try epexec -endpoints 64 ./ring
  expect_status 0
  expect output "2016 after 64 ranks"
  try epexec -n 2 -endpoints 33 ./ring
  expect output "2145 after 66 ranks"
}

rule_stack() {
  build deep_stack
  try epexec -endpoints 4 ./deep_stack
  expect_status 0
  expect output $'rank 0: 11 of 50\nrank 1: 12 of 50\nrank 2: 13 of 50\nrank 3: 14 of 50'
}

rule_configure() {
  limit_s=100  # it compiles often
  CC=epcc try "$rules/configure"
  expect_status 0
  expect config.txt "default output a.out
programs run
suffix of objects o
long and ranks 8 1
has strtok_r
has no no_such_function
has getopt_long
links libm
preprocesses
status 3"
}

rule_cmake_project() {
  limit_s=100
  try cmake -S "$rules/project" -B build -G Ninja -DCMAKE_C_COMPILER="$bin/epcc" -DCMAKE_CXX_COMPILER="$bin/epcxx"
  expect_status 0
  try cmake --build build
  expect_status 0
  try epexec -endpoints 3 build/counts
  expect output "$counts_lines"
  try epexec -endpoints 3 build/greets
  expect output $'greetings of rank 0\ngreetings of rank 1\ngreetings of rank 2'
}

# Constants of MPI's header compile with ours, too, and codes of errors are in order.
rule_macros() {
  limit_s=100
  print_constants() {
    echo "#include <stddef.h>"; echo "#include <mpi.h>"
    echo "int main(void) {"
    echo '#include <mpi.h>' | "$1" -E -dM -x c - |
      sed -nE 's/^#define (MPI_[A-Z0-9_]+) .+/\1/p' | sort -u |
      grep -vE '_(VERSION|SUBVERSION)_|^MPI_(FILE_DEFINED|AINT_FMT_[A-Z_]+)$' | sed 's/.*/  (void)(&);/'
    echo "  return 0;"
    echo "}"
  }
  print_constants mpicc.mpich >constants.c
  (($(wc -l <constants.c) > 200)) || fail "not 200 constants of MPI's header."
  try mpicc.mpich -w -c constants.c
  expect_status 0
  try epcc -w -c constants.c
  expect_status 0
  cat >codes.c <<'TEXT'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  static int last = MPI_ERR_LASTCODE;
  int* used = NULL;
  int flag = 0;
  int made = 0;
  int code = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &used, &flag);
  printf("%d %d %d\n", flag, MPI_ERR_RMA_FLAVOR < last, *used >= last);
  MPI_Add_error_class(&made);
  MPI_Add_error_code(made, &code);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &used, &flag);
  printf("%d %d\n", made > last && code > made, *used >= code);
  MPI_Finalize();
  return 0;
}
TEXT
  epcc -Wall -Werror codes.c -o codes
  try epexec -endpoints 1 ./codes
  expect output $'1 1 1\n1 1'
}

# Options that change what is linked, or how.
rule_link_options() {
  local options
  for options in "-flto -O2" -s "-fvisibility=hidden -O3" -std=gnu89 "-Wl,--as-needed" "-pie -fPIE" "-no-pie -fno-pic" \
    "-g -O0" "-pthread -MMD"; do
    # shellcheck disable=SC2086
    epcc $options "$rules/ring.c" -o ring || fail "does not link with $options."
    try epexec -endpoints 3 ./ring
    expect output "3 after 3 ranks"
  done
}
rule_gc_sections() {
  epcc -ffunction-sections -fdata-sections -Wl,--gc-sections "$rules/ring.c" -o ring
  try epexec -endpoints 3 ./ring
  expect output "3 after 3 ranks"
}

# Sources that are no files, or whose names do not tell their language.
rule_languages() {
  cp "$rules/ring.c" ring.txt
  try epcc -x c ring.txt -o ring
  expect_status 0
  try epexec -endpoints 3 ./ring
  expect output "3 after 3 ranks"
  try epcc -x c - -o other <"$rules/ring.c"
  expect_status 0
  try epexec -endpoints 3 ./other
  expect output "3 after 3 ranks"
}

# A project may name the folder of MPI's own header; ours comes first all the same.
rule_foreign_header() {
  local folder
  folder=$(mpicc.mpich -show | tr ' ' '\n' | sed -n 's/^-I//p' | head -1)
  epcc -I"$folder" "$rules/ring.c" -o ring
  try epexec -endpoints 3 ./ring
  expect_status 0
  expect output "3 after 3 ranks"
}

# A function of libc that ends the program ends this endpoint; the others say what they have to say.
rule_errx() {
  cat >leaves.c <<'TEXT'
#include <err.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char** argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  if (rank == 1) errx(3, "enough");
  usleep(200000);
  printf("rank %d stays\n", rank);
  return 0;
}
TEXT
  epcc leaves.c -o leaves
  try epexec -endpoints 3 ./leaves
  expect_status 3
  expect output $'rank 0 stays\nrank 2 stays'
}

# Names of ours that are libc's, too: all but those that begin with ep_.
own_names() {
  nm -g --defined-only "$bin"/../lib/start.o "$bin"/../lib/libep_own_state.a | awk 'NF == 3 && $3 !~ /^ep_/ {print $3}'
}
# print_program <own names> <names of ours>: it has functions of the own names, which libraries may
# come to call, and needs all of ours. Prints how many of its own it reached.
print_program() {
  local name
  echo "extern int printf(const char*, ...); extern int calls;"
  for name in $1 $2; do echo "extern void* $name();"; done
  echo "int main(void) {"
  echo "  const int before = calls;"
  for name in $1; do echo "  $name();"; done
  echo "  const int reached = calls - before;"
  for name in $2; do echo "  if (&$name == 0) return 1;"; done
  echo '  printf("%d\n", reached);'
  echo "  return 0;"
  echo "}"
}
print_functions() {
  local name
  echo "int calls;"
  for name in $1; do echo "void* $name() { ++calls; return 0; }"; done
}
# Functions that must be there, so that the list is one.
check_own_names() {
  local name
  for name in exit _exit err errx verr random srand drand48 strtok getopt getopt_long optind optarg; do
    grep -qx "$name" < <(own_names) || fail "$name is not the endpoint's own."
  done
}

# A program may have functions and variables of its own with the names that libc has, alone and beside
# ours: every other name is its own.
rule_own_names() {
  check_own_names
  local own ours name
  for own in 'NR % 2' '!(NR % 2)' 1; do
    ours=$(own_names | awk "!($own)")
    own=$(own_names | awk "$own")
    { print_functions "$own"; print_program "$own" "$ours"; } >own.c
    epcc -w -fno-builtin own.c -o own
    try ./own
    expect_status 0
    expect output "$(wc -w <<<"$own")"
    for name in $own; do echo "int $name = 42;"; done >variables.c
    { echo "int calls;"; print_program "" "$ours"; } >>variables.c
    epcc -w -fno-builtin variables.c -o variables # where libraries would call them
  done
  echo 'int err; double random[3]; int main(void) { random[1] = 2; return err + (int)random[1]; }' >common.c
  epcc -w -fcommon common.c -o common
  try ./common
  expect_status 2
}

# So may a library that it links statically; also where the program names libc, or is optimised as a whole.
rule_own_names_archived() {
  local own="err random drand48 strtok getopt" options
  print_functions "$own" >theirs.c
  print_program "$own" "errx srand srand48 getopt_long" >user.c
  epcc -w -fno-builtin -c theirs.c
  ar rcs libtheirs.a theirs.o
  epcc -w -fno-builtin user.c -L. -ltheirs -o user
  try ./user
  expect output 5
  for options in "" -lc "-flto -O2" "-flto -O2 -lc"; do
    # shellcheck disable=SC2086
    epcc "$rules/ends.c" $options -o ends
    try epexec -endpoints 3 ./ends 0 7 3
    expect_status 7
    # shellcheck disable=SC2086
    epcc "$rules/options.c" $options -o of_ep
    grep -q ' [tVW] getopt_long$' < <(nm of_ep) || fail "with '$options' getopt_long is libc's."
  done
}

# Parked processes run what is spawned, and are free again when it has ended.
rule_spawn() {
  build spawns
  local i twice
  try epexec -endpoints 2 -spare 2 ./spawns 2 3
  expect_status 0
  expect output "$(for twice in 1 2; do
    for i in 0 1; do echo "parent $i: sum 24 of 8"; done
    for i in 0 1 2 3 4 5; do echo "two words $i: sum 24 of 8"; done
  done)"
  try epexec -n 2 -spare 1 ./spawns
  expect_status 0
  expect output "$(for twice in 1 2; do
    for i in 0 1; do echo "parent $i: sum 4 of 3"; done
    echo "two words 0: sum 4 of 3"
  done)"
  local refused
  for refused in "2 1" "1 1 ./nowhere" "1 1 /bin/ls"; do
    # shellcheck disable=SC2086
    try epexec -endpoints 2 -spare 1 ./spawns $refused
    expect_status 0
    expect output $'rank 0: spawn error, code of an error\nrank 1: spawn error, code of an error'
  done
  try epexec -endpoints 2 -spare 1 ./spawns 1 none # endpoints
  expect_status 0
  expect output $'rank 0: spawn error, code of an error\nrank 1: spawn error, code of an error'
  try ./spawns
  expect output "rank 0: spawn error, code of an error"
}

# As the proposal of 2011 has it.
rule_spawn_first() {
  build spawns_first
  try epexec -endpoints 2 -spare 2 ./spawns_first
  expect_status 0
  expect output "$(for i in 0 3; do echo "child $i has a parent"; done
    for i in 1 2 4 5; do echo "child $i has no parent"; done
    for i in 0 1; do echo "parent $i has 2 children"; done
    echo "parent: child 0 is rank 0 of its world"
    echo "parent: child 1 is rank 3 of its world")"
}

# Programs of one job, and a program with what it has spawned, find each other by a name.
rule_ports() {
  build ports
  try epexec -n 2 -endpoints 2 ./ports serve : -n 1 -endpoints 3 ./ports call
  expect_status 0
  expect output "$(for i in 0 1 2; do echo "call $i of 3: sum 10 of 4"; done
    for i in 0 1 2 3; do echo "serve $i of 4: sum 6 of 3"; done)"
  try epexec -endpoints 2 -spare 1 ./ports parent
  expect_status 0
  expect output $'child 0 of 1: sum 3 of 2\nparent 0 of 2: sum 1 of 1\nparent 1 of 2: sum 1 of 1'
}

rule_spawn_multiple() {
  build spawns_two
  try epexec -endpoints 2 -spare 2 ./spawns_two
  expect_status 0
  expect output $'parent 0: codes 0 0\nparent 1: codes 0 0
first 0 of 3, program 0: sum 6\nsecond 1 of 3, program 1: sum 6\nsecond 2 of 3, program 1: sum 6'
  try epexec -endpoints 2 -spare 2 ./spawns_two killed
  ((status != 0)) || fail "a job whose spare was killed is a success."
}

# compare_options [kind]
compare_options() {
  "${CC:-cc}" "$rules/options.c" -o of_libc
  epcc "$rules/options.c" -o of_ep
  ./of_libc "$@" >of_libc.txt 2>of_libc.err
  ./of_ep "$@" >of_ep.txt 2>of_ep.err
  (($(grep -c '^line ' of_libc.txt) == 300)) || fail "not 300 command lines."
  diff of_libc.txt of_ep.txt || fail "getopt says something else."
  # Complaints have words of their own, but are as many.
  (($(wc -l <of_libc.err) == $(wc -l <of_ep.err))) || fail "getopt does not complain as often."
}
rule_getopt() { compare_options; }
rule_getopt_long_only() { compare_options getopt_long_only; }

"rule_$2"
