/// @file
/// What a configuration may say but no run can do yet: the rows and words marked "later" in the
/// attribute table.
#pragma once

#include "language/context_store.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Reports every attribute in force for `node` that would be left out. A value equal to the table's
/// default asks for nothing.
void check_available(const Node& node, const Resolved& resolved, Findings& findings);

}  // namespace epios::config
