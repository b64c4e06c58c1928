/// @file
/// Text for people on a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace epios::config {

enum class Colour { off, on };
/// Returns colours if standard output is a terminal and NO_COLOR is not set.
Colour colour_of_output();

enum class Paint { red, yellow, cyan, bold, faint };
std::string painted(Colour colour, Paint paint, std::string_view text);

/// Returns "1 error" or "2 errors".
std::string counted(std::int64_t number, std::string_view thing);

}  // namespace epios::config
