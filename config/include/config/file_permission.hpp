/// @file
/// What is told of files that are not this user's to read: by those who open them, and by those who
/// are told what the former have found.
#pragma once

#include <string_view>

namespace epios::config {

/// Why a file cannot be read that is there, for all one knows; and what to do about it.
inline constexpr std::string_view not_allowed = "this user may not read it";
inline constexpr std::string_view ask_for_permission =
    "Do permissions of the file and of its folders allow it?";

}  // namespace epios::config
