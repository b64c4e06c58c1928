/// @file
/// The thread of a process that makes all NetCDF and HDF5 calls.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "file/open_files.hpp"

namespace epios::io {

/// Runs jobs in the order of submission. The constructor starts the thread; the destructor runs
/// what is queued and joins it. After construction, HDF5 has registered its exit handler. Code that
/// must end a process before HDF5 shuts down under a running job registers its handler after that.
class FileThread {
 public:
  /// `after_job` runs on the file thread after each job (rings the server's doorbell).
  explicit FileThread(std::function<void()> after_job);
  FileThread(const FileThread&) = delete;
  FileThread(FileThread&&) = delete;
  FileThread& operator=(const FileThread&) = delete;
  FileThread& operator=(FileThread&&) = delete;
  ~FileThread();

  /// Adds a job. Any thread; returns at once. A job must not throw (std::terminate): it keeps its
  /// own errors.
  void submit(std::function<void()> job);
  /// Returns the number of jobs submitted and not finished.
  int pending() const;
  /// Returns the seconds spent in jobs so far. Any thread.
  double busy_s() const;
  /// Returns the files that one job leaves open for another. Called from jobs only.
  OpenFiles& open_files();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Keeps every file thread of this process from making NetCDF or HDF5 calls while the result lives.
/// It is for the few calls of other threads (DataFile in a run). The holder must not wait for
/// anybody.
std::unique_lock<std::mutex> turn_of_files();

}  // namespace epios::io
