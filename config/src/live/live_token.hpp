#pragma once

#include <algorithm>
#include <cctype>
#include <string_view>

namespace epios::config {

constexpr std::size_t least_token = 16;

/// Returns true if a token has only letters that need no thought in an address.
inline bool is_token(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
}

}  // namespace epios::config
