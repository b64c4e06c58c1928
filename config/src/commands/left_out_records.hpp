/// @file
/// Records that a run leaves out of its files.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "config/data_graph.hpp"
#include "config/model_fwd.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// Finds the records that no field of a file has a sample for: a run makes none of them. Where
/// freq_op is longer than output_freq, periods go without; the dates of what is read or comes from
/// partners are known; what the model sends is taken to come at every step.
class LeftOutRecords {
 public:
  /// `end`: of the run. Keeps `model`.
  LeftOutRecords(const Model& model, Instant end);

  /// Returns those of the first `records` records of a file, in ascending order. Cost: a look at
  /// each sample of fields whose dates are known; none is looked for among very many.
  std::vector<std::int64_t> of(const File& file, std::int64_t records) const;

 private:
  /// Whether records of a stream may have no sample.
  bool may_lack_samples(std::size_t stream) const;

  const Model& model_;
  Instant end_;
  DataGraph graph_;
  std::vector<Schedule> schedules_;  // per stream
};

}  // namespace epios::config
