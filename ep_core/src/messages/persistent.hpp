#pragma once

#include <atomic>
#include <memory>

#include "handles/endpoint.hpp"
#include "messages/request.hpp"

namespace ep {

/// The operation that a persistent request begins each time it is started.
struct Persistent {
  Persistent(const Member& whose, const char* why) : member(whose), what(why) {}
  Persistent(const Persistent&) = delete;
  Persistent(Persistent&&) = delete;
  Persistent& operator=(const Persistent&) = delete;
  Persistent& operator=(Persistent&&) = delete;
  virtual ~Persistent() = default;

  /// Prepares `request`, which is not active, and begins the operation. If it throws, nothing has
  /// begun.
  virtual void start(Request& request) = 0;

  Member member;  ///< copy of the endpoint's data, since its handle may be freed
  const char* what;
  std::atomic<bool> is_active{false};  ///< atomic, since EP_Parrived reads it in other threads
};

/// Makes an inactive request of the program's.
EP_Request make_persistent(std::unique_ptr<Persistent> operation);
/// Returns the operation behind a handle. Throws for a request that is unknown, not persistent, or
/// active.
Persistent& inactive_operation(EP_Request request);

}  // namespace ep
