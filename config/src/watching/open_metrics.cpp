// The runs of a node as OpenMetrics text. Names and units stay: dashboards of sites depend on them.
// One pass over the rows for each name, as the format wants all samples of a name together.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "config/watched_runs.hpp"
#include "text/printable.hpp"

namespace epios::config {
namespace {

std::string label(std::string_view name, std::string_view value) {
  std::string out = fmt::format("{}=\"", name);
  for (const char c : printable(value)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

struct Family {
  std::string_view name, type, unit, help;
};

/// Collects the text.
class Metrics {
 public:
  void begin(const Family& family) {
    family_ = family;
    text_ += fmt::format("# TYPE {} {}\n", family.name, family.type);
    if (!family.unit.empty()) text_ += fmt::format("# UNIT {} {}\n", family.name, family.unit);
    text_ += fmt::format("# HELP {} {}\n", family.name, family.help);
  }
  template <class Number>
  void sample(const std::string& labels, Number value) {
    text_ += fmt::format("{}{}{{{}}} {}\n", family_.name, family_.type == "counter" ? "_total" : "",
                         labels, value);
  }
  /// A sample for each item of each job, with the labels of both.
  template <class Items, class Labels, class Value>
  void samples(const WatchedRuns& runs, const Family& family, Items WatchedJob::*items,
               const Labels& labels, const Value& value) {
    begin(family);
    for (const WatchedJob& job : runs.jobs) {
      for (const auto& item : job.*items) {
        sample(label("job_id", job.name) + "," + labels(item), value(item));
      }
    }
  }
  std::string take() { return std::move(text_) + "# EOF\n"; }

 private:
  Family family_;
  std::string text_;
};

void add_contexts(const WatchedRuns& runs, Metrics& metrics) {
  const auto add = [&](const Family& family, const auto& value) {
    metrics.samples(
        runs, family, &WatchedJob::contexts,
        [](const WatchedContext& of) {
          return label("component", of.component) + "," + label("context", of.context);
        },
        value);
  };
  using Of = const WatchedContext&;
  add({"epios_clients", "gauge", "", "Clients of the context on this node."},
      [](Of of) { return of.is_over ? 0 : of.clients; });
  add({"epios_steps", "counter", "", "Time steps of the client that is behind."},
      [](Of of) { return of.step; });
  add({"epios_sends", "counter", "", "Calls that send a field, of all clients."},
      [](Of of) { return of.sends; });
  add({"epios_sent_records", "counter", "", "Records that have left."},
      [](Of of) { return of.records; });
  add({"epios_sent_bytes", "counter", "bytes", "Data that have left all clients."},
      [](Of of) { return of.bytes; });
  add({"epios_client_seconds", "counter", "seconds",
       "Time since the context was opened, sum over clients: what shares are taken of."},
      [](Of of) { return of.client_s; });
  add({"epios_library_seconds", "counter", "seconds", "Time in the library, sum over clients."},
      [](Of of) { return of.in_library_s; });
  add({"epios_blocked_seconds", "counter", "seconds",
       "Time of waiting for room on the way to servers, sum over clients."},
      [](Of of) { return of.blocked_s; });
  add({"epios_fullest_channel_ratio", "gauge", "ratio", "How full any channel has been so far."},
      [](Of of) { return of.fullest_channel; });
  add({"epios_since_step_seconds", "gauge", "seconds",
       "Time since the last step of the client that is silent for the longest time."},
      [](Of of) { return of.quiet_s; });
}

void add_servers(const WatchedRuns& runs, Metrics& metrics) {
  const auto add = [&](const Family& family, const auto& value) {
    metrics.samples(
        runs, family, &WatchedJob::servers,
        [](const WatchedServer& of) {
          return label("server", std::to_string(of.rank)) + "," +
                 label("process", std::to_string(of.pid));
        },
        value);
  };
  using Of = const WatchedServer&;
  add({"epios_server_contexts", "gauge", "", "Contexts that are open on the server."},
      [](Of of) { return of.contexts; });
  add({"epios_server_open_seconds", "counter", "seconds",
       "Time with any context open: what shares are taken of."},
      [](Of of) { return of.open_s; });
  add({"epios_server_busy_seconds", "counter", "seconds",
       "Time in which the server's thread had something to do."},
      [](Of of) { return of.busy_s; });
  add({"epios_server_writing_seconds", "counter", "seconds",
       "Time in which the server's file thread had something to do."},
      [](Of of) { return of.writing_s; });
}

void add_files(const WatchedRuns& runs, Metrics& metrics) {
  const auto add = [&](const Family& family, const auto& value) {
    metrics.samples(
        runs, family, &WatchedJob::files,
        [](const WatchedFile& of) {
          return label("component", of.component) + "," + label("context", of.context) + "," +
                 label("file", of.path);
        },
        value);
  };
  using Of = const WatchedFile&;
  add({"epios_file_open", "gauge", "", "1 while the file is being written, otherwise 0."},
      [](Of of) { return of.state == SlotState::active ? 1 : 0; });
  add({"epios_file_failed", "gauge", "", "1 if the file has failed, otherwise 0."},
      [](Of of) { return of.state == SlotState::failed ? 1 : 0; });
  add({"epios_file_written_records", "counter", "", "Records of fields that are written."},
      [](Of of) { return of.written; });
  add({"epios_file_durable_records", "counter", "",
       "Of these, records that stay whatever happens to the process."},
      [](Of of) { return of.durable; });
  add({"epios_file_lost_records", "counter", "", "Records that are not in the file."},
      [](Of of) { return of.lost; });
  add({"epios_file_data_bytes", "gauge", "bytes",
       "Data written, before compression; once the file is done, its size."},
      [](Of of) { return of.bytes; });
  add({"epios_file_writing_seconds", "counter", "seconds",
       "Time in which the file thread worked for the file."},
      [](Of of) { return of.writing_s; });
}

void add_jobs(const WatchedRuns& runs, Metrics& metrics) {
  const auto add = [&](const Family& family, const auto& value) {
    metrics.begin(family);
    for (const WatchedJob& job : runs.jobs) {
      metrics.sample(label("job_id", job.name) + "," + label("batch_job", job.batch_job),
                     value(job));
    }
  };
  using Of = const WatchedJob&;
  add({"epios_processes", "gauge", "", "Processes of the job on this node that live."},
      [](Of of) { return of.pids.size(); });
  add({"epios_processes_gone", "gauge", "",
       "Processes of the job on this node that ended early, such as killed ones."},
      [](Of of) { return of.gone.size(); });
  add({"epios_waits", "gauge", "", "Waits of clients and servers at this moment."},
      [](Of of) { return of.waits.size(); });
  add({"epios_longest_wait_seconds", "gauge", "seconds", "Length of the longest of them so far."},
      [](Of of) { return of.waits.empty() ? 0.0 : of.waits.front().seconds; });
}

}  // namespace

std::string open_metrics(const WatchedRuns& runs) {
  Metrics metrics;
  add_jobs(runs, metrics);
  add_contexts(runs, metrics);
  add_servers(runs, metrics);
  add_files(runs, metrics);
  return metrics.take();
}

}  // namespace epios::config
