/// @file
/// What the library has cost a component in a run, and what became of its data: as JSON, as lines
/// for a terminal, as a page for a browser. docs/reference/report.md says what each figure is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace epios::config {

/// Version of the JSON; readers refuse others.
inline constexpr int run_report_version = 1;

/// A figure of several clients: of all together, and of the one with most.
struct Spread {
  double sum = 0;
  double most = 0;
};

/// One field in one file.
struct FieldCost {
  std::string name;
  std::int64_t records_sent = 0;  ///< once each, however many clients send a part
  std::int64_t records_written = 0;
  std::int64_t records_lost = 0;
  std::int64_t values_infinite = 0;  ///< in the file, in single precision
  std::int64_t bytes_sent = 0;       ///< by all clients
  std::int64_t waits = 0;            ///< times that a client found no room in a channel
  Spread blocked_s{};                ///< seconds of these waits
  double packing_s = 0;              ///< of all clients, of large records
};

/// One file, with all its parts when it is split.
struct FileCost {
  std::string id;
  std::string path;  ///< of the first part
  std::int64_t parts = 0;
  std::int64_t bytes = 0;            ///< on disk
  double writing_s = 0;              ///< of the file thread of the writer with most
  std::int64_t records_missing = 0;  ///< that the model never sent
  std::int64_t records_short = 0;    ///< that the model sent with too few samples
  std::string unsent;                ///< both by field: "tos 1 short, sos 2 missing"
  std::string error;                 ///< "" when all parts are whole
  std::vector<FieldCost> fields{};

  std::int64_t records_sent() const;
  std::int64_t records_written() const;
  std::int64_t records_lost() const;
  std::int64_t bytes_sent() const;
  Spread blocked_s() const;
};

/// One context, however often it was opened.
struct ContextCost {
  std::string id;
  std::int64_t times_opened = 0;
  std::int64_t clients = 0;  ///< of the opening with most
  std::vector<FileCost> files{};
};

/// One server that the component's data went to; what it did for other components is in it, too.
struct ServerCost {
  int rank = 0;
  double open_s = 0;          ///< in which any context was open
  double busy_s = 0;          ///< its receiving thread did something
  double writing_s = 0;       ///< its file thread had something to do
  double busy_share() const;  ///< 0 ... 1
  double writing_share() const;
};

/// Of one component.
struct RunReport {
  std::string version;    ///< of EPIOS
  std::string component;  ///< its code id
  std::string error;      ///< why the run has failed; empty: it has not
  double alive_s = 0;     ///< from the start of its first process to the end of the session
  std::int64_t processes = 0;
  std::int64_t clients = 0;
  bool is_attached = false;  ///< servers live in the clients' processes
  std::int64_t sends = 0;    ///< calls, of all clients
  std::int64_t bytes_sent = 0;
  // Per client; `most` is the mean of the clients of one process.
  Spread in_library_s{};
  Spread blocked_s{};    ///< of these: waiting for room on the way to servers
  Spread packing_s{};    ///< of these: putting large records into channels
  Spread waited_s{};     ///< of these: waiting for records of files
  Spread coupled_s{};    ///< of these: waiting for contexts that fields are exchanged with
  Spread exchanged_s{};  ///< of these: waiting for points that other clients have
  // Beside these, per client as well:
  Spread opening_s{};          ///< in the ends of definitions
  Spread closing_s{};          ///< waiting at the ends of contexts for the servers to finish files
  double fullest_channel = 0;  ///< 0 ... 1, of any client
  // What clients sent each other since transformations need it:
  std::int64_t exchanged_messages = 0;
  std::int64_t exchanged_bytes = 0;
  std::vector<ServerCost> servers{};    ///< by rank
  std::vector<ContextCost> contexts{};  ///< in the order in which they ended first

  std::int64_t files() const;
  std::int64_t records_sent() const;
  std::int64_t records_written() const;
  std::int64_t records_lost() const;
  /// Mean of a client.
  double per_client(const Spread& figure) const;
  /// In the library and neither packing nor waiting: temporal operations, arithmetic, small records
  /// and the calls themselves. Of all clients.
  double filters_s() const;
};

/// The file that its writer has worked on for longest; null: there is none.
const FileCost* slowest_file(const RunReport& report);

/// Adds a context that ended, to one of the same id if there is one.
void add(std::vector<ContextCost>& contexts, ContextCost ended);
/// Adds what a server said last.
void add(std::vector<ServerCost>& servers, const ServerCost& later);

/// The contexts and servers alone, as one process tells them to another.
std::string parts_to_json(const RunReport& report);
void add_parts(RunReport& report, std::string_view json);

std::string to_json(const RunReport& report);
/// Throws Error{argument} saying what `text` lacks; the caller names the file.
RunReport read_run_report(std::string_view text);

/// What the figures suggest, the most important first; empty when all is well.
std::vector<std::string> advice(const RunReport& report);
/// Some lines, each beginning with "epios: report: component 'x': ".
std::string report_lines(const RunReport& report);
/// Everything, in lines for a terminal.
std::string report_table(const RunReport& report);
/// Everything, drawn: one page of HTML that needs nothing else.
std::string report_page(const RunReport& report);

}  // namespace epios::config
