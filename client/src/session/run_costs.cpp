#include "session/run_costs.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ep/bytes.hpp>
#include <memory>
#include <string>
#include <utility>

#include "config/byte_fields.hpp"

namespace epios::client {

namespace {

/// The times of a cost in their order on the wire, and where the report sums them.
struct CostTime {
  double ClientCost::*cost;
  config::Spread config::RunReport::*spread;
};
constexpr std::array<CostTime, 8> times{{
    {&ClientCost::in_library_s, &config::RunReport::in_library_s},
    {&ClientCost::blocked_s, &config::RunReport::blocked_s},
    {&ClientCost::packing_s, &config::RunReport::packing_s},
    {&ClientCost::waited_s, &config::RunReport::waited_s},
    {&ClientCost::coupled_s, &config::RunReport::coupled_s},
    {&ClientCost::exchanged_s, &config::RunReport::exchanged_s},
    {&ClientCost::opening_s, &config::RunReport::opening_s},
    {&ClientCost::closing_s, &config::RunReport::closing_s},
}};

/// What one process tells the first one.
struct ProcessCosts {
  double clients = 0;
  ClientCost cost;
  std::string parts;  ///< empty if no context had its first client there
};

template <class Archive>
void fields(Archive& archive, config::Described<ProcessCosts> auto& costs) {
  auto& cost = costs.cost;
  archive(costs.clients, cost.sends, cost.bytes, cost.fullest_channel, cost.exchanged_messages,
          cost.exchanged_bytes);
  for (const CostTime& time : times) archive(cost.*time.cost);
  archive(costs.parts);
}

constexpr int first = 0;
constexpr int costs_tag = 1;
constexpr double look_s = 0.05;  // how often somebody who waits looks at the clock

class Deadline {
 public:
  explicit Deadline(double seconds) : end_(Clock::now() + std::chrono::duration<double>(seconds)) {}
  bool is_over() const { return Clock::now() >= end_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::time_point<Clock, std::chrono::duration<double>> end_;
};

}  // namespace

void RunCosts::add(const ClientCost& context) {
  cost_.sends += context.sends;
  cost_.bytes += context.bytes;
  cost_.exchanged_messages += context.exchanged_messages;
  cost_.exchanged_bytes += context.exchanged_bytes;
  for (const CostTime& time : times) cost_.*time.cost += context.*time.cost;
  cost_.fullest_channel = std::max(cost_.fullest_channel, context.fullest_channel);
}

void RunCosts::add(config::ContextCost context, const std::vector<config::ServerCost>& servers) {
  config::add(parts_.contexts, std::move(context));
  for (const config::ServerCost& server : servers) config::add(parts_.servers, server);
}

std::vector<std::byte> RunCosts::encode(int own_clients) const {
  return config::encode_fields(
      ProcessCosts{static_cast<double>(own_clients), cost_,
                   parts_.contexts.empty() ? std::string() : config::parts_to_json(parts_)});
}

void RunCosts::add(std::span<const std::byte> bytes, config::RunReport& out) {
  if (bytes.empty()) return;
  ProcessCosts costs;
  config::decode_fields(bytes, "what a run has cost a process", costs);
  ++out.processes;
  out.clients += static_cast<std::int64_t>(costs.clients);
  out.sends += static_cast<std::int64_t>(costs.cost.sends);
  out.bytes_sent += static_cast<std::int64_t>(costs.cost.bytes);
  out.fullest_channel = std::max(out.fullest_channel, costs.cost.fullest_channel);
  out.exchanged_messages += static_cast<std::int64_t>(costs.cost.exchanged_messages);
  out.exchanged_bytes += static_cast<std::int64_t>(costs.cost.exchanged_bytes);
  for (const CostTime& time : times) {
    config::Spread& spread = out.*time.spread;
    spread.sum += costs.cost.*time.cost;
    // Clients of one process are there at the same time.
    spread.most = std::max(spread.most, costs.cost.*time.cost / std::max(costs.clients, 1.0));
  }
  if (!costs.parts.empty()) config::add_parts(out, costs.parts);
}

config::RunReport RunCosts::collect(const ep::Comm& processes, int own_clients,
                                    double most_s) const {
  const std::vector<std::byte> own = encode(own_clients);
  config::RunReport out;
  if (processes.rank() != first) {
    send(processes, own, most_s);
    return out;
  }
  std::vector<std::vector<std::byte>> all(static_cast<std::size_t>(processes.size()));
  all[0] = own;
  int told = 1;
  const Deadline deadline(most_s);
  ep::wait_until(processes, {"what the run has cost the other processes", -1, look_s}, [&] {
    ep::Received message;
    while (ep::try_receive(processes, EP_ANY_SOURCE, costs_tag, message)) {
      all[static_cast<std::size_t>(message.source)] = std::move(message.bytes);
      ++told;
    }
    return told == processes.size() || deadline.is_over();
  });
  for (const auto& bytes : all) add(bytes, out);  // in one order, so that sums have one value
  return out;
}

config::RunReport RunCosts::own(int own_clients) const {
  config::RunReport out;
  add(encode(own_clients), out);
  return out;
}

void RunCosts::decline(const ep::Comm& processes) {
  if (processes.rank() != first) send(processes, {}, 0);
}

/// The first process may have gone in error, and takes nothing.
void RunCosts::send(const ep::Comm& processes, std::vector<std::byte> bytes, double most_s) {
  auto kept = std::make_unique<std::vector<std::byte>>(std::move(bytes));
  EP_Request request = EP_REQUEST_NULL;
  ep::check(EP_Isend(kept->data(), ep::message_count(kept->size()), MPI_BYTE, first, costs_tag,
                     processes.get(), &request));
  int done = 0;
  const auto test = [&] {
    if (done == 0) ep::check(EP_Test(&request, &done, EP_STATUS_IGNORE));
    return done != 0;
  };
  const Deadline deadline(most_s);
  if (most_s > 0) {
    ep::wait_until(processes, {"the first process to take what the run has cost", first, look_s},
                   [&] { return test() || deadline.is_over(); });
  } else {
    EP_Progress(processes.get());
  }
  if (!test()) static_cast<void>(kept.release());  // the bytes must outlive the message
}

}  // namespace epios::client
