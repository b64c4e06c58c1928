/// @file
/// Variables, for the Model.
#pragma once

#include <vector>

#include "config/model_fwd.hpp"
#include "language/inheritance.hpp"

namespace epios::config {

/// Variables below a node, through groups; reports what is wrong with them.
std::vector<Variable> variables_of(const ContextStore& store, Inheritance& inheritance,
                                   Findings& findings, int node);

}  // namespace epios::config
