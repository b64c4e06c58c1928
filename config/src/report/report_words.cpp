#include "report/report_words.hpp"

#include <fmt/format.h>

#include <array>

namespace epios::config {

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units.at(unit));
}

std::string seconds_text(double seconds) { return fmt::format("{:.3f} s", seconds); }

std::string percent_text(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string counted(std::int64_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

double share_of(double part, double whole) { return whole > 0 ? part / whole : 0; }

}  // namespace epios::config
