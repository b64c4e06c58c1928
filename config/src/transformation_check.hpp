/// @file
/// Whether a transformation says all that it needs.
#pragma once

#include "context_store.hpp"
#include "findings.hpp"
#include "inheritance.hpp"

namespace epios::config {

/// `element` is the domain, axis or scalar around it, for messages.
void check_transformation(const Node& transformation, const Resolved& resolved, const Node& element,
                          Findings& findings);

}  // namespace epios::config
