#include "machine.hpp"

#include <algorithm>
#include <cmath>

namespace epios::layouts {
namespace {

/// Reductions and broadcasts of clients, before they speak to servers and after that.
constexpr int agreements = 20;

double bytes(std::int64_t count) { return static_cast<double>(count); }

double traffic_s(const Machine& machine, const Traffic& traffic) {
  return bytes(traffic.count) * machine.part_s + bytes(traffic.bytes) / machine.link_rate;
}

/// Work of many ranks at a time: of most, and of the one that has most to do.
struct RankWork {
  double each_s = 0;
  double longest_s = 0;
};

/// Ranks that share processors work in turn.
double together_s(const Machine& machine, double ranks, const RankWork& work) {
  if (machine.processors == 0 || ranks < 1) return work.longest_s;
  const double all_s = work.longest_s + (ranks - 1) * work.each_s;
  return std::max(work.longest_s, all_s / machine.processors);
}

double collective_s(const Machine& machine, int ranks, std::int64_t size) {
  const double rounds = std::ceil(std::log2(std::max(2, ranks)));
  return rounds * (machine.latency_s + bytes(size) / machine.link_rate);
}

/// Definitions are resolved, and each client makes what it tells servers.
double asking_s(const Machine& machine, const Layout& layout, std::int64_t fields,
                const Loads& loads) {
  const double before_s = machine.client_s + bytes(fields) * machine.field_s +
                          bytes(layout.servers) * bytes(fields) * machine.entry_s;
  const auto one_s = [&](const ClientLoad& load) {
    return before_s + bytes(load.opening.count) * machine.share_s +
           traffic_s(machine, load.opening);
  };
  const double request_s = bytes(loads.leader.order_messages) *
                           (machine.part_s + bytes(loads.leader.request_bytes) / machine.link_rate);
  const double agreeing_s =
      agreements * collective_s(machine, layout.clients, 4 * std::int64_t{layout.servers});
  const double processes = std::ceil(bytes(layout.clients) / layout.threads);
  return together_s(machine, processes, {machine.process_s, machine.process_s}) +
         together_s(machine, layout.clients, {one_s(loads.client), one_s(loads.first)}) +
         agreeing_s + request_s + 4 * machine.latency_s;
}

/// Servers settle who sends what, and take memory for that.
double settling_s(const Machine& machine, const Layout& layout, std::int64_t fields,
                  const ServerLoad& load) {
  const double one_s = bytes(layout.servers) * bytes(fields) * machine.entry_s +
                       bytes(load.channels) * machine.share_s +
                       bytes(load.settled_points) * machine.point_s +
                       traffic_s(machine, load.opening) + traffic_s(machine, load.replies) +
                       bytes(load.channel_bytes) / machine.new_memory.reserve_rate +
                       bytes(load.buffer_bytes) / machine.new_memory.page_rate;
  return together_s(machine, layout.servers, {one_s, one_s});
}

double defining_s(const Machine& machine, const Loads& loads) {
  const auto one_s = [&](const DefinedFiles& defined) {
    return bytes(defined.servers) * machine.hdf5_s + bytes(defined.files) * machine.file_s +
           bytes(defined.variables) * machine.variable_s;
  };
  const double longest_s = one_s(loads.server.defined);
  if (machine.processors == 0) return longest_s;
  return std::max(longest_s, one_s(loads.leader.defined) / machine.processors);
}

/// Clients map the memory of their channels, and take that of their operations in time.
double connecting_s(const Machine& machine, const Layout& layout, const Loads& loads) {
  const double channel_bytes =
      bytes(loads.server.channel_bytes) / bytes(std::max<std::int64_t>(1, loads.server.channels));
  const auto one_s = [&](const ClientLoad& load) {
    return bytes(load.channels) * channel_bytes / machine.new_memory.map_rate +
           bytes(load.accumulated_bytes) / machine.new_memory.page_rate;
  };
  return together_s(machine, layout.clients, {one_s(loads.client), one_s(loads.first)});
}

}  // namespace

Times times_of(const Machine& machine, const Layout& layout, std::int64_t fields,
               const Loads& loads) {
  Times out;
  out.opening_s = asking_s(machine, layout, fields, loads) +
                  settling_s(machine, layout, fields, loads.server) + defining_s(machine, loads) +
                  connecting_s(machine, layout, loads);
  out.client_s = bytes(loads.client.records.count) * machine.part_s +
                 bytes(loads.client.records.bytes) / machine.memory_rate;
  const double received_s = traffic_s(machine, loads.server.records);
  const double assembled_s =
      bytes(loads.server.records.count) * machine.part_s +
      bytes(loads.server.records.bytes + loads.server.worked_on_bytes) / machine.assemble_rate;
  const double written_s = bytes(loads.server.written_bytes) / machine.disk_rate;
  out.server_s = std::max({received_s, assembled_s, written_s});
  return out;
}

}  // namespace epios::layouts
