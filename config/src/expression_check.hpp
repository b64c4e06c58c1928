/// @file
/// Expressions of the fields of a context: whether they can be worked out.
#pragma once

#include "context_store.hpp"
#include "findings.hpp"
#include "inheritance.hpp"

namespace epios::config {

/// Reports, for every field with an expression: text that is none, ids of nothing, expressions
/// without a field, and data that would depend on itself.
void check_expressions(const ContextStore& store, Inheritance& inheritance, Findings& findings);

/// The place of a character of a text that begins at `begin`. In XML '<' and '&' are written as
/// "&lt;" and "&amp;".
Position position_inside(Position begin, std::string_view text, std::size_t offset);

}  // namespace epios::config
