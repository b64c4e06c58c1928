/// @file
/// What a run has cost a component, and what became of its data: as JSON, as lines for a terminal,
/// as a page for a browser. docs/reference/report.md explains each figure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace epios::config {

/// Version of the JSON; readers refuse others.
inline constexpr int run_report_version = 1;

/// A figure over several clients: their sum, and the largest value.
struct Spread {
  double sum = 0;
  double most = 0;
};

/// One field in one file.
struct FieldCost {
  std::string name;
  std::int64_t records_sent =
      0;  ///< each record counts once, however many clients send a part of it
  std::int64_t records_written = 0;
  std::int64_t records_lost = 0;
  std::int64_t values_infinite = 0;  ///< infinite values in the file, in single precision
  std::int64_t bytes_sent = 0;       ///< sum over all clients
  std::int64_t waits = 0;            ///< number of times that a client found no room in a channel
  Spread blocked_s{};                ///< seconds of these waits
  double packing_s = 0;              ///< seconds of packing large records, over all clients
};

/// One file, with all its parts if it is split.
struct FileCost {
  std::string id;
  std::string path;  ///< path of the first part
  std::int64_t parts = 0;
  std::int64_t bytes = 0;            ///< on disk
  double writing_s = 0;              ///< seconds of the file thread of the writer with most
  std::int64_t records_missing = 0;  ///< records that the model never sent
  std::int64_t records_short = 0;    ///< records that the model sent with too few samples
  std::string unsent;                ///< both by field: "tos 1 short, sos 2 missing"
  std::string error;                 ///< "" if all parts are complete
  std::vector<FieldCost> fields{};

  std::int64_t records_sent() const;
  std::int64_t records_written() const;
  std::int64_t records_lost() const;
  std::int64_t bytes_sent() const;
  Spread blocked_s() const;
};

/// How much of the time all clients of a context waited for room on the way to servers, over its
/// steps.
struct BlockedOverTime {
  std::int64_t steps_per_column = 0;
  std::vector<double> shares{};   ///< 0 ... 1, a column each
  std::vector<double> seconds{};  ///< that the steps of each column took
};

/// What the first client waited for and packed in the step in which that took longest.
struct SlowestStep {
  struct Span {
    std::string field;     ///< "" for what is no record: a sync point, the end of a file
    bool is_wait = false;  ///< for room; otherwise a record was packed, with waits in between
    double begin_s = 0;    ///< since the first one began
    double seconds = 0;
  };
  std::int64_t step = 0;
  std::string date;
  std::vector<Span> spans{};  ///< in the order of their beginnings
  std::int64_t more = 0;      ///< that are not in the list
  double seconds() const;     ///< from the beginning of the first span to the end of the last
};

/// One context, however often it was opened.
struct ContextCost {
  std::string id;
  std::int64_t times_opened = 0;
  std::int64_t clients = 0;  ///< number of clients of the opening with most
  std::vector<FileCost> files{};
  std::string stopped{};  ///< "SIGTERM at 2000-01-02 00:00:00" if a signal has ended it, else ""
  BlockedOverTime blocked{};   ///< of the opening that lasted longest
  SlowestStep slowest_step{};  ///< of all openings
};

/// One server that received data of the component. Its work for other components is included.
struct ServerCost {
  int rank = 0;
  double open_s = 0;          ///< seconds in which any context was open
  double busy_s = 0;          ///< seconds in which its receiving thread was busy
  double writing_s = 0;       ///< seconds in which its file thread was busy
  double busy_share() const;  ///< 0 ... 1
  double writing_share() const;
};

/// The report of one component.
struct RunReport {
  std::string version;    ///< version of EPIOS
  std::string component;  ///< code id of the component
  std::string error;      ///< why the run failed; empty if it did not
  double alive_s = 0;     ///< seconds from the start of its first process to the end of the session
  std::int64_t processes = 0;
  std::int64_t clients = 0;
  bool is_attached = false;  ///< servers live in the clients' processes
  std::int64_t sends = 0;    ///< number of calls of all clients
  std::int64_t bytes_sent = 0;
  // Seconds per client; `most` is the mean over the clients of one process.
  Spread in_library_s{};
  Spread blocked_s{};    ///< part of these: waiting for room on the way to servers
  Spread packing_s{};    ///< part of these: putting large records into channels
  Spread waited_s{};     ///< part of these: waiting for records of files
  Spread coupled_s{};    ///< part of these: waiting for contexts that exchange fields with this
                         ///< component
  Spread exchanged_s{};  ///< part of these: waiting for points of other clients
  // Further seconds per client:
  Spread opening_s{};          ///< closing definitions
  Spread closing_s{};          ///< waiting at the ends of contexts for the servers to finish files
  double fullest_channel = 0;  ///< 0 ... 1, the largest of all clients
  // Messages between clients for transformations:
  std::int64_t exchanged_messages = 0;
  std::int64_t exchanged_bytes = 0;
  std::vector<ServerCost> servers{};    ///< by rank
  std::vector<ContextCost> contexts{};  ///< in the order in which they ended first

  std::int64_t files() const;
  std::int64_t records_sent() const;
  std::int64_t records_written() const;
  std::int64_t records_lost() const;
  /// Returns the mean over clients.
  double per_client(const Spread& figure) const;
  /// Returns the seconds of all clients that were spent in the library but neither packing nor
  /// waiting: temporal operations, arithmetic, small records and the calls themselves.
  double filters_s() const;
};

/// Returns the file with the largest `writing_s`, or null if there is none.
const FileCost* slowest_file(const RunReport& report);

/// Adds a context that ended to the one with the same id, if there is one.
void add(std::vector<ContextCost>& contexts, ContextCost ended);
/// Adds the latest report of a server.
void add(std::vector<ServerCost>& servers, const ServerCost& later);

/// Returns only contexts and servers, which one process sends to another.
std::string parts_to_json(const RunReport& report);
void add_parts(RunReport& report, std::string_view json);

std::string to_json(const RunReport& report);
/// Throws Error{argument}, which says what `text` lacks. The caller names the file.
RunReport read_run_report(std::string_view text);

/// Returns suggestions that follow from the figures, the most important first; empty if all is
/// well.
std::vector<std::string> advice(const RunReport& report);
/// Returns a few lines, each beginning with "epios: report: component 'x': ".
std::string report_lines(const RunReport& report);
/// Returns everything, as lines for a terminal.
std::string report_table(const RunReport& report);
/// Returns what differs between the reports of two runs, as lines for a terminal.
std::string report_comparison(const RunReport& first, const RunReport& second);
/// Returns everything, drawn: one self-contained page of HTML.
std::string report_page(const RunReport& report);

}  // namespace epios::config
