#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <span>
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
  double coupled_s = 0;
  double exchanged_s = 0;
  double opening_s = 0;
  double closing_s = 0;
  double fullest_channel = 0;
  double exchanged_messages = 0;
  double exchanged_bytes = 0;
};

/// What a run has cost one process: sums over its clients and their contexts, and the accounts of
/// the contexts whose first client is here. One thread at a time.
class RunCosts {
 public:
  /// A context of one client has ended.
  void add(const ClientCost& context);
  /// A context has ended, on its first client.
  void add(config::ContextCost context, const std::vector<config::ServerCost>& servers);
  /// Of the component, on its first process, but for what that knows itself; elsewhere nothing.
  /// Each process says this or decline(), once. No collective call, since a process may end in
  /// error meanwhile: whoever says neither is waited for no longer than `most_s`, and
  /// RunReport::processes counts those that are in it. Cost: a message of each process.
  config::RunReport collect(const ep::Comm& processes, int own_clients, double most_s) const;
  /// Of this process alone, as collect() has it.
  config::RunReport own(int own_clients) const;
  /// Instead of collect(), by a process that ends in error. Local.
  static void decline(const ep::Comm& processes);

 private:
  std::vector<std::byte> encode(int own_clients) const;
  static void add(std::span<const std::byte> bytes, config::RunReport& out);
  static void send(const ep::Comm& processes, std::vector<std::byte> bytes, double most_s);

  ClientCost cost_;
  config::RunReport parts_;  // contexts and servers alone
};

}  // namespace epios::client
