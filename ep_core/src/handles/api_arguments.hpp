#pragma once

#include <ep/ep.h>

#include <memory>
#include <utility>

#include "handles/endpoint.hpp"
#include "handles/start_handles.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"

namespace ep {

// What the C functions do with arguments of every kind.

/// guarded() for a function that any thread may call: errors go through the error handler of the
/// endpoint of `comm`.
template <class Body>
int guarded_naming(EP_Comm comm, Body&& body) noexcept {
  const int code = guarded(std::forward<Body>(body));
  if (code == EP_SUCCESS) return code;
  if (const EP_Comm own = endpoint_or_null(comm); own != EP_COMM_NULL) {
    own->place().errors.raise(code, own->place());
  }
  return code;
}

/// The same for a function that acts for the endpoint of `comm`.
template <class Body>
int guarded_on(EP_Comm comm, Body&& body) noexcept {
  return guarded_naming(comm, [&] {
    const CallScope call(comm);
    engine().look_now_and_then();
    body();
  });
}

/// Whose error handler an error of a request or a message meets.
struct Blame {
  std::shared_ptr<Clique> clique;  ///< keeps `place`
  Slot* place = nullptr;           ///< nobody's
};

/// guarded() for a function that finds out in its body whom an error concerns.
template <class Body>
int guarded_for(const Blame& blame, Body&& body) noexcept {
  engine().look_now_and_then();
  const int code = guarded(std::forward<Body>(body));
  if (code != EP_SUCCESS && blame.place != nullptr) blame.place->errors.raise(code, *blame.place);
  return code;
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
