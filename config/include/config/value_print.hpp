/// @file
/// Conversion of values to text and of text to values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/value.hpp"

namespace epios::config {

/// Returns the value of an attribute as XML text that parses back.
std::string printed(const Value& value);

/// Reads the text of a variable as a type, accepting Fortran's spellings (".true.", "1d0"). Returns
/// nullopt if it is no value of the type.
std::optional<bool> read_boolean(std::string_view text);
std::optional<std::int64_t> read_integer(std::string_view text);
std::optional<double> read_real(std::string_view text);

}  // namespace epios::config
