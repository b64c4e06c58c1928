// Derives advice from the figures of a run: first about lost or missing data, then about servers
// and channels without room, then about time spent in the library.
#include <fmt/format.h>

#include <algorithm>

#include "config/run_report.hpp"
#include "report/report_words.hpp"

namespace epios::config {

namespace {

/// From here on a share of the run is worth a word.
constexpr double worth_a_word = 0.01;
/// A thread that is busy so much of the time is what others wait for.
constexpr double is_full = 0.9;
/// A server that is busy so little could be left out, in runs long enough to tell.
constexpr double is_idle = 0.02;
constexpr double long_run_s = 60;
/// Shares of shorter runs say nothing of longer ones.
constexpr double least_run_s = 10;
/// Bytes of what the table has in full.
constexpr std::size_t most_quoted = 500;

using Advice = std::vector<std::string>;

std::string begin_of(const std::string& text) {
  if (text.size() <= most_quoted) return text;
  std::size_t end = most_quoted;
  const auto is_inside = [&] { return (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80; };
  while (end > 0 && is_inside()) --end;  // inside a character of UTF-8
  return text.substr(0, end) + " ...";
}

void advise_on_data(const RunReport& report, Advice& out) {
  std::int64_t files = 0;
  const FileCost* first = nullptr;
  for (const ContextCost& context : report.contexts) {
    for (const FileCost& file : context.files) {
      if (file.records_lost() == 0) continue;
      if (++files == 1) first = &file;
    }
  }
  if (first != nullptr) {
    out.push_back(fmt::format(
        "{} of {} were lost, of '{}' {} ({}). Free space, or write elsewhere?",
        counted(report.records_lost(), "record"), counted(files, "file"), first->path,
        first->records_lost(), first->error.empty() ? "see the log" : begin_of(first->error)));
  }
  for (const ContextCost& context : report.contexts) {
    for (const FileCost& file : context.files) {
      if (file.records_missing + file.records_short == 0) continue;
      out.push_back(
          fmt::format("file '{}' has fewer data than its fields ask for ({}). Does the "
                      "model send them at every step of freq_op?",
                      file.path, begin_of(file.unsent)));
      return;  // the others are in the table
    }
  }
}

void advise_on_room(const RunReport& report, Advice& out) {
  const double blocked = share_of(report.per_client(report.blocked_s), report.alive_s);
  double receiving = 0;
  double writing = 0;
  for (const ServerCost& server : report.servers) {
    receiving = std::max(receiving, server.busy_share());
    writing = std::max(writing, server.writing_share());
  }
  if (blocked >= worth_a_word) {
    const std::string waited = fmt::format(
        "clients waited {} of the run for room on the way to "
        "servers",
        percent_text(blocked));
    if (std::max(receiving, writing) < is_full) {
      out.push_back(
          fmt::format("{}, which were busy {} of it: output comes in bursts. Write some "
                      "files at other dates, or {}?",
                      waited, percent_text(std::max(receiving, writing)),
                      report.is_attached ? "start epios_server beside the model" : "more servers"));
    } else {
      out.push_back(
          fmt::format("{}, where {} took {} of the time: {}{}?", waited,
                      writing >= receiving ? "writing files" : "receiving",
                      percent_text(std::max(receiving, writing)),
                      report.is_attached ? "start epios_server beside the model" : "add a server",
                      writing >= receiving ? ", or compress less" : ""));
    }
  }
  const bool are_idle = report.servers.size() > 1 && report.alive_s >= long_run_s &&
                        std::max(receiving, writing) < is_idle;
  if (are_idle && !report.is_attached) {
    out.push_back(fmt::format("the busiest of {} was busy {} of the time: fewer would do.",
                              counted(static_cast<std::int64_t>(report.servers.size()), "server"),
                              percent_text(std::max(receiving, writing))));
  }
}

void advise_on_library(const RunReport& report, Advice& out) {
  const double mean = share_of(report.per_client(report.in_library_s), report.alive_s);
  const double most = share_of(report.in_library_s.most, report.alive_s);
  if (most >= 2 * worth_a_word && most > 3 * mean) {
    out.push_back(
        fmt::format("the clients of one process were in the library {} of the run, all in "
                    "the mean {}. Do they have most of the points?",
                    percent_text(most), percent_text(mean)));
  }
  const auto advise = [&](const Spread& spread, double least, const char* before,
                          const char* behind) {
    const double share = share_of(report.per_client(spread), report.alive_s);
    if (share >= least)
      out.push_back(fmt::format("{} {} of the run{}", before, percent_text(share), behind));
  };
  advise({report.filters_s(), 0}, 5 * worth_a_word, "temporal operations and expressions took",
         ": a freq_op longer than the time step takes fewer samples.");
  advise(report.waited_s, worth_a_word, "clients waited",
         " for records of files. Is each needed at every date, and the disk not busy otherwise?");
  advise(report.coupled_s, worth_a_word, "clients waited",
         " for models that they exchange fields with. Do those have too few processes, or this one "
         "too many?");
  advise(report.exchanged_s, worth_a_word, "clients waited",
         " for points of others that transformations need. Do all have as much to do, and are "
         "transformed fields needed at every date?");
  const bool slows = mean >= 5 * worth_a_word && report.alive_s >= long_run_s;
  if (report.is_attached && slows) {
    out.push_back(
        fmt::format("the library took {} of the run, and its files are written inside "
                    "the model's processes: start epios_server beside the model.",
                    percent_text(mean)));
  }
}

}  // namespace

std::vector<std::string> advice(const RunReport& report) {
  Advice out;
  advise_on_data(report, out);
  if (report.alive_s < least_run_s) return out;
  advise_on_room(report, out);
  advise_on_library(report, out);
  return out;
}

}  // namespace epios::config
