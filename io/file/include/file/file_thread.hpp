/// @file
/// The one thread of a process that makes NetCDF and HDF5 calls.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "file/open_files.hpp"

namespace epios::io {

/// Runs jobs in the order in which they were submitted. Starts its thread at construction; the
/// destructor runs what is queued and joins. Once constructed, HDF5 has registered its exit
/// handler: whoever must end a process before HDF5 shuts down under a running job registers after
/// it.
class FileThread {
 public:
  /// `after_job` runs on the file thread after each job (rings the server's doorbell).
  explicit FileThread(std::function<void()> after_job);
  FileThread(const FileThread&) = delete;
  FileThread(FileThread&&) = delete;
  FileThread& operator=(const FileThread&) = delete;
  FileThread& operator=(FileThread&&) = delete;
  ~FileThread();

  /// Any thread; returns at once. A job must not throw (std::terminate): it keeps its own errors.
  void submit(std::function<void()> job);
  /// Jobs submitted and not yet finished.
  int pending() const;
  /// Seconds spent in jobs so far. Any thread.
  double busy_s() const;
  /// Files that one job leaves open for another. Of jobs alone.
  OpenFiles& open_files();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// As long as the result lives, no file thread of this process makes a NetCDF or HDF5 call: for
/// the few calls that another thread makes (DataFile in a run). The holder waits for nobody.
std::unique_lock<std::mutex> turn_of_files();

}  // namespace epios::io
