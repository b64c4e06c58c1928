/// @file
/// Whether the pools and services that files and contexts name are there.
#pragma once

#include "config/server_plan.hpp"
#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Looks at pool_writer, writer, default_pool and their like of one context.
void check_server_references(const ContextStore& store, const ServerPlan& plan, Findings& findings);

}  // namespace epios::config
