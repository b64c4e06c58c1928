#!/usr/bin/env bash
# A model that was compiled and linked with another MPI than the library: the first call says so, and nothing is written.
#   another_mpi_case.sh <as in case.sh> <the other MPI's mpicc> <client library> <folder of its headers>
source "$(dirname "$0")/case.sh"
begin_case "$@"
mpicc=$6 library=$7 headers=$8
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

cat > model.c << 'EOF'
#include <epios/epios.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  epios_session* session = NULL;
  if (argc > 1) MPI_Init(&argc, &argv);
  if (epios_session_open("ocean", NULL, &session) == EPIOS_SUCCESS) return 0;
  fprintf(stderr, "model: %s\n", epios_last_error());
  return 3;
}
EOF
"$mpicc" -I "$headers" -o model model.c "$library" "-Wl,-rpath,${library%/*}" || fail "the model is not linked"

# expect_named <command...>
expect_named() {
  timeout -k 5 30 "$@" > out.txt 2>&1 && fail "the job succeeded: $*"
  cat out.txt
  grep -Eq "model: .*this process runs with '(Open MPI|MPICH).*', but ep_core was built with '.*' .handles of one mean nothing to the other.* wrappers" out.txt ||
    fail "the other MPI is not named: $*"
}
# By either launcher, and where the model has started its MPI.
expect_named "$mpiexec" -n 1 ./model
expect_named "${mpicc/mpicc/mpiexec}" -n 1 ./model
expect_named "${mpicc/mpicc/mpiexec}" -n 1 ./model starts_mpi
