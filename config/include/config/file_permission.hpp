/// @file
/// The text for files that this user may not read, for those who open them and for those who report
/// what others have found.
#pragma once

#include <string_view>

namespace epios::config {

/// Says why a file that seems to exist cannot be read, and what to do about it.
inline constexpr std::string_view not_allowed = "this user may not read it";
inline constexpr std::string_view ask_for_permission =
    "Do permissions of the file and of its folders allow it?";

}  // namespace epios::config
