#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/coupled_contexts.hpp"
#include "config/error.hpp"
#include "config/model_fwd.hpp"
#include "coupling/link.hpp"
#include "transport/channel.hpp"

namespace epios::client {

/// Another context that a context exchanges fields with, as one client of this one knows it.
struct Partner {
  std::string code, context;
  int component = -1;
  std::string where;  ///< of a coupler
  std::vector<config::CouplerField> sent, received;
  std::optional<config::CoupledContext> facts;  ///< of it
  int counterpart = -1;                         ///< its first client, among everyone
  std::uint64_t opening = 0;                    ///< number of its opening, once it is known
  bool is_local = false;     ///< it has the same clients: one of both connects without handshake
  bool is_proposed = false;  ///< to it, see HandshakeMessage
  int shared_clients = 0;    ///< clients of its component that are in this context, so not in it
  int refusals = 0;
  std::optional<Error> error;
  /// What the link will need, so that a server of this process does not take it before.
  io::ChannelMemory::Share reserved;
  std::unique_ptr<io::CouplingLink> link;
  bool is_over = false;  ///< both sides have ended: there is no link any more

  std::string name() const { return code + "::" + context; }
};

}  // namespace epios::client
