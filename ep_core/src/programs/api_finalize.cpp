#include <ep/finalize.h>

#include "handles/api_arguments.hpp"
#include "process/before_finalize.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

int EP_On_finalize(void (*callback)(void* state), void* state) {
  return guarded([&] {
    if (callback == nullptr) fail(EP_ERR_ARG, "EP_On_finalize without a callback.");
    before_finalize(callback, state);
  });
}
