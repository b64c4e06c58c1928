/// @file
/// The command `epios advise`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "advice.hpp"
#include "machine.hpp"
#include "read_model.hpp"

namespace epios::layouts {

struct AdviseOptions {
  ModelInput input;
  Machine machine;
  Work work;
  double step_time_s = 0;
  std::string report;     ///< JSON of a short run; "": none
  std::string recording;  ///< folder of a recorded one; "": none
  std::string mpiexec;    ///< launcher, to play the recording; "": that of `epios replay`
  std::string duration;   ///< "": four periods of the file that is written least often
  bool has_disk_rate = false;
  bool has_compress_rate = false;
  bool json = false;
  bool has_run() const { return !report.empty() || !recording.empty(); }
};

CLI::App* add_advise(CLI::App& app, AdviseOptions& options);
/// Prints the advice. Throws Error{argument} for options that do not go together, and what
/// read_report(), play_recording(), read_model() and advise() throw.
int run_advise(AdviseOptions options);

}  // namespace epios::layouts
