/// @file
/// What contexts of one configuration that exchange fields have to say of each other.
#pragma once

#include <vector>

#include "config/model_fwd.hpp"
#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// A context and what it resolved to.
struct CheckedContext {
  const ContextStore* store = nullptr;
  const Model* model = nullptr;
  bool is_whole = true;  ///< without errors, which may hide fields
};

/// Partners that are not there, fields that nobody sends or receives, grids and dates that do not
/// go together. Sizes and dates that the model sets are not judged as long as they are open.
void check_couplings(const std::vector<CheckedContext>& contexts, Findings& findings);

}  // namespace epios::config
