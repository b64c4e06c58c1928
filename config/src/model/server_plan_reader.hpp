/// @file
/// Reads pools and services of context `xios` into a ServerPlan.
#pragma once

#include "config/server_plan.hpp"
#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Reads the plan and reports mistakes to `findings`: no size or several, names given twice, a
/// service without type, or an inner service with more than a name and a type.
ServerPlan read_server_plan(const ContextStore& store, Findings& findings);

/// Reports pools and services outside of context `xios`, where they have no effect.
void check_no_servers(const ContextStore& store, Findings& findings);

}  // namespace epios::config
