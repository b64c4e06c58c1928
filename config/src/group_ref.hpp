/// @file
/// `group_ref`: the fields and attributes of one group of fields stand in another one too.
#pragma once

#include <optional>

#include "context_store.hpp"
#include "findings.hpp"

namespace epios::config {

/// The context with every group_ref of a field group carried out, nullopt when there is none: the
/// group takes the attributes of the other one that it does not give itself, and for each field
/// with an id in there it gets a nameless child that refers to it.
std::optional<ContextStore> with_group_refs(const ContextStore& store, Findings& findings);

}  // namespace epios::config
