#include "machine.hpp"

#include <algorithm>
#include <cmath>

namespace epios::layouts {
namespace {

/// Reductions of clients before they speak to servers, and broadcasts after that.
constexpr int agreements = 8;

double bytes(std::int64_t count) { return static_cast<double>(count); }

double collective_s(const Machine& machine, int ranks, std::int64_t size) {
  const double rounds = std::ceil(std::log2(std::max(2, ranks)));
  return rounds * (machine.latency_s + bytes(size) / machine.link_rate);
}

double traffic_s(const Machine& machine, const Traffic& traffic) {
  return bytes(traffic.count) * machine.part_s + bytes(traffic.bytes) / machine.link_rate;
}

}  // namespace

Times times_of(const Machine& machine, const Layout& layout, std::int64_t fields,
               const Loads& loads) {
  Times out;
  const double tables_s = bytes(layout.servers) * bytes(fields) * machine.entry_s;
  const double resolving_s = machine.client_s + bytes(fields) * machine.field_s;
  const double agreeing_s =
      agreements * collective_s(machine, layout.clients, 4 * std::int64_t{layout.servers});
  const double request_s = bytes(loads.leader.order_messages) *
                           (machine.part_s + bytes(loads.leader.request_bytes) / machine.link_rate);
  const double asking_s =
      bytes(loads.first.opening.count) * machine.share_s + traffic_s(machine, loads.first.opening);
  const double settling_s = bytes(loads.server.channels) * machine.share_s +
                            bytes(loads.server.settled_points) * machine.point_s +
                            traffic_s(machine, loads.server.opening) +
                            traffic_s(machine, loads.server.replies);
  const double defining_s = bytes(loads.server.variables) * machine.variable_s;
  // Clients and servers make the same tables, one after the other.
  out.opening_s = resolving_s + 2 * tables_s + agreeing_s + request_s + asking_s + settling_s +
                  defining_s + 4 * machine.latency_s;
  if (machine.processors > 0) {
    const double client_s = resolving_s + tables_s +
                            bytes(loads.client.opening.count) * machine.share_s +
                            traffic_s(machine, loads.client.opening);
    const double server_s = tables_s + settling_s + defining_s;
    const double all_s = bytes(layout.clients) * client_s + bytes(layout.servers) * server_s;
    out.opening_s = std::max(out.opening_s, all_s / bytes(machine.processors));
  }
  out.client_s = bytes(loads.client.records.count) * machine.part_s +
                 bytes(loads.client.records.bytes) / machine.memory_rate;
  const double received_s = traffic_s(machine, loads.server.records);
  const double assembled_s = bytes(loads.server.records.count) * machine.part_s +
                             bytes(loads.server.records.bytes + loads.server.worked_on_bytes) /
                                 machine.assemble_rate;
  const double written_s = bytes(loads.server.written_bytes) / machine.disk_rate;
  out.server_s = std::max({received_s, assembled_s, written_s});
  return out;
}

}  // namespace epios::layouts
