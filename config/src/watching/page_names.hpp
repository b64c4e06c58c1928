#pragma once

namespace epios::config {

/// Where pages are, and how their names begin. What begins with "epios-" there and has no lock is
/// removed by the next run that makes channels.
constexpr const char* page_folder = "/dev/shm";
constexpr const char* page_prefix = "epios-page-";

}  // namespace epios::config
