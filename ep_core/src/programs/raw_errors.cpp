#include "programs/raw_errors.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdio>

#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "process/raw_call_scope.hpp"

namespace ep {

namespace {

// MPI calls it in the thread whose call failed, and returns the code if it returns.
void meet_raw_error(MPI_Comm* /*comm*/, int* code, ...) {
  if (RawCallScope::is_open()) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(*code, text.data(), &length) != MPI_SUCCESS) length = 0;
  set_last_error({text.data(), static_cast<std::size_t>(length)});
  if (const EP_Comm endpoint = endpoint_or_null(EP_COMM_ENDPOINTS); endpoint != EP_COMM_NULL) {
    *code = endpoint->place().errors.raise(*code, endpoint->place());
    return;
  }
  std::fprintf(stderr, "[ep] fatal error in a thread attached to no endpoint: %s\n", last_error());
  MPI_Abort(MPI_COMM_WORLD, *code);
}

}  // namespace

// Which of the two MPI asks depends on the version of its standard.
void hear_raw_errors() {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  check_mpi(MPI_Comm_create_errhandler(meet_raw_error, &handler), "MPI_Comm_create_errhandler");
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    check_mpi(MPI_Comm_set_errhandler(comm, handler), "MPI_Comm_set_errhandler");
  }
  check_mpi(MPI_Errhandler_free(&handler), "MPI_Errhandler_free");
}

}  // namespace ep
