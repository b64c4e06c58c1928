/// @file
/// Records that a run leaves out of its files.
#pragma once

#include <cstdint>
#include <vector>

#include "config/index.hpp"
#include "config/model_fwd.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// Finds the records that no field of a file has a sample for: a run makes none of them. Where
/// freq_op is longer than output_freq, periods go without; the dates of what is read or comes from
/// partners are known; what the model sends is taken to come at every step.
class LeftOutRecords {
 public:
  /// `steps`: of the run. Keeps `model`.
  LeftOutRecords(const Model& model, std::int64_t steps);

  /// Returns those of the first `records` records of a file, in ascending order. Cost: a look at
  /// each record of fields whose periods may go without; none is looked for among very many.
  std::vector<std::int64_t> of(const File& file, std::int64_t records) const;

  /// Returns the schedule of a stream, which knows when its data comes.
  const Schedule& schedule(int stream) const { return nth(schedules_, stream); }

 private:
  const Model& model_;
  std::int64_t steps_;
  std::vector<Schedule> schedules_;  // per stream
};

}  // namespace epios::config
