/// @file
/// Checks that a transformation has all attributes that it needs.
#pragma once

#include <string_view>

#include "language/context_store.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// `element` is the domain, axis or scalar around it, `of_element` its attributes, both in one
/// context.
void check_transformation(const Node& transformation, const Resolved& resolved, const Node& element,
                          const Resolved& of_element, std::string_view context, Findings& findings);

}  // namespace epios::config
