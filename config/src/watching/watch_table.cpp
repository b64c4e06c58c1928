// The table of `epios top`. With an earlier look, rates are those since then, which shows what a
// run does now; what has not moved at all since then is shown as such.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "config/watched_runs.hpp"
#include "report/report_words.hpp"
#include "text/printable.hpp"

namespace epios::config {
namespace {

/// Columns as wide as what is in them; the first ones are to the left, the others to the right.
class Columns {
 public:
  explicit Columns(std::size_t left) : left_(left) {}
  void add(std::vector<std::string> row) {
    widths_.resize(std::max(widths_.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths_[c] = std::max(widths_[c], row[c].size());
    rows_.push_back(std::move(row));
  }
  std::string text() const {
    std::string out;
    if (rows_.size() < 2) return out;  // a head alone
    for (const auto& row : rows_) {
      for (std::size_t c = 0; c < row.size(); ++c) {
        out += c < left_ ? fmt::format("  {:<{}}", row[c], widths_[c])
                         : fmt::format("  {:>{}}", row[c], widths_[c]);
      }
      out.resize(out.find_last_not_of(' ') + 1);
      out += '\n';
    }
    return out;
  }

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

template <class Items, class Is>
auto find(const Items& items, const Is& is) {
  const auto found = std::find_if(items.begin(), items.end(), is);
  return found == items.end() ? nullptr : &*found;
}

const WatchedContext* same(const WatchedJob* before, const WatchedContext& context) {
  if (before == nullptr) return nullptr;
  const auto* found = find(before->contexts, [&](const WatchedContext& other) {
    return other.component == context.component && other.context == context.context;
  });
  // One that was opened again counts from the start.
  return found != nullptr && found->step <= context.step && found->client_s <= context.client_s
             ? found
             : nullptr;
}

const WatchedServer* same(const WatchedJob* before, const WatchedServer& server) {
  if (before == nullptr) return nullptr;
  return find(before->servers, [&](const WatchedServer& other) {
    return other.rank == server.rank && other.pid == server.pid && other.open_s <= server.open_s;
  });
}

const WatchedFile* same(const WatchedJob* before, const WatchedFile& file) {
  if (before == nullptr) return nullptr;
  return find(before->files, [&](const WatchedFile& other) {
    return other.path == file.path && other.age_s <= file.age_s;
  });
}

/// What has been added to a file. One that is done has its size on disk, which may be less.
std::int64_t growth(const WatchedFile* before, const WatchedFile& file) {
  return std::max<std::int64_t>(0, file.bytes - (before != nullptr ? before->bytes : 0));
}

std::string rate_text(double number, double seconds) {
  if (seconds <= 0) return "-";
  const double rate = number / seconds;
  return rate < 10 ? fmt::format("{:.2f}", rate) : fmt::format("{:.0f}", rate);
}

/// "1 h 02 min", "3 min 05 s", "12 s"
std::string age_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds);
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

template <class Item, class Key>
std::vector<const Item*> sorted(const std::vector<Item>& items, const Key& key) {
  std::vector<const Item*> out;
  for (const Item& item : items) out.push_back(&item);
  std::stable_sort(out.begin(), out.end(),
                   [&](const Item* a, const Item* b) { return key(*a) > key(*b); });
  return out;
}

std::string contexts_text(const WatchedJob& job, const WatchedJob* before, WatchOrder order) {
  Columns columns(3);
  columns.add({"component", "context", "date", "step", "steps/s", "clients", "blocked", "in EPIOS",
               "fill", "records", "sent"});
  const auto key = [&](const WatchedContext& of) {
    switch (order) {
      case WatchOrder::blocked:
        return share_of(of.blocked_s, of.client_s);
      case WatchOrder::records:
        return static_cast<double>(of.records);
      case WatchOrder::bytes:
        return static_cast<double>(of.bytes);
      case WatchOrder::name:
        break;
    }
    return 0.0;
  };
  for (const WatchedContext* of : sorted(job.contexts, key)) {
    const WatchedContext* was = same(before, *of);
    const WatchedContext none;
    const WatchedContext& from = was != nullptr ? *was : none;
    const double client_s = of->client_s - from.client_s;
    columns.add({printable(of->component), printable(of->context),
                 of->is_over ? of->date + " (over)" : of->date, std::to_string(of->step),
                 of->is_over ? ""
                             : rate_text(static_cast<double>(of->step - from.step),
                                         of->open_s - from.open_s),
                 std::to_string(of->clients),
                 percent_text(share_of(of->blocked_s - from.blocked_s, client_s)),
                 percent_text(share_of(of->in_library_s - from.in_library_s, client_s)),
                 percent_text(of->fullest_channel), std::to_string(of->records),
                 bytes_text(static_cast<double>(of->bytes))});
  }
  return columns.text();
}

std::string servers_text(const WatchedJob& job, const WatchedJob* before) {
  Columns columns(1);
  columns.add({"server", "process", "contexts", "receiving", "writing"});
  for (const WatchedServer& of : job.servers) {
    const WatchedServer* was = same(before, of);
    const WatchedServer none;
    const WatchedServer& from = was != nullptr ? *was : none;
    const double open_s = of.open_s - from.open_s;
    columns.add({std::to_string(of.rank) + (of.is_over ? " (over)" : ""), std::to_string(of.pid),
                 std::to_string(of.contexts),
                 open_s > 0 ? percent_text(share_of(of.busy_s - from.busy_s, open_s)) : "-",
                 open_s > 0 ? percent_text(share_of(of.writing_s - from.writing_s, open_s)) : "-"});
  }
  return columns.text();
}

const char* word_of(SlotState state) {
  switch (state) {
    case SlotState::active:
      return "open";
    case SlotState::failed:
      return "failed";
    case SlotState::over:
      return "done";
    case SlotState::unused:
      break;
  }
  return "";
}

/// Failed ones first, then the slowest that are open, then the newest.
std::vector<const WatchedFile*> shown_files(const WatchedJob& job, const WatchTable& table) {
  std::vector<const WatchedFile*> out;
  for (const WatchedFile& file : job.files) out.push_back(&file);
  const auto rank = [](const WatchedFile& file) {
    return file.state == SlotState::failed ? 0 : file.state == SlotState::active ? 1 : 2;
  };
  std::stable_sort(out.begin(), out.end(), [&](const WatchedFile* a, const WatchedFile* b) {
    if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
    if (table.order == WatchOrder::bytes) return a->bytes > b->bytes;
    if (table.order == WatchOrder::records) return a->written > b->written;
    return rank(*a) < 2 ? a->writing_s > b->writing_s : a->age_s < b->age_s;
  });
  out.resize(std::min(out.size(), table.most_files));
  return out;
}

/// What all files together have got, and how fast: since the look before, or the job began.
std::string disk_text(const WatchedJob& job, const WatchedJob* before) {
  std::int64_t bytes = 0, grown = 0;
  for (const WatchedFile& of : job.files) {
    bytes += of.bytes;
    grown += growth(same(before, of), of);
  }
  const double time_s = job.age_s - (before != nullptr ? before->age_s : 0);
  return fmt::format("  all files: {}, {}\n", bytes_text(static_cast<double>(bytes)),
                     time_s > 0 ? bytes_text(static_cast<double>(grown) / time_s) + "/s" : "-");
}

std::string files_text(const WatchedJob& job, const WatchedJob* before, const WatchTable& table) {
  Columns columns(2);
  columns.add({"file", "state", "written", "durable", "lost", "bytes", "rate", "writing"});
  for (const WatchedFile* of : shown_files(job, table)) {
    const WatchedFile* was = same(before, *of);
    const double writing_s = of->writing_s - (was != nullptr ? was->writing_s : 0);
    const auto bytes = static_cast<double>(growth(was, *of));
    columns.add({printable(of->path), word_of(of->state), std::to_string(of->written),
                 std::to_string(of->durable), std::to_string(of->lost),
                 bytes_text(static_cast<double>(of->bytes)),
                 writing_s > 0 ? bytes_text(bytes / writing_s) + "/s" : "-",
                 seconds_text(of->writing_s)});
  }
  std::string out = columns.text();
  if (job.files.size() > table.most_files) {
    out += fmt::format("  and {} more files\n", job.files.size() - table.most_files);
  }
  if (!job.files.empty()) out += disk_text(job, before);
  return out;
}

std::string waits_text(const WatchedJob& job) {
  std::string out;
  for (const WatchedWait& wait : job.waits) {
    out +=
        fmt::format("  {}: {:.1f} s{}: {}\n", wait.who, wait.seconds,
                    wait.whom.empty() ? "" : " for " + printable(wait.whom), printable(wait.what));
  }
  return out.empty() ? "  nobody waits\n" : "  waits\n" + out;
}

/// ", over", or how many have ended and are remembered.
std::string end_text(const WatchedJob& job) {
  if (job.is_over()) return ", over";
  return job.ended.empty() ? "" : fmt::format(" ({} ended)", job.ended.size());
}

std::string job_text(const WatchedJob& job, const WatchedJob* before, const WatchTable& table) {
  const std::string batch =
      job.batch_job.empty() ? "" : fmt::format(" (batch job {})", printable(job.batch_job));
  std::string out =
      fmt::format("job {}{}: {} of {} {} here{}, {}\n", printable(job.name), batch,
                  job.pids.size() + job.gone.size() + job.ended.size(), job.processes,
                  job.processes == 1 ? "process" : "processes", end_text(job), age_text(job.age_s));
  if (!job.gone.empty()) {
    out += fmt::format("  {} {} ended early (killed?)\n",
                       job.gone.size() == 1 ? "process" : "processes", fmt::join(job.gone, ", "));
  }
  out += contexts_text(job, before, table.order);
  out += servers_text(job, before);
  out += files_text(job, before, table);
  if (job.unseen > 0) {
    out += fmt::format("  pages had no room for {} contexts, files or waits, which are not shown\n",
                       job.unseen);
  }
  if (table.has_waits && !job.pids.empty()) out += waits_text(job);
  return out;
}

}  // namespace

std::string watch_table(const WatchedRuns& runs, const WatchedRuns* before,
                        const WatchTable& table) {
  std::string out;
  for (const WatchedJob& job : runs.jobs) {
    const WatchedJob* was =
        before == nullptr
            ? nullptr
            : find(before->jobs, [&](const WatchedJob& other) { return other.name == job.name; });
    out += job_text(job, was, table);
  }
  if (runs.jobs.empty()) out += "no run of EPIOS on this node\n";
  for (const std::string& problem : runs.problems) out += printable(problem) + '\n';
  if (runs.of_others > 0) {
    out += fmt::format("{} of other users, which only they can read\n",
                       counted(runs.of_others, "page"));
  }
  return out;
}

}  // namespace epios::config
