/// @file
/// Numbers as reports show them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace epios::config {

/// "1.23 GB".
std::string bytes_text(double bytes);
/// "1.230 s".
std::string seconds_text(double seconds);
/// "1.23 %" of a share of 0.0123.
std::string percent_text(double share);
/// "1 file", "2 files".
std::string counted(std::int64_t count, const char* one);
/// 0 of nothing.
double share_of(double part, double whole);

}  // namespace epios::config
