/// @file
/// The runs of this node as the pages of their processes show them, and how they are printed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/run_page.hpp"

namespace epios::config {

/// A field whose records have waited for room on the way to servers.
struct WatchedField {
  std::string name;
  double blocked_s = 0;  ///< sum over the clients that waited longest for it
};

/// A context of one component: what its clients on this node have in common, or together.
struct WatchedContext {
  std::string component, context;
  int clients = 0;           ///< on this node
  bool is_over = false;      ///< all of them have left it
  std::string date;          ///< of the client that is behind
  std::int64_t step = 0;     ///< of the same
  std::int64_t sends = 0;    ///< calls, sum
  std::int64_t records = 0;  ///< the most that a client has sent parts of
  std::int64_t bytes = 0;    ///< sum
  double open_s = 0;         ///< of the client that has it for the longest time
  double client_s = 0;       ///< the same, sum over clients
  double in_library_s = 0;   ///< sum
  double blocked_s = 0;      ///< sum
  double most_blocked_s = 0;
  double fullest_channel = 0;                  ///< 0 ... 1, the most so far
  double quiet_s = 0;                          ///< since a client has come to a step, the longest
  std::vector<WatchedField> blocked_fields{};  ///< the longest first
};

struct WatchedServer {
  int rank = 0;
  std::int64_t pid = 0;
  bool is_over = false;
  std::int64_t contexts = 0;
  double open_s = 0, busy_s = 0, writing_s = 0;
};

/// A file that servers of this node write. Records are those that each of them has its part of.
struct WatchedFile {
  std::string component, context, path;
  SlotState state = SlotState::active;
  int writers = 0;
  std::int64_t written = 0, durable = 0;  ///< the least of any writer
  std::int64_t lost = 0;                  ///< the most of any writer
  std::int64_t bytes = 0;                 ///< sum
  double writing_s = 0;                   ///< of the slowest writer
  double age_s = 0;                       ///< since it was made
  std::vector<int> servers{};             ///< the writers here, ascending
};

struct WatchedWait {
  std::string who, what, whom;
  double seconds = 0;
};

/// A line of a server's log.
struct WatchedLine {
  std::string severity;  ///< "info", "warning" or "error"
  std::string text;
  double age_s = 0;
};

/// A field of which servers keep a coarse sample of the newest record. Its values: RunWatch::map().
struct WatchedMap {
  std::string component, context, field, unit;
  std::string level;  ///< which one of other elements than the domain: "lev 1 of 75"
  std::string date;   ///< of the newest record; "" before the first one
  std::int64_t record = -1;
};

/// A job, as far as its processes are on this node and can be read.
struct WatchedJob {
  std::string name, batch_job;
  int processes = 0;                ///< of the job
  std::vector<std::int64_t> pids;   ///< of those on this node that live
  std::vector<std::int64_t> gone;   ///< of those that have ended early: killed, or after an error
  std::vector<std::int64_t> ended;  ///< of those that have ended in order, and were seen before
  double age_s = 0;
  std::vector<WatchedContext> contexts;
  std::vector<WatchedServer> servers;
  std::vector<WatchedFile> files;
  std::vector<WatchedWait> waits;
  std::vector<WatchedMap> maps;
  std::vector<WatchedLine> lines;  ///< of the servers' logs, the newest last
  std::int64_t unseen = 0;         ///< contexts, files and waits for which pages have no room

  bool is_over() const { return pids.empty(); }  ///< as far as this node is concerned
};

struct WatchedRuns {
  std::int64_t taken_ns = 0;
  std::vector<WatchedJob> jobs;       ///< by name, those that are over behind the others
  std::vector<std::string> problems;  ///< pages that cannot be read, and why
  int of_others = 0;                  ///< pages of other users
};

/// The cells of the coarse sample of a field that have coordinates. Parallel lists.
struct MapSample {
  WatchedMap map;
  std::int64_t oldest_record = -1;      ///< that any cell is of: writers differ for a moment
  std::int64_t columns = 0, rows = 0;   ///< of the whole sample; one row: cells form no rows
  std::int64_t elsewhere = 0;           ///< cells of it of which other nodes write values or places
  std::vector<float> lon, lat, values;  ///< NaN: the value is missing
};
/// Returns it as JSON, missing values as null.
std::string to_json(const MapSample& sample);

/// Looks at the runs on this node of which this user may read the pages, again and again if he
/// likes. Processes that it has seen and that have ended stay in what it returns, with their last
/// figures; so do the last `most_past_jobs` jobs of which nothing is left.
class RunWatch {
 public:
  static constexpr std::size_t most_past_jobs = 8;

  /// `only`: of one job, by name; "": of all jobs.
  explicit RunWatch(std::string only = {});
  RunWatch(const RunWatch&) = delete;
  RunWatch(RunWatch&&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;
  RunWatch& operator=(RunWatch&&) = delete;
  ~RunWatch();

  /// Throws Error{io} if there is no such memory on this system. Never waits for a job.
  WatchedRuns look();
  /// Reads the sample of one field of a job of the last look; what is wanted are the names of one
  /// of WatchedJob::maps. Returns none without a record, or without such a field.
  std::optional<MapSample> map(const std::string& job, const WatchedMap& wanted) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

enum class WatchOrder : std::uint8_t { name, blocked, records, bytes };
struct WatchTable {
  WatchOrder order = WatchOrder::name;
  bool has_waits = true;        ///< with what is waited for
  std::size_t most_files = 20;  ///< the slowest of the open ones, then the newest
};
/// Returns a table. With `before`, an earlier look, rates and shares are those since then,
/// otherwise those since the contexts were opened.
std::string watch_table(const WatchedRuns& runs, const WatchedRuns* before,
                        const WatchTable& table);
/// Returns the same as OpenMetrics text (https://openmetrics.io), complete with "# EOF".
std::string open_metrics(const WatchedRuns& runs);
/// Returns the same as JSON, with sums since the contexts were opened and no rates.
std::string to_json(const WatchedRuns& runs);
/// Returns what to_json() was given. Throws Error{argument}, which says what is wrong with `text`
/// ("it has version ..."); the caller says where it is from.
WatchedRuns read_watched_runs(std::string_view text);

}  // namespace epios::config
