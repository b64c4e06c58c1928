/// @file
/// Plots of a report, for a terminal and for a page.
#pragma once

#include <string>

#include "config/run_report.hpp"

namespace epios::config {

/// Returns lines for a terminal: how much of the time clients were blocked, over the steps of a
/// context. Empty if nothing is known.
std::string blocked_lines(const ContextCost& context);
/// The same of the step that took longest, as a waterfall.
std::string slowest_step_lines(const ContextCost& context);
/// Return the same as drawings in a page.
std::string blocked_drawing(const ContextCost& context);
std::string slowest_step_drawing(const ContextCost& context);

}  // namespace epios::config
