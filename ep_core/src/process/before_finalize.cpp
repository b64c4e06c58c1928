#include "process/before_finalize.hpp"

#include <mpi.h>

#include <memory>

#include "process/error.hpp"

namespace ep {

namespace {

struct Hook {
  void (*callback)(void* state);
  void* state;
};

/// MPI_Finalize begins with the attributes of MPI_COMM_SELF (MPI-3.1, 8.7.1).
int run_hook(MPI_Comm /*comm*/, int /*keyval*/, void* attribute, void* /*extra*/) {
  const std::unique_ptr<Hook> hook(static_cast<Hook*>(attribute));
  hook->callback(hook->state);
  return MPI_SUCCESS;
}

}  // namespace

void before_finalize(void (*callback)(void* state), void* state) {
  auto hook = std::make_unique<Hook>(Hook{callback, state});
  int key = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, run_hook, &key, nullptr),
            "MPI_Comm_create_keyval");
  check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, hook.get()), "MPI_Comm_set_attr");
  static_cast<void>(hook.release());
  // The attribute keeps the key alive.
  check_mpi(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");
}

}  // namespace ep
