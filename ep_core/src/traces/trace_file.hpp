#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace ep {

/// Returns `text` as it stands between quotes in JSON.
std::string json_text(std::string_view text);

/// Writes the events of one process in Chrome's trace format: an array of objects, one a line. The
/// file is whole JSON except while the process is writing, also if it is killed: then events of the
/// last second are missing. Any thread.
class TraceFile {
 public:
  using Clock = std::chrono::steady_clock;

  /// Creates the file, or throws EP_ERR_FILE. `world_rank` is the number of the process.
  TraceFile(std::string path, int world_rank);
  TraceFile(const TraceFile&) = delete;
  TraceFile(TraceFile&&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  TraceFile& operator=(TraceFile&&) = delete;
  ~TraceFile();

  /// Adds an event of endpoint `thread`. `fields` are its fields besides process, thread and time,
  /// as JSON without brackets.
  void add(int thread, Clock::time_point time, std::string_view fields);
  /// Adds an event with a duration.
  void add(int thread, Clock::time_point begin, Clock::time_point end, std::string_view fields);
  /// Sets the name of an endpoint.
  void name(int thread, std::string_view text);
  /// Writes all events to the file.
  void flush();

  const std::string& path() const noexcept { return path_; }

 private:
  void append(int thread, std::string_view times, std::string_view fields);
  std::string microseconds(Clock::time_point time) const;
  void write();

  std::string path_;
  int world_rank_;
  int descriptor_ = -1;
  std::chrono::nanoseconds since_origin_{};  // since the origin of the clock
  std::mutex mutex_;                         // guards the following members
  std::string lines_;
  std::int64_t offset_ = 0;  // where they go: in front of the array's end
  Clock::time_point last_write_;
};

/// Returns the file of process `world_rank` for EP_TRACE=`pattern`: run.json becomes run.3.json.
std::string trace_path(const std::string& pattern, int world_rank);

}  // namespace ep
