/// @file
/// Schedules of temporal operations whose data comes at certain dates only.
#pragma once

#include <optional>
#include <vector>

#include "config/data_graph.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// The Schedule of each temporal node of a graph. It knows when the data of the node comes: results
/// of other operations, records that are read or that come from partners. Data of the model may
/// come at every step. The Schedules of one object and their copies share cached results, so one
/// thread uses them.
class FedSchedules {
 public:
  /// Builds the schedules; keeps neither argument.
  FedSchedules(const Model& model, const DataGraph& graph);

  /// Returns the schedule of a temporal node.
  const Schedule& of(DataNodeId node) const { return *schedules_[node]; }
  /// Returns true if a temporal node takes data whenever it comes, because the dates are not known
  /// in advance: after <temporal_splitting>.
  bool takes_what_comes(DataNodeId node) const { return takes_what_comes_[node]; }

 private:
  IndexedVector<DataNodeId, std::optional<Schedule>> schedules_;
  IndexedVector<DataNodeId, bool> takes_what_comes_;
};

/// Returns FedSchedules::of() for each stream of the model.
std::vector<Schedule> fed_schedules_of_streams(const Model& model);
/// Returns FedSchedules::of() for each of coupled_fields() of coupler_out.
std::vector<Schedule> fed_schedules_of_sent(const Model& model);
/// Returns FedSchedules::of() for each result: record k is that of time step k.
std::vector<Schedule> fed_schedules_of_results(const Model& model);

}  // namespace epios::config
