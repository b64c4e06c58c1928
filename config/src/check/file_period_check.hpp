/// @file
/// Periods of a file that are well formed and yet do not do what they seem to.
#pragma once

#include <string>

#include "config/model_fwd.hpp"
#include "language/context_store.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"
#include "time/clock.hpp"

namespace epios::config {

/// A file whose output_freq, sync_freq and split_freq are settled: those that are none are not set.
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
