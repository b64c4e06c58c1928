#include "run_costs.hpp"

#include <algorithm>
#include <array>
#include <ep/bytes.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace epios::client {

namespace {

/// The times of a cost, as a reduction takes them.
constexpr std::size_t times = 6;
std::array<double, times> times_of(const ClientCost& cost) {
  return {cost.in_library_s, cost.blocked_s, cost.packing_s,
          cost.waited_s,     cost.opening_s, cost.closing_s};
}

}  // namespace

void RunCosts::add(const ClientCost& context) {
  cost_.sends += context.sends;
  cost_.bytes += context.bytes;
  cost_.in_library_s += context.in_library_s;
  cost_.blocked_s += context.blocked_s;
  cost_.packing_s += context.packing_s;
  cost_.waited_s += context.waited_s;
  cost_.opening_s += context.opening_s;
  cost_.closing_s += context.closing_s;
  cost_.fullest_channel = std::max(cost_.fullest_channel, context.fullest_channel);
}

void RunCosts::add(config::ContextCost context, const std::vector<config::ServerCost>& servers) {
  config::add(parts_.contexts, std::move(context));
  for (const config::ServerCost& server : servers) config::add(parts_.servers, server);
}

config::RunReport RunCosts::collect(const ep::Comm& processes, int own_clients) const {
  std::array<double, times> sum = times_of(cost_);
  std::array<double, times> most = sum;
  // Clients of one process are there at the same time.
  for (double& time : most) time /= std::max(own_clients, 1);
  std::array<double, 3> counts{static_cast<double>(own_clients), cost_.sends, cost_.bytes};
  double fullest = cost_.fullest_channel;
  const EP_Comm comm = processes.get();
  ep::check(EP_Allreduce(EP_IN_PLACE, sum.data(), times, MPI_DOUBLE, MPI_SUM, comm));
  ep::check(EP_Allreduce(EP_IN_PLACE, most.data(), times, MPI_DOUBLE, MPI_MAX, comm));
  ep::check(EP_Allreduce(EP_IN_PLACE, counts.data(), 3, MPI_DOUBLE, MPI_SUM, comm));
  ep::check(EP_Allreduce(EP_IN_PLACE, &fullest, 1, MPI_DOUBLE, MPI_MAX, comm));
  const std::string own = parts_.contexts.empty() ? "" : config::parts_to_json(parts_);
  const auto all = ep::gather_bytes(processes, 0, std::as_bytes(std::span(own)));
  config::RunReport out;
  out.processes = processes.size();
  out.clients = static_cast<std::int64_t>(counts[0]);
  out.sends = static_cast<std::int64_t>(counts[1]);
  out.bytes_sent = static_cast<std::int64_t>(counts[2]);
  out.fullest_channel = fullest;
  const std::array<config::Spread*, times> spreads{&out.in_library_s, &out.blocked_s,
                                                   &out.packing_s,    &out.waited_s,
                                                   &out.opening_s,    &out.closing_s};
  for (std::size_t i = 0; i < times; ++i) *spreads[i] = {sum[i], most[i]};
  for (const auto& bytes : all) {
    if (bytes.empty()) continue;
    config::add_parts(out,
                      std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  return out;
}

}  // namespace epios::client
