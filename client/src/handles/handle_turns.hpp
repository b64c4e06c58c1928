#pragma once

#include <epios/epios.h>

#include "context/client_state.hpp"
#include "context/context_state.hpp"
#include "context/turn.hpp"
#include "handles/handle_table.hpp"

namespace epios::client {

/// The client of a handle, in the calling thread's turn.
class ClientTurn {
 public:
  explicit ClientTurn(const epios_client* handle)
      : state_(HandleTable::instance().client(handle)), turn_(state_) {}
  ClientState* operator->() const { return &state_; }

 private:
  ClientState& state_;
  Turn turn_;
};

/// The context of a handle, in the calling thread's turn.
class ContextTurn {
 public:
  explicit ContextTurn(const epios_context* handle, Turn::Kind kind = Turn::Kind::change)
      : state_(HandleTable::instance().context(handle)),
        turn_(state_.client(), state_.id(), kind) {}
  ContextState& operator*() const { return state_; }
  ContextState* operator->() const { return &state_; }

 private:
  ContextState& state_;
  Turn turn_;
};

}  // namespace epios::client
