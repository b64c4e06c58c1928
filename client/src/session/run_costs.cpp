#include "session/run_costs.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ep/bytes.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "config/bytes.hpp"

namespace epios::client {

namespace {

/// The times of a cost, as a reduction takes them.
constexpr std::size_t times = 8;
std::array<double, times> times_of(const ClientCost& cost) {
  return {cost.in_library_s, cost.blocked_s,   cost.packing_s, cost.waited_s,
          cost.coupled_s,    cost.exchanged_s, cost.opening_s, cost.closing_s};
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
  cost_.in_library_s += context.in_library_s;
  cost_.blocked_s += context.blocked_s;
  cost_.packing_s += context.packing_s;
  cost_.waited_s += context.waited_s;
  cost_.coupled_s += context.coupled_s;
  cost_.exchanged_s += context.exchanged_s;
  cost_.exchanged_messages += context.exchanged_messages;
  cost_.exchanged_bytes += context.exchanged_bytes;
  cost_.opening_s += context.opening_s;
  cost_.closing_s += context.closing_s;
  cost_.fullest_channel = std::max(cost_.fullest_channel, context.fullest_channel);
}

void RunCosts::add(config::ContextCost context, const std::vector<config::ServerCost>& servers) {
  config::add(parts_.contexts, std::move(context));
  for (const config::ServerCost& server : servers) config::add(parts_.servers, server);
}

std::vector<std::byte> RunCosts::encode(int own_clients) const {
  config::ByteWriter writer;
  writer.put(static_cast<double>(own_clients));
  writer.put(cost_.sends);
  writer.put(cost_.bytes);
  writer.put(cost_.fullest_channel);
  writer.put(cost_.exchanged_messages);
  writer.put(cost_.exchanged_bytes);
  for (const double time : times_of(cost_)) writer.put(time);
  writer.put(std::string_view(parts_.contexts.empty() ? "" : config::parts_to_json(parts_)));
  return writer.take();
}

void RunCosts::add(std::span<const std::byte> bytes, config::RunReport& out) {
  if (bytes.empty()) return;
  config::ByteReader reader(bytes);
  ++out.processes;
  const auto clients = reader.get<double>();
  out.clients += static_cast<std::int64_t>(clients);
  out.sends += static_cast<std::int64_t>(reader.get<double>());
  out.bytes_sent += static_cast<std::int64_t>(reader.get<double>());
  out.fullest_channel = std::max(out.fullest_channel, reader.get<double>());
  out.exchanged_messages += static_cast<std::int64_t>(reader.get<double>());
  out.exchanged_bytes += static_cast<std::int64_t>(reader.get<double>());
  for (config::Spread* spread :
       {&out.in_library_s, &out.blocked_s, &out.packing_s, &out.waited_s, &out.coupled_s,
        &out.exchanged_s, &out.opening_s, &out.closing_s}) {
    const auto time = reader.get<double>();
    spread->sum += time;
    // Clients of one process are there at the same time.
    spread->most = std::max(spread->most, time / std::max(clients, 1.0));
  }
  if (const std::string parts = reader.get_string(); !parts.empty()) config::add_parts(out, parts);
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
