/// @file
/// Values as text, and texts as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/value.hpp"

namespace epios::config {

/// An attribute's value as XML text that parses back.
std::string printed(const Value& value);

/// The text of a variable read as a type, with Fortran's spellings (".true.", "1d0"); nullopt when
/// it does not read so.
std::optional<bool> read_boolean(std::string_view text);
std::optional<std::int64_t> read_integer(std::string_view text);
std::optional<double> read_real(std::string_view text);

}  // namespace epios::config
