/// @file
/// Checks that the pools and services that files and contexts name exist.
#pragma once

#include "config/server_plan.hpp"
#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Checks pool_writer, writer, default_pool and similar attributes of one context.
void check_server_references(const ContextStore& store, const ServerPlan& plan, Findings& findings);

}  // namespace epios::config
