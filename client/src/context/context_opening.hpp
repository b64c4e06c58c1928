#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/definitions.hpp"
#include "config/model_fwd.hpp"
#include "context/context_group.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "grid/pieces.hpp"
#include "links/read_link.hpp"
#include "links/server_link.hpp"
#include "space/steps.hpp"

namespace epios::client {

/// The handshake of one context with the servers: from the Model on which all clients agree to the
/// channels. Each client tells the servers that it concerns which points of theirs it has; they
/// answer which of them they want. It lives from the end of the definitions until the links are
/// made.
class ContextOpening {
 public:
  /// The clients agree on a number for this opening. Collective. What is given outlives this.
  /// `repeated`: number of an opening that the servers have been asked for, and that they give up
  /// for this one; -1: none.
  ContextOpening(ContextGroup& group, const config::Model& model,
                 const config::Definitions& definitions, std::int64_t repeated);

  std::uint64_t number() const { return number_; }
  const io::LocalParts& parts() const { return *parts_; }

  /// Works out what this client has, and which servers hear of which files. Returns what is to be
  /// warned of. Throws when masks do not fit. Local.
  std::vector<std::string> place();
  /// The clients find out which coordinates any of them gives, and what some client, or every one,
  /// has in whole. Collective.
  void compare_parts();
  /// Asks the servers. `steps`: with the rows that servers need, which are dropped then.
  /// Collective.
  void ask(io::StepPlans& steps);
  /// Waits for the servers that this client has asked. Local.
  ServerLink::Replies wait_for_replies();
  /// Warns of what the servers remark, throws on all clients what one of them refuses, and tells
  /// all clients the number of the context. Collective.
  void accept(const ServerLink::Replies& replies);

  /// Makes the links; `check` is called while they wait.
  std::unique_ptr<ServerLink> make_link(const ServerLink::Replies& replies,
                                        std::function<void()> check) const;
  std::unique_ptr<ReadLink> make_read_link(std::vector<std::int64_t> first_records,
                                           const std::vector<config::ReadSchedule>& dates,
                                           ReadLink::Ask ask, std::function<void()> check) const;
  /// Tells the servers that all clients have opened their channels.
  void confirm() const;

 private:
  std::vector<std::string> place_files(int servers);
  void share_out_sides();
  std::vector<std::vector<std::byte>> make_parts(const io::StepPlans& steps);
  io::OpenContext make_request() const;
  void note_asked() const;
  void warn_of_remarks(const ServerLink::Replies& replies) const;

  ContextGroup& group_;
  const config::Model& model_;
  const config::Definitions& definitions_;
  std::int64_t repeated_;
  std::uint64_t number_ = 0;
  std::unique_ptr<io::LocalParts> parts_;
  io::ServerChoice choice_;
  std::vector<io::FilePlacement> placements_;  // per file
  std::vector<io::Pieces> pieces_;             // per server
  io::CoordinateForms forms_;
  io::Holders holders_;
  std::vector<io::FilePlacement> read_placements_;  // per read file
  std::vector<io::Pieces> read_pieces_;             // per server
  std::vector<std::uint8_t> asks_;  // per server: this client has asked it for a channel
  std::int64_t sent_bytes_ = 0;     // of parts, to all servers
};

}  // namespace epios::client
