#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "config/watched_runs.hpp"
#include "process/log.hpp"

namespace epios::server {

/// Writes what the pages of a job on this node say to a file, as OpenMetrics, every few seconds,
/// and keeps the last figures of processes that have ended. It has a thread of its own: neither the
/// model nor the server waits for the disk.
class MetricsFile {
 public:
  /// `job`: its name in pages. Without a thread to be had nothing is written, which the log says.
  MetricsFile(std::string path, std::string job, Log log);
  MetricsFile(const MetricsFile&) = delete;
  MetricsFile(MetricsFile&&) = delete;
  MetricsFile& operator=(const MetricsFile&) = delete;
  MetricsFile& operator=(MetricsFile&&) = delete;
  ~MetricsFile();

  /// Writes it soon: for figures that will not be there for long.
  void write_soon();

 private:
  void run();
  void write();

  std::string path_;
  Log log_;
  config::RunWatch watch_;  // of the thread, as the next one
  std::string problem_;     // that was said last
  std::mutex mutex_;
  std::condition_variable wakes_;
  bool is_due_ = true;  // guarded by mutex_, as the next one
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace epios::server
