/// @file
/// What stands in context `xios`: known names, values that read as their type.
#pragma once

#include "context_store.hpp"
#include "findings.hpp"

namespace epios::config {

void check_run_variables(const ContextStore& store, Findings& findings);

}  // namespace epios::config
