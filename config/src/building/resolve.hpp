/// @file
/// Definitions of one context to its Model.
#pragma once

#include "config/model_fwd.hpp"
#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Everything wrong is in `findings`; the Model is of use only when there is no error.
Model resolve_context(const ContextStore& store, Findings& findings);

}  // namespace epios::config
