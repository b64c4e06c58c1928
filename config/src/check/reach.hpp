/// @file
/// What of a context output depends on.
#pragma once

#include <unordered_set>

#include "language/group_ref.hpp"
#include "language/inheritance.hpp"

namespace epios::config {

/// Elements and groups whose attributes reach a record or a partner: enabled files and couplers,
/// what `inheritance` was asked to need, what stands in these and is no field, groups around all of
/// them. What is of no kind that files choose from (variables, the calendar) always does.
std::unordered_set<int> reach(const ContextStore& store, const GroupRefs& groups,
                              Inheritance& inheritance);

}  // namespace epios::config
