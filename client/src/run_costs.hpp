#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/ep.hpp>
#include <vector>

#include "config/run_report.hpp"

namespace epios::client {

/// What a context has cost one client.
struct ClientCost {
  double sends = 0;
  double bytes = 0;
  double in_library_s = 0;
  double blocked_s = 0;
  double packing_s = 0;
  double waited_s = 0;
  double opening_s = 0;
  double closing_s = 0;
  double fullest_channel = 0;
};

/// What a run has cost one process: sums over its clients and their contexts, and the accounts of
/// the contexts whose first client is here. One thread at a time.
class RunCosts {
 public:
  /// A context of one client has ended.
  void add(const ClientCost& context);
  /// A context has ended, on its first client.
  void add(config::ContextCost context, const std::vector<config::ServerCost>& servers);
  /// Of the component: complete on its first process, but for what that knows itself. Collective
  /// over its processes. Cost: three reductions and a gather.
  config::RunReport collect(const ep::Comm& processes, int own_clients) const;

 private:
  ClientCost cost_;
  config::RunReport parts_;  // contexts and servers alone
};

}  // namespace epios::client
