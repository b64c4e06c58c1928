/// @file
/// Schedules of temporal operations whose data come at certain dates only.
#pragma once

#include <optional>
#include <vector>

#include "config/data_graph.hpp"
#include "config/model.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// Per temporal node of a graph the Schedule that knows when its data come: results of other
/// operations, records that are read or come from partners. What the model sends may come at every
/// step. The Schedules of one object and their copies belong to one thread: they share what they
/// have worked out.
class FedSchedules {
 public:
  /// Neither is kept.
  FedSchedules(const Model& model, const DataGraph& graph);

  /// Of a temporal node.
  const Schedule& of(int node) const { return *schedules_[static_cast<std::size_t>(node)]; }
  /// Whether a temporal node takes what comes, of which nobody knows when it does: what comes of
  /// <temporal_splitting>.
  bool takes_what_comes(int node) const {
    return takes_what_comes_[static_cast<std::size_t>(node)];
  }

 private:
  std::vector<std::optional<Schedule>> schedules_;
  std::vector<bool> takes_what_comes_;
};

/// Per stream of the model its FedSchedules::of().
std::vector<Schedule> fed_schedules_of_streams(const Model& model);

}  // namespace epios::config
