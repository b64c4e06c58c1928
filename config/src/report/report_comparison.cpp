// Compares the reports of two runs: what changed, from large to small matters. Files and fields are
// those of the same context and id in both.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "config/run_report.hpp"
#include "report/report_words.hpp"
#include "text/printable.hpp"

namespace epios::config {
namespace {

/// Returns "+12 %", "x 3.1", "as before", or "" if there was nothing before.
std::string change_text(double before, double after) {
  constexpr double least = 0.005;
  constexpr double many = 2;
  if (before <= 0) return after > 0 ? "new" : "";
  const double ratio = after / before;
  if (std::abs(ratio - 1) < least) return "as before";
  return ratio > many ? fmt::format("x {:.1f}", ratio)
                      : fmt::format("{:+.0f} %", 100 * (ratio - 1));
}

/// Rows of a figure in both runs, and what has changed.
class Comparison {
 public:
  using Text = std::string (*)(double);
  void add(std::string name, double before, double after, Text text) {
    rows_.push_back({std::move(name), text(before), text(after), change_text(before, after)});
  }
  void add_line(std::string line) { lines_.push_back(std::move(line)); }
  std::string text() const {
    std::vector<std::size_t> widths(4);
    for (const auto& row : rows_) {
      for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    }
    std::string out;
    for (const auto& row : rows_) {
      out += fmt::format("  {:<{}}  {:>{}}  {:>{}}  {:>{}}", row[0], widths[0], row[1], widths[1],
                         row[2], widths[2], row[3], widths[3]);
      out.resize(out.find_last_not_of(' ') + 1);
      out += '\n';
    }
    for (const std::string& line : lines_) out += "  " + line + '\n';
    return out;
  }

 private:
  std::vector<std::vector<std::string>> rows_{{"", "first", "second", "change"}};
  std::vector<std::string> lines_;
};

std::string number_text(double number) { return fmt::format("{:.0f}", number); }

void compare_runs(const RunReport& a, const RunReport& b, Comparison& out) {
  const auto count = [&](const char* name, std::int64_t before, std::int64_t after) {
    out.add(name, static_cast<double>(before), static_cast<double>(after), number_text);
  };
  out.add("from start to end", a.alive_s, b.alive_s, seconds_text);
  count("processes", a.processes, b.processes);
  count("clients", a.clients, b.clients);
  count("servers", std::ssize(a.servers), std::ssize(b.servers));
  const std::array<std::pair<const char*, Spread RunReport::*>, 8> times{
      {{"in the library, per client", &RunReport::in_library_s},
       {"  waiting for room to servers", &RunReport::blocked_s},
       {"  packing", &RunReport::packing_s},
       {"  waiting for records of files", &RunReport::waited_s},
       {"  waiting for other models", &RunReport::coupled_s},
       {"  waiting for other clients", &RunReport::exchanged_s},
       {"ends of definitions", &RunReport::opening_s},
       {"ends of contexts", &RunReport::closing_s}}};
  for (const auto& [name, figure] : times) {
    out.add(name, a.per_client(a.*figure), b.per_client(b.*figure), seconds_text);
  }
  out.add("fullest channel", a.fullest_channel, b.fullest_channel, percent_text);
  const auto busiest = [](const RunReport& report, double (ServerCost::*share)() const) {
    double most = 0;
    for (const ServerCost& server : report.servers) most = std::max(most, (server.*share)());
    return most;
  };
  out.add("busiest server, receiving", busiest(a, &ServerCost::busy_share),
          busiest(b, &ServerCost::busy_share), percent_text);
  out.add("busiest server, writing", busiest(a, &ServerCost::writing_share),
          busiest(b, &ServerCost::writing_share), percent_text);
  count("records sent", a.records_sent(), b.records_sent());
  count("records written", a.records_written(), b.records_written());
  count("records lost", a.records_lost(), b.records_lost());
  out.add("sent to servers", static_cast<double>(a.bytes_sent), static_cast<double>(b.bytes_sent),
          bytes_text);
}

const ContextCost* find_context(const RunReport& report, const std::string& id) {
  const auto found = std::find_if(report.contexts.begin(), report.contexts.end(),
                                  [&](const ContextCost& context) { return context.id == id; });
  return found == report.contexts.end() ? nullptr : &*found;
}

/// Says what has failed in one of both, or that it failed in both.
void compare_errors(const std::string& what, const std::string& a, const std::string& b,
                    Comparison& out) {
  if (!a.empty() && !b.empty()) out.add_line(what + ": failed in both");
  if (!a.empty() && b.empty()) out.add_line(what + ": failed only in the first: " + printable(a));
  if (a.empty() && !b.empty()) out.add_line(what + ": failed only in the second: " + printable(b));
}

const FileCost* find_file(const ContextCost& context, const std::string& id) {
  const auto found = std::find_if(context.files.begin(), context.files.end(),
                                  [&](const FileCost& file) { return file.id == id; });
  return found == context.files.end() ? nullptr : &*found;
}

void compare_files(const ContextCost& a, const ContextCost& b, Comparison& out) {
  for (const FileCost& before : a.files) {
    const FileCost* const after = find_file(b, before.id);
    const std::string name =
        fmt::format("file '{}' of '{}'", printable(before.id), printable(a.id));
    if (after == nullptr) {
      out.add_line(name + ": only in the first");
      continue;
    }
    out.add(name + ", writing", before.writing_s, after->writing_s, seconds_text);
    out.add("  blocked for it, all clients", before.blocked_s().sum, after->blocked_s().sum,
            seconds_text);
    out.add("  on disk", static_cast<double>(before.bytes), static_cast<double>(after->bytes),
            bytes_text);
    compare_errors(name, before.error, after->error, out);
  }
  for (const FileCost& after : b.files) {
    if (find_file(a, after.id) != nullptr) continue;
    out.add_line(
        fmt::format("file '{}' of '{}': only in the second", printable(after.id), printable(b.id)));
  }
}

}  // namespace

std::string report_comparison(const RunReport& a, const RunReport& b) {
  Comparison out;
  compare_runs(a, b, out);
  compare_errors("the run", a.error, b.error, out);
  for (const ContextCost& context : a.contexts) {
    if (const ContextCost* const other = find_context(b, context.id)) {
      out.add(fmt::format("slowest step of '{}'", printable(context.id)),
              context.slowest_step.seconds(), other->slowest_step.seconds(), seconds_text);
      compare_files(context, *other, out);
    } else {
      out.add_line(fmt::format("context '{}': only in the first", printable(context.id)));
    }
  }
  for (const ContextCost& context : b.contexts) {
    if (find_context(a, context.id) == nullptr) {
      out.add_line(fmt::format("context '{}': only in the second", printable(context.id)));
    }
  }
  const std::string names =
      a.component == b.component
          ? fmt::format("component '{}'", printable(a.component))
          : fmt::format("components '{}' and '{}'", printable(a.component), printable(b.component));
  return fmt::format("{}, EPIOS {} and {}\n{}", names, printable(a.version), printable(b.version),
                     out.text());
}

}  // namespace epios::config
