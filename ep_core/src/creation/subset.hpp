#pragma once

#include <span>
#include <string_view>

#include "creation/creation.hpp"
#include "handles/endpoint.hpp"

namespace ep {

/// Returns the tag of EP_Comm_create_group.
inline int subset_tag(int tag) { return 0x40000000 | (tag & 0x1fffffff); }
/// Returns the tag of EP_Comm_create_from_group, distinct from those of EP_Comm_create_group and of
/// partitioned messages.
int subset_tag(std::string_view name);

/// Creates a communicator of the endpoints with these ranks in the parent, in this order. All give
/// the same ranks, among them their own. `tag`, a subset_tag(), distinguishes concurrent calls.
/// Collective over these endpoints only.
NewEndpoint create_subset(Endpoint& parent, std::span<const int> ranks, int tag);

}  // namespace ep
