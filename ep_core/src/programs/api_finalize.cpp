#include <ep/finalize.h>
#include <mpi.h>

#include <memory>

#include "handles/api_arguments.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

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

int EP_On_finalize(void (*callback)(void* state), void* state) {
  return guarded([&] {
    if (callback == nullptr) fail(EP_ERR_ARG, "EP_On_finalize without a callback.");
    auto hook = std::make_unique<Hook>(Hook{callback, state});
    int key = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, run_hook, &key, nullptr),
              "MPI_Comm_create_keyval");
    check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, hook.get()), "MPI_Comm_set_attr");
    static_cast<void>(hook.release());
    // The attribute keeps what it needs of the key.
    check_mpi(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");
  });
}
