/// @file
/// Features that a configuration may use and that no run supports yet: rows and words marked
/// "later" in the attribute table.
#pragma once

#include "language/context_store.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Reports every attribute in force for `node` that a run would ignore. A value equal to the
/// default of the table has no effect.
void check_available(const Node& node, const Resolved& resolved, Findings& findings);

}  // namespace epios::config
