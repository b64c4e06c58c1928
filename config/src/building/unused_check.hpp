/// @file
/// What a configuration defines without use.
#pragma once

#include "config/model_fwd.hpp"
#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Warns of enabled files without any field. `model` is what the context resolved to.
void check_empty_files(const ContextStore& store, const Model& model, Findings& findings);
/// Notes of fields that no file writes, and of files whose fields are all disabled or above their
/// level: common where one configuration serves many runs.
void note_unused(const ContextStore& store, const Model& model, Findings& findings);

}  // namespace epios::config
