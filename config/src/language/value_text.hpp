/// @file
/// Attribute values from XML text, typed by the attribute's row of the table.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/attribute_table.hpp"
#include "config/value.hpp"

namespace epios::config {

/// A value, or the reason why there is none.
struct ParsedValue {
  std::optional<Value> value;
  std::string why;
  std::string suggestion;
};

ParsedValue parse_value(const AttributeInfo& row, std::string_view text);
/// Returns the first of several valid values in a text for an attribute with one number or boolean.
/// The text is an array, or items between blanks or commas.
std::optional<Value> first_of_list(const AttributeInfo& row, std::string_view text);
/// Returns the value of a text for an attribute that is a number, or an array of numbers, without
/// the letters that stand behind these: 2 of "2a". Returns nothing if something else is wrong.
std::optional<Value> numbers_before_letters(const AttributeInfo& row, std::string_view text);
/// Checks a typed value against the row and brings it to canonical form: words in the table's
/// spelling, an integer where a real is wanted converted.
ParsedValue accept_value(const AttributeInfo& row, Value value);
/// Returns the number at the beginning of a text if only letters follow: "0.0" of "0.0D".
std::string number_before_letters(std::string_view text);
/// Returns why the value of a <variable> is no value of its type, or "".
std::string variable_complaint(std::string_view type, std::string_view text);

}  // namespace epios::config
