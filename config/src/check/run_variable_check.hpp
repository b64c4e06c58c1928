/// @file
/// What stands in context `xios`: known names, values that read as their type.
#pragma once

#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

void check_run_variables(const ContextStore& store, Findings& findings);

}  // namespace epios::config
