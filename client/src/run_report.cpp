#include "run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace epios::client {

namespace {

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units.at(unit));
}

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

}  // namespace

void RunReport::add(const epios_statistics& context) {
  numbers_.contexts += 1;
  numbers_.sends += static_cast<double>(context.sends);
  numbers_.records += static_cast<double>(context.records_sent);
  numbers_.bytes += static_cast<double>(context.bytes_sent);
  numbers_.in_library_s += context.in_library_s;
  numbers_.blocked_s += context.blocked_s;
}

RunReport::Numbers RunReport::numbers(int clients) const {
  Numbers out = numbers_;
  out.clients = clients;
  return out;
}

std::string report_text(const std::string& component, int processes, double alive_s,
                        const RunReport::Numbers& sum, const RunReport::Numbers& most) {
  const double clients = std::max(sum.clients, 1.0);
  // Clients of one process are there at the same time.
  const double each = most.clients > 0 ? most.clients : 1;
  const auto share = [&](double total, double of_process) {
    const double mean = total / clients;
    return fmt::format("{:.3f} s ({:.2f} %), {:.3f} s in the process with most", mean,
                       percent(mean, alive_s), of_process / each);
  };
  return fmt::format(
      "epios: report: component '{0}': {1:.3f} s from start to end, {2} processes, {3} clients, "
      "{4} contexts ended by them\n"
      "epios: report: component '{0}': a client was in the library for {5}\n"
      "epios: report: component '{0}': of this it waited for room on the way to servers for {6}\n"
      "epios: report: component '{0}': {7} sends, {8} records, {9} to servers\n",
      component, alive_s, processes, sum.clients, sum.contexts,
      share(sum.in_library_s, most.in_library_s), share(sum.blocked_s, most.blocked_s), sum.sends,
      sum.records, bytes_text(sum.bytes));
}

}  // namespace epios::client
