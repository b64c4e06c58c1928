#pragma once

#include <epios/epios.h>

#include "context/client_lock.hpp"
#include "context/client_state.hpp"
#include "context/context_state.hpp"
#include "handles/handle_table.hpp"

namespace epios::client {

/// The client of a handle, locked for the calling thread.
class LockedClient {
 public:
  explicit LockedClient(const epios_client* handle)
      : state_(HandleTable::instance().client(handle)), lock_(state_) {}
  ClientState* operator->() const { return &state_; }

 private:
  ClientState& state_;
  ClientLock lock_;
};

/// The context of a handle, locked for the calling thread.
class LockedContext {
 public:
  explicit LockedContext(const epios_context* handle,
                         ClientLock::Kind kind = ClientLock::Kind::change)
      : state_(HandleTable::instance().context(handle)),
        lock_(state_.client(), state_.id(), kind) {}
  ContextState& operator*() const { return state_; }
  ContextState* operator->() const { return &state_; }

 private:
  ContextState& state_;
  ClientLock lock_;
};

}  // namespace epios::client
