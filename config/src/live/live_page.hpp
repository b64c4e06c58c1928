#pragma once

#include <string_view>

namespace epios::config {

/// Returns the page that a browser shows: one HTML file that needs nothing but `runs.json` beside
/// it.
std::string_view live_page();

}  // namespace epios::config
