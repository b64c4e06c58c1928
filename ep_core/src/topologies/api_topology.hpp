#pragma once

#include <ep/ep.h>

#include <span>

#include "handles/endpoint.hpp"
#include "topologies/topology.hpp"

namespace ep {

/// Returns the topology of an endpoint's communicator. Throws EP_ERR_TOPOLOGY unless it is of this
/// kind.
const Topology& topology_of(const Endpoint& endpoint, Topology::Kind kind);

/// Checks a list that a program gives with its length.
std::span<const int> checked_list(int count, const int* list, const char* what);

/// Copies the first `room` of `values` into memory of the program's.
void give_list(std::span<const int> values, int room, int* out);

}  // namespace ep
