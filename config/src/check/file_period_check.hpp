/// @file
/// Checks for periods of a file that are valid but do not have the effect that they seem to have.
#pragma once

#include <string>

#include "config/model_fwd.hpp"
#include "language/context_store.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"
#include "time/clock.hpp"

namespace epios::config {

/// A file with settled output_freq, sync_freq and split_freq; invalid ones are not set.
struct FilePeriods {
  const Node& file;
  const Resolved& resolved;
  const FileAttributes& attributes;
  const Clock& clock;
  const std::string& path;  ///< path of the whole file
};

/// Reports flushes and cuts that fall between records, attributes of cuts that are never made, and
/// parts that would have the name of an earlier one.
void check_file_periods(const FilePeriods& periods, Findings& findings);

}  // namespace epios::config
