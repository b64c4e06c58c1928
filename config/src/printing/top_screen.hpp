/// @file
/// `epios top`, wherever it has the runs from: its options, and the terminal.
#pragma once

#include <functional>
#include <string>

#include "config/watched_runs.hpp"

namespace CLI {
class App;
}

namespace epios::config {

struct TopOptions {
  std::string job;  ///< only this one, by name
  std::string sort = "name";
  double interval_s = 2;
  bool once = false;
  bool json = false;    ///< once, for programs
  std::string connect;  ///< address of an `epios live`; empty: the runs on this node
};
/// Adds the options to a command, which reads them into `options`.
void add_top_options(CLI::App& app, TopOptions& options);

/// Returns the runs as they are now, or throws Error.
using LookAtRuns = std::function<WatchedRuns()>;
/// Shows runs, in the terminal until a key ends it, and returns the exit code. If the first look
/// fails, its Error is thrown; if a later one does, the screen says so beside the look before.
int show_runs(const TopOptions& options, const LookAtRuns& look);

}  // namespace epios::config
