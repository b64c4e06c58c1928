// Prints a run report for a terminal: a short summary after each run, and the full table of `epios
// report`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "config/run_report.hpp"
#include "report/report_plots.hpp"
#include "report/report_words.hpp"
#include "text/printable.hpp"

namespace epios::config {

namespace {

struct Shares {
  double receiving = 0, writing = 0;
};
/// Returns the shares of the busiest server.
Shares busiest(const RunReport& report) {
  Shares out;
  for (const ServerCost& server : report.servers) {
    out.receiving = std::max(out.receiving, server.busy_share());
    out.writing = std::max(out.writing, server.writing_share());
  }
  return out;
}

/// Returns the lines that a terminal always shows, without prefix.
std::vector<std::string> summary(const RunReport& report) {
  const auto mean = [&](double sum) { return report.per_client({sum, 0}); };
  const double in_library = mean(report.in_library_s.sum);
  std::vector<std::string> out;
  if (!report.error.empty()) out.push_back("the run has failed: " + printable(report.error));
  for (const ContextCost& context : report.contexts) {
    if (context.stopped.empty()) continue;
    out.push_back(fmt::format("context '{}' was stopped by {}: its files end there",
                              printable(context.id), printable(context.stopped)));
  }
  out.push_back(fmt::format(
      "{} from start to end, {}, {}, {}{}", seconds_text(report.alive_s),
      report.processes == 1 ? "1 process" : fmt::format("{} processes", report.processes),
      counted(report.clients, "client"),
      counted(static_cast<std::int64_t>(report.servers.size()), "server"),
      report.is_attached ? " in the processes of the model" : ""));
  out.push_back(fmt::format("a client was in the library for {} ({}), {} in the process with most",
                            seconds_text(in_library),
                            percent_text(share_of(in_library, report.alive_s)),
                            seconds_text(report.in_library_s.most)));
  out.push_back(fmt::format(
      "of this {} in filters and calls, {} packing, {} waiting for room on the way to servers, {} "
      "for records of files{}{}",
      seconds_text(mean(report.filters_s())), seconds_text(mean(report.packing_s.sum)),
      seconds_text(mean(report.blocked_s.sum)), seconds_text(mean(report.waited_s.sum)),
      report.coupled_s.sum > 0
          ? fmt::format(", {} for other models", seconds_text(mean(report.coupled_s.sum)))
          : std::string(),
      report.exchanged_messages > 0 ? fmt::format(", {} for points of other clients",
                                                  seconds_text(mean(report.exchanged_s.sum)))
                                    : std::string()));
  out.push_back(fmt::format(
      "beside this it was in the ends of definitions for {}, of contexts for {}",
      seconds_text(mean(report.opening_s.sum)), seconds_text(mean(report.closing_s.sum))));
  out.push_back(fmt::format(
      "{}, {}, {} to servers; {} written to {}, {} lost", counted(report.sends, "send"),
      counted(report.records_sent(), "record"), bytes_text(static_cast<double>(report.bytes_sent)),
      report.records_written(), counted(report.files(), "file"), report.records_lost()));
  if (report.exchanged_messages > 0) {
    out.push_back(fmt::format("transformations: {} between clients, {}",
                              counted(report.exchanged_messages, "message"),
                              bytes_text(static_cast<double>(report.exchanged_bytes))));
  }
  if (!report.servers.empty()) {
    const Shares shares = busiest(report);
    out.push_back(fmt::format(
        "the busiest server received for {} of the time and wrote for {}; channels were at most {} "
        "full",
        percent_text(shares.receiving), percent_text(shares.writing),
        percent_text(report.fullest_channel)));
  }
  if (const FileCost* file = slowest_file(report)) {
    out.back() +=
        fmt::format("; slowest file: '{}', {} for {}", printable(file->path),
                    seconds_text(file->writing_s), bytes_text(static_cast<double>(file->bytes)));
  }
  return out;
}

/// Columns as wide as what is in them; the first is to the left, the others to the right.
class Table {
 public:
  using Row = std::array<std::string, 8>;
  void add(Row row) {
    for (std::size_t c = 0; c < row.size(); ++c) widths_[c] = std::max(widths_[c], row[c].size());
    rows_.push_back(std::move(row));
  }
  std::string text() const {
    std::string out;
    for (const Row& row : rows_) {
      out += fmt::format("  {:<{}}", row[0], widths_[0]);
      for (std::size_t c = 1; c < row.size(); ++c)
        out += fmt::format("  {:>{}}", row[c], widths_[c]);
      out.resize(out.find_last_not_of(' ') + 1);
      out += '\n';
    }
    return out;
  }

 private:
  std::vector<Row> rows_;
  std::array<std::size_t, 8> widths_{};
};

std::string context_table(const ContextCost& context) {
  Table table;
  table.add({"file, field", "sent", "written", "lost", "bytes", "writing", "blocked", "waits"});
  for (const FileCost& file : context.files) {
    table.add(
        {printable(file.path) + (file.parts > 1 ? fmt::format(" ({} parts)", file.parts) : ""),
         std::to_string(file.records_sent()), std::to_string(file.records_written()),
         std::to_string(file.records_lost()), bytes_text(static_cast<double>(file.bytes)),
         seconds_text(file.writing_s), seconds_text(file.blocked_s().sum), ""});
    for (const FieldCost& field : file.fields) {
      table.add({"  " + printable(field.name), std::to_string(field.records_sent),
                 std::to_string(field.records_written), std::to_string(field.records_lost),
                 bytes_text(static_cast<double>(field.bytes_sent)), "",
                 seconds_text(field.blocked_s.sum), std::to_string(field.waits)});
    }
  }
  std::string out = fmt::format(
      "context '{}': {}{}\n", printable(context.id), counted(context.clients, "client"),
      context.times_opened > 1 ? fmt::format(", opened {} times", context.times_opened) : "");
  out += table.text();
  out += blocked_lines(context);
  out += slowest_step_lines(context);
  for (const FileCost& file : context.files) {
    if (!file.unsent.empty()) {
      out += fmt::format("  {}: never sent: {}\n", printable(file.path), printable(file.unsent));
    }
    if (!file.error.empty()) {
      out += fmt::format("  {}: {}\n", printable(file.path), printable(file.error));
    }
  }
  return out;
}

}  // namespace

std::string report_lines(const RunReport& report) {
  const std::string begin =
      fmt::format("epios: report: component '{}': ", printable(report.component));
  std::string out;
  for (const std::string& line : summary(report)) out += begin + line + '\n';
  for (const std::string& line : advice(report)) {
    out += fmt::format("{}advice: {}\n", begin, printable(line));
  }
  return out;
}

std::string report_table(const RunReport& report) {
  std::string out = fmt::format("component '{}', EPIOS {}\n", printable(report.component),
                                printable(report.version));
  for (const std::string& line : summary(report)) out += "  " + line + '\n';
  for (const ContextCost& context : report.contexts) out += context_table(context);
  if (!report.servers.empty()) out += "servers\n";
  for (const ServerCost& server : report.servers) {
    out += fmt::format("  {}: received for {}, wrote for {} of {}\n", server.rank,
                       percent_text(server.busy_share()), percent_text(server.writing_share()),
                       seconds_text(server.open_s));
  }
  for (const std::string& line : advice(report))
    out += fmt::format("advice: {}\n", printable(line));
  return out;
}

}  // namespace epios::config
