/// @file
/// Text of users in a form that can be shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace epios::config {

/// Returns the text with \x... in place of what a terminal would obey instead of showing: control
/// characters, including those of Unicode that change the direction of text, and bytes that are no
/// UTF-8.
std::string printable(std::string_view text);

/// Returns the printable text, without the middle of long quotations ('...') and of long text.
/// Paths (quotations with a '/') may be five times as long as others.
std::string shortened(std::string text);

/// Returns lines of at most `width` characters, broken at spaces.
std::string wrapped(std::string_view text, std::size_t width);

}  // namespace epios::config
