/// @file
/// Checks of contexts of one configuration that exchange fields.
#pragma once

#include <vector>

#include "config/model_fwd.hpp"
#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// A context and its resolved Model.
struct CheckedContext {
  const ContextStore* store = nullptr;
  const Model* model = nullptr;
  bool is_whole = true;  ///< false if errors may hide fields
};

/// Reports partners that do not exist, fields that nobody sends or receives, and grids and dates
/// that do not match. Sizes and dates that the model sets are not judged while they are open.
void check_couplings(const std::vector<CheckedContext>& contexts, Findings& findings);

}  // namespace epios::config
