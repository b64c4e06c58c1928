/// @file
/// Which of the dates of some data a date is.
#pragma once

#include <cstdint>
#include <optional>

#include "config/data_graph.hpp"
#include "config/model_fwd.hpp"

namespace epios::io {

/// The dates at which a node of the graph has values, numbered from 0 at the start of the run, or
/// of the first of those that it goes on from: results of temporal operations and records that are
/// read by their schedules. What the model sends has none: its period is the shortest time between
/// two dates so far, and the first date of all is number 0. Dates that are skipped have numbers,
/// too.
class DateNumbers {
 public:
  DateNumbers(const config::Model& model, const config::DataGraph& graph, config::DataNodeId node);

  /// Fast for dates near the last one that was asked for.
  std::int64_t at(config::Instant date) const;
  /// The node has values at that date.
  void pass(config::Instant date);

 private:
  /// Returns the number of the first date of the schedule that is not before `date`.
  std::int64_t due(config::Instant date) const;

  config::Schedule schedule_;  ///< counts time steps if nothing else is known
  std::optional<config::ReadSchedule> read_;
  bool is_sent_ = false;
  std::int64_t steps_before_ = 0;
  mutable std::int64_t last_due_ = 0;  ///< number in the schedule
  // For what is sent, in time steps:
  std::int64_t first_ = -1;        ///< the first date, counted from 0
  std::int64_t first_number_ = 0;  ///< number of that date
  std::int64_t last_ = -1;
  std::int64_t period_ = 0;  ///< 0: only one date is known
};

}  // namespace epios::io
