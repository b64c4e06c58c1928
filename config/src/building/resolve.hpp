/// @file
/// Resolves the definitions of one context into its Model.
#pragma once

#include "config/model_fwd.hpp"
#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Resolves a context. Mistakes go to `findings`; the Model is valid only without errors.
Model resolve_context(const ContextStore& store, Findings& findings);

}  // namespace epios::config
