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
    return own->place().errors.raise(code, own->place());
  }
  return code;
}

inline void check_out(const void* out) {
  if (out == nullptr) fail(EP_ERR_ARG, "an output argument is a null pointer.");
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

/// guarded_on() for a function that makes an object: `*out` is null after an error.
template <class Handle, class Body>
int guarded_making(EP_Comm comm, Handle* out, Body&& body) noexcept {
  if (out != nullptr) *out = nullptr;
  return guarded_on(comm, [&] {
    check_out(out);
    try {
      body();
    } catch (...) {
      *out = nullptr;
      throw;
    }
  });
}

/// Whose error handler an error of a request or a message meets.
struct Blame {
  std::shared_ptr<Clique> clique;  ///< keeps `place`
  Slot* place = nullptr;           ///< nobody's
};

/// What is to be returned for `code`: the handler that an error meets may change it.
inline int meet_handler(int code, const Blame& blame) noexcept {
  if (code == EP_SUCCESS || blame.place == nullptr) return code;
  return blame.place->errors.raise(code, *blame.place);
}

/// guarded() for a function that finds out in its body whom an error concerns.
template <class Body>
int guarded_for(const Blame& blame, Body&& body) noexcept {
  engine().look_now_and_then();
  return meet_handler(guarded(std::forward<Body>(body)), blame);
}

/// All but EP_ERROR, which is for functions that complete several requests (MPI-3.1, 3.2.5).
inline void give_status(const EP_Status& from, EP_Status* to) {
  if (to == EP_STATUS_IGNORE) return;
  to->EP_SOURCE = from.EP_SOURCE;
  to->EP_TAG = from.EP_TAG;
  to->ep_bytes = from.ep_bytes;
  to->ep_cancelled = from.ep_cancelled;
}

/// Of a null request, and of a send.
constexpr EP_Status empty_status{EP_ANY_SOURCE, EP_ANY_TAG, EP_SUCCESS, 0, 0};

}  // namespace ep
