/// @file
/// Checks of context `xios`: known names, and values of their types.
#pragma once

#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

void check_run_variables(const ContextStore& store, Findings& findings);

}  // namespace epios::config
