/// @file
/// The parts of an imagined model: which block of each domain a client has, and what it offers of
/// it. All functions are pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config/model.hpp"
#include "event/opening.hpp"

namespace epios::layouts {

/// A block of a domain. An unstructured domain has one row of cells.
struct Block {
  std::int64_t ibegin = 0, ni = 0, jbegin = 0, nj = 0;
};

/// Clients side by side in `columns`, in rows of blocks; the last row may have fewer, wider ones.
struct Dealing {
  int clients = 1;
  int columns = 1;
  /// Returns blocks that are about as wide as high.
  static Dealing square(int clients);
};

/// Returns the block of a client. Cells of unstructured domains are dealt out in their order.
Block block_of(const config::Domain& domain, const Dealing& dealing, int client);

/// One model after the other: that of each client of a job. Every client describes its block with
/// coordinates, and all axes and scalars.
class DealtModel {
 public:
  /// Throws Error{configuration} for an element whose size is left to the model.
  DealtModel(config::Model model, const Dealing& dealing);

  int clients() const { return dealing_.clients; }
  /// Returns the model of a client, until the next call.
  const config::Model& of(int client);
  /// Returns which coordinates clients give.
  const io::CoordinateForms& forms() const { return forms_; }
  /// Returns who holds elements in whole, and which sides are left to the client of the last call
  /// of of().
  io::Holders holders();

 private:
  bool may_offer_sides(int client) const;
  void agree_on_holders();
  void agree_on_sides();

  config::Model model_;
  Dealing dealing_;
  int client_ = -1;
  io::CoordinateForms forms_;
  io::Holders holders_;
  std::vector<std::uint64_t> votes_;   // the least of all clients
  std::optional<io::Holders> others_;  // of clients that offer no side: the same for all
  bool all_may_offer_ = false;         // some client has no columns, or no rows
};

}  // namespace epios::layouts
