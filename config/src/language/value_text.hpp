/// @file
/// Attribute values from XML text, typed by the attribute's row of the table.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/attribute_table.hpp"
#include "config/value.hpp"

namespace epios::config {

/// A value, or why there is none.
struct ParsedValue {
  std::optional<Value> value;
  std::string why;
  std::string suggestion;
};

ParsedValue parse_value(const AttributeInfo& row, std::string_view text);
/// Checks a typed value against the row and brings it to canonical form: words in the table's
/// spelling, an integer where a real is wanted converted.
ParsedValue accept_value(const AttributeInfo& row, Value value);
/// The value of a <variable> must read as its type; the reason when it does not.
std::string variable_complaint(std::string_view type, std::string_view text);

}  // namespace epios::config
