/// @file
/// The report of a short run, which says how fast a model and its servers are.
#pragma once

#include <string>

#include "config/run_report.hpp"

namespace epios::layouts {

/// Reads the report that a run has written. Throws Error{io} if it cannot be read, Error{argument}
/// if it is none.
config::RunReport read_report(const std::string& path);

/// Plays a recording with `epios replay` as long as the recorded run computed, in a folder beside
/// it that goes when this returns. Returns the report of the component that has the context. What
/// the run prints goes to the standard error. Throws Error{io} if it cannot be played,
/// Error{argument} if no component has the context.
config::RunReport play_recording(const std::string& recording, const std::string& context,
                                 const std::string& mpiexec);

}  // namespace epios::layouts
