/// @file
/// Variables, for the Model.
#pragma once

#include <vector>

#include "config/model_fwd.hpp"
#include "language/inheritance.hpp"

namespace epios::config {

/// Returns the variables below a node, including those in groups. Reports mistakes in them.
std::vector<Variable> variables_of(const ContextStore& store, Inheritance& inheritance,
                                   Findings& findings, int node);

}  // namespace epios::config
