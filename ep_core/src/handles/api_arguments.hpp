#pragma once

#include <ep/ep.h>

#include <memory>
#include <utility>

#include "handles/endpoint.hpp"
#include "handles/start_handles.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"

namespace ep {

// How the C functions run their bodies and turn exceptions into return codes.

/// Runs the body of a function that any thread may call. Errors go through the error handler of the
/// endpoint of `comm`. Returns the code for the program.
template <class Body>
int call_local(EP_Comm comm, Body&& body) noexcept {
  const int code = guarded(std::forward<Body>(body));
  if (code == EP_SUCCESS) return code;
  if (const EP_Comm caller = endpoint_or_null(comm); caller != EP_COMM_NULL) {
    return caller->place().errors.raise(code, caller->place());
  }
  return code;
}

inline void check_out(const void* out) {
  if (out == nullptr) fail(EP_ERR_ARG, "an output argument is a null pointer.");
}

/// Runs the body of a function that acts for the endpoint of `comm`, with its thread level checked.
template <class Body>
int call_on(EP_Comm comm, Body&& body) noexcept {
  return call_local(comm, [&] {
    const CallScope call(comm);
    engine().look_now_and_then();
    body();
  });
}

/// Runs the body of a function that acts for the endpoint of `comm` and creates an object: `*out`
/// is null after an error.
template <class Handle, class Body>
int call_creating(EP_Comm comm, Handle* out, Body&& body) noexcept {
  if (out != nullptr) *out = nullptr;
  return call_on(comm, [&] {
    check_out(out);
    try {
      body();
    } catch (...) {
      *out = nullptr;
      throw;
    }
  });
}

/// Identifies the error handler for errors of a request or a message.
struct ErrorScope {
  std::shared_ptr<Clique> clique;  ///< keeps `place` alive
  Slot* place = nullptr;           ///< null: no handler is invoked
};

/// Invokes the error handler of `scope` if `code` is an error. Returns the code for the program,
/// which the handler may have changed.
inline int invoke_errhandler(int code, const ErrorScope& scope) noexcept {
  if (code == EP_SUCCESS || scope.place == nullptr) return code;
  return scope.place->errors.raise(code, *scope.place);
}

/// Runs the body of a function that learns only in its body which endpoint an error concerns, and
/// then sets `scope`.
template <class Body>
int call_with_scope(const ErrorScope& scope, Body&& body) noexcept {
  engine().look_now_and_then();
  return invoke_errhandler(guarded(std::forward<Body>(body)), scope);
}

/// Copies all fields but EP_ERROR, which only functions that complete several requests set
/// (MPI-3.1, 3.2.5).
inline void give_status(const EP_Status& from, EP_Status* to) {
  if (to == EP_STATUS_IGNORE) return;
  to->EP_SOURCE = from.EP_SOURCE;
  to->EP_TAG = from.EP_TAG;
  to->ep_bytes = from.ep_bytes;
  to->ep_cancelled = from.ep_cancelled;
}

/// The status of a null request and of a send.
constexpr EP_Status empty_status{EP_ANY_SOURCE, EP_ANY_TAG, EP_SUCCESS, 0, 0};

}  // namespace ep
