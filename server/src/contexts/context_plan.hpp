#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/index.hpp"
#include "config/model.hpp"
#include "event/event.hpp"
#include "event/wire.hpp"
#include "grid/pieces.hpp"
#include "grid/routing.hpp"
#include "records/stream_assignment.hpp"

namespace epios::server {

/// The task of one server in one context: the model, this server's pieces of it, and which
/// client sends what. ContextOpening fills it in; once the context is open nothing of it changes.
struct ContextPlan {
  std::uint32_t number = 0;  ///< number of the context in the job
  int component = 0;         ///< number of the component whose context it is
  std::string id;
  int rank = 0;             ///< rank of this server
  int servers = 1;          ///< number of servers
  io::OpenContext request;  ///< what the clients' leader has asked for, without the model's bytes
  int gatherer = -1;        ///< number of this server among the gatherers; -1: it is none
  bool is_downstream = false;  ///< true if gatherers are this server's clients
  config::Model model;
  std::vector<io::FilePlacement> placements;  ///< per file of the model
  io::Pieces pieces;  ///< pieces of grids that this server writes, or gathers
  std::vector<PieceAssignment> piece_assignments;  ///< per piece
  std::vector<StreamAssignment> streams;           ///< per stream of the model
  std::vector<int> connected;  ///< clients with a channel to this server, ascending

  bool gathers() const { return gatherer >= 0; }
  bool is_leader() const { return rank == io::leader; }
  /// Returns this server's share of the stream of a record event that check_event() let pass.
  const StreamAssignment& stream_of(const io::EventHeader& header) const {
    return nth(streams, header.stream);
  }
};

}  // namespace epios::server
