#pragma once

#include <ep/ep.h>

#include <optional>

#include "handles/endpoint.hpp"
#include "handles/group.hpp"

namespace ep {

/// The members behind a handle, none for EP_GROUP_EMPTY. Throws when it is null, freed or foreign.
const Identities& members_of(EP_Group group);

/// A new handle; `self` is the endpoint that EP_Group_rank speaks of.
EP_Group make_group(Identities members, const std::optional<Identity>& self);
/// A new handle for the endpoint's local or remote group.
EP_Group group_of(const Member& member, bool remote);

}  // namespace ep
