/// @file
/// Suggestions for misspelt names, for error messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace epios::config {

/// Returns "Did you mean 'x'?" with the candidate nearest to `word`, or "" if none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace epios::config
