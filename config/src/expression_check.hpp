/// @file
/// Expressions of the fields of a context: whether they can be worked out.
#pragma once

#include <unordered_map>

#include "config/expression.hpp"
#include "context_store.hpp"
#include "findings.hpp"
#include "inheritance.hpp"

namespace epios::config {

/// By the node of their field.
using Expressions = std::unordered_map<int, Expression>;

/// Reports, for every field with an expression: text that is none, ids of nothing, expressions
/// without a field, and data that would depend on itself. Gives back what is left to work out: the
/// operands of these expressions exist.
Expressions check_expressions(const ContextStore& store, Inheritance& inheritance,
                              Findings& findings);

/// Whether a field has an expression, good or bad.
bool has_expression(const Node& field);

/// The place of a character of the expression of a field.
Origin place_in_expression(const Node& field, std::size_t offset);

/// The place of a character of a text of ASCII that stands as `raw` in a file from `begin` on: an
/// entity is one character, a comment none.
Position position_inside(Position begin, std::string_view raw, std::size_t offset);

}  // namespace epios::config
