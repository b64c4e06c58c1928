#pragma once

#include <ep/ep.h>

#include <utility>

#include "error.hpp"

namespace ep {

// What the C functions do with arguments of every kind.

/// guarded() for a function that acts on `comm`: errors go through the error handler of its
/// endpoint.
template <class Body>
int guarded_on(EP_Comm comm, Body&& body) noexcept {
  static_cast<void>(comm);  // predefined handlers other than EP_ERRORS_RETURN are not there yet
  return guarded(std::forward<Body>(body));
}

inline void check_out(const void* out) {
  if (out == nullptr) fail(EP_ERR_ARG, "an output argument is a null pointer.");
}

inline void give_status(const EP_Status& from, EP_Status* to) {
  if (to != EP_STATUS_IGNORE) *to = from;
}

/// Of a null request, and of a send.
constexpr EP_Status empty_status{EP_ANY_SOURCE, EP_ANY_TAG, EP_SUCCESS, 0, 0};

}  // namespace ep
