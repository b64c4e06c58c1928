/// @file
/// What a configuration defines without use.
#pragma once

#include "config/model_fwd.hpp"
#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Warns about enabled files without fields. `model` is the resolved context.
void check_empty_files(const ContextStore& store, const Model& model, Findings& findings);
/// Adds notes about fields that no file writes, and about files whose fields are all disabled or
/// above their level. Both are common if one configuration serves many runs.
void note_unused(const ContextStore& store, const Model& model, Findings& findings);

}  // namespace epios::config
