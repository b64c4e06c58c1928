/// @file
/// The I/O server: receives events, schedules, writes. The same class in epios_server processes, on
/// a thread of a model's process, and in attached mode.
#pragma once

#include <memory>
#include <string>

#include "event/job.hpp"

namespace epios::server {

/// One server endpoint. All calls from one thread; a second thread, the file thread, makes the
/// NetCDF and HDF5 calls.
class Server {
 public:
  /// Connects to the clients of all components. Collective over the servers and, by the clients'
  /// own calls, over all clients. `job` must outlive the server.
  explicit Server(const io::Job& job);
  Server(const Server&) = delete;
  Server(Server&&) = delete;
  Server& operator=(const Server&) = delete;
  Server& operator=(Server&&) = delete;
  /// Files that are still open stay under their .part names.
  ~Server();

  /// Serves until every component has said goodbye. Sleeps while there is nothing to do. Errors of
  /// single files or contexts go to their clients and to the log; an error of the server itself (of
  /// communication, of memory) is thrown, after the clients have been told.
  void run();

  /// Whether everything that was received has been written and published. Valid after run().
  bool is_clean() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::server
