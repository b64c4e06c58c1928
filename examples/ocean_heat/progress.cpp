#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace ocean {
namespace {

double now_s() {
  using std::chrono::duration;
  return duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

std::string bar(std::int64_t done, std::int64_t all) {
  constexpr std::int64_t width = 30;
  const auto filled = static_cast<std::size_t>(width * done / all);
  return std::string(filled, '#') + std::string(width - filled, '.');
}

}  // namespace

Progress::Progress(const Options& options, int clients)
    : quiet_(options.quiet),
      terminal_(options.bar || isatty(STDOUT_FILENO) != 0),
      days_(options.days),
      clients_(clients) {}

std::string Progress::figures(const Traffic& traffic) const {
  const double open_s = static_cast<double>(traffic.open_us) * 1e-6 / clients_;
  const double megabytes = static_cast<double>(traffic.bytes) * 1e-6;
  return fmt::format("{:7.1f} MB sent, {:6.1f} MB/s, model blocked {:4.1f} %, in library {:4.1f} %",
                     megabytes, open_s > 0 ? megabytes / open_s : 0.0,
                     percent(traffic.blocked_us, traffic.open_us),
                     percent(traffic.library_us, traffic.open_us));
}

void Progress::show(std::int64_t day, const std::string& date, const Traffic& traffic) {
  if (quiet_) return;
  const bool month_begins = date.substr(8, 2) == "01";
  const bool last = day == days_;
  if (terminal_) {
    const double now = now_s();
    if (now - shown_at_s_ < 0.1 && !last) return;
    shown_at_s_ = now;
    // Short enough for 80 columns: a wrapped line cannot be overwritten.
    const double open_s = static_cast<double>(traffic.open_us) * 1e-6 / clients_;
    print(fmt::format("\r{} [{}] {:3} % {:6.1f} MB/s, blocked {:4.1f} %", date.substr(0, 10),
                      bar(day, days_), 100 * day / days_,
                      static_cast<double>(traffic.bytes) * 1e-6 / open_s,
                      percent(traffic.blocked_us, traffic.open_us)));
  } else if (month_begins || last) {
    print(fmt::format("{}  {:3} %  {}\n", date, 100 * day / days_, figures(traffic)));
  }
}

void Progress::finish(const std::vector<epios::client::FileReport>& files, const Traffic& traffic) {
  if (quiet_) return;
  std::size_t width = 4;
  for (const auto& file : files) width = std::max(width, file.path.size());
  print(fmt::format("{}\n{:<{}}  {:>8}  {:>8}  {:>12}\n", terminal_ ? "\n" : "", "file", width,
                    "records", "lost", "bytes"));
  for (const auto& file : files) {
    print(fmt::format("{:<{}}  {:>8}  {:>8}  {:>12}  {}\n", file.path, width, file.records_written,
                      file.records_lost, file.bytes, file.error));
  }
  print(fmt::format("{} client endpoints: {}\n", clients_, figures(traffic)));
}

}  // namespace ocean
