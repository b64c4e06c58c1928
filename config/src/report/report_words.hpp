/// @file
/// Numbers in the form in which reports show them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace epios::config {

/// Returns "1.23 GB".
std::string bytes_text(double bytes);
/// Returns "1.230 s".
std::string seconds_text(double seconds);
/// Returns "1.23 %" for a share of 0.0123.
std::string percent_text(double share);
/// Returns "1 file" or "2 files".
std::string counted(std::int64_t count, const char* one);
/// Returns part / whole, or 0 if the whole is 0.
double share_of(double part, double whole);

}  // namespace epios::config
