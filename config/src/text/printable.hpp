/// @file
/// Text of users as people can be shown it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace epios::config {

/// With \x... for what a terminal would obey instead of showing: control characters, also those of
/// Unicode that turn the direction of text, and bytes that are no UTF-8.
std::string printable(std::string_view text);

/// Returns the printable text, without the middle of long quotations ('...') and of long text.
std::string shortened(std::string text);

/// In lines of at most `width` characters, broken at spaces.
std::string wrapped(std::string_view text, std::size_t width);

}  // namespace epios::config
