/// @file
/// Command line of the example.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ocean {

struct Options {
  int threads = 2;
  int days = 365;
  int timestep_hours = 1;
  std::filesystem::path input = "/usr/share/ferret-vis/data";
  std::filesystem::path iodef = "iodef.xml";
  std::filesystem::path output = "output";
  std::filesystem::path dump;  ///< empty: none
  int stop = 0;                ///< the day after which the run ends and leaves its state; 0: none
  int restart = 0;  ///< the day at whose end another run left its state; 0: from the start
  bool bar = false;
  bool quiet = false;

  std::int64_t timestep_s() const { return std::int64_t{3600} * timestep_hours; }
  std::int64_t steps_per_day() const { return 24 / timestep_hours; }
  std::int64_t steps() const { return days * steps_per_day(); }
  /// Of those, what this run does.
  std::int64_t first_step() const { return restart * steps_per_day() + 1; }
  std::int64_t last_step() const { return stop > 0 ? stop * steps_per_day() : steps(); }
};

/// Parses and checks; prints help or the mistake and returns nothing when the program is to end
/// with `exit_code`.
std::optional<Options> parse_options(int argc, char** argv, int& exit_code);

}  // namespace ocean
