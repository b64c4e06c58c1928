/// @file
/// Grids that a context tells others of, to which it sends fields.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ep/fwd.hpp>
#include <string>
#include <vector>

#include "config/coupled_grids.hpp"
#include "config/model_fwd.hpp"
#include "coupling/coupling_handshake.hpp"
#include "coupling/dealt_values.hpp"
#include "event/job.hpp"

namespace epios::client {

/// A context on this client, as others ask it for grids.
struct GridParty {
  const io::Job& job;
  const ep::Comm& clients;  ///< of the context
  io::CouplingHandshake& handshake;
  const std::string& code;               ///< of the component
  const std::vector<int>& in_component;  ///< ranks of the clients there
  const config::Model& model;            ///< or the draft of it
  config::GridsOf of = config::GridsOf::model;
};

/// Whether the grids that somebody asks for are settled. Local.
bool can_give_grids(const config::Model& model, config::GridsOf of,
                    const io::HandshakeMessage& question);
/// Tells who asks of its grids, and their coordinates, or why not. Waits for nobody else.
/// Collective over the clients of the context, with the same question.
void give_grids(const GridParty& party, const io::HandshakeMessage& question);

/// Of what one client gives and another one takes: [first, end) of the points.
struct Stretch {
  std::int64_t first = 0, end = 0;
  bool is_empty() const { return first >= end; }
};
inline Stretch common_stretch(const io::Dealing& given, int giver, const io::Dealing& taken,
                              int taker) {
  return {std::max(given.begin(giver), taken.begin(taker)),
          std::min(given.end(giver), taken.end(taker))};
}

/// With the number of points that it is of.
template <class Visit>
void for_each_coordinate(const config::GridAnswer& answer, const Visit& visit) {
  for (const config::GivenElement& element : answer.elements) {
    for (const auto& coordinate : element.coordinates) {
      visit(coordinate, element.size(coordinate.along));
    }
  }
}

}  // namespace epios::client
