/// @file
/// Elements that output depends on.
#pragma once

#include <unordered_set>

#include "language/group_ref.hpp"
#include "language/inheritance.hpp"

namespace epios::config {

/// Returns the elements and groups whose attributes reach a record or a partner: enabled files and
/// couplers, elements that `inheritance` needed, their children other than fields, and groups
/// around all of these. Kinds that files do not choose from (variables, the calendar) are always
/// included.
std::unordered_set<int> reach(const ContextStore& store, const GroupRefs& groups,
                              Inheritance& inheritance);

}  // namespace epios::config
