#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/element_kind.hpp"
#include "config/model.hpp"
#include "config/value.hpp"

namespace epios::replay {

/// An attribute that a client of the replay gives for its part of an element.
struct DealtAttribute {
  config::ElementKind kind{};
  std::string id;
  std::string name;
  config::Value value;
};

/// Which share of the points of domains a client of the replay has.
struct Share {
  int rank = 0;
  int clients = 1;
};

/// Deals the points of all domains of the recorded clients out to the clients of the replay: rows
/// of rectilinear domains, else cells in the order of their numbers. Each client gets the points of
/// all axes. Returns the part of one client. `recorded`: the elements of each recorded client, by
/// rank. Throws Error{argument} if some column or row of a
/// rectilinear domain, or point of an axis, was nobody's.
std::vector<DealtAttribute> dealt_attributes(std::span<const config::Model> recorded,
                                             const Share& share);

}  // namespace epios::replay
