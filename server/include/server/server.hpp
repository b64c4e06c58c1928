/// @file
/// The I/O server: receives events, schedules them and writes files. The same class serves in
/// epios_server processes, on a thread of a model's process, and in attached mode.
#pragma once

#include <memory>
#include <string>

#include "event/job.hpp"

namespace epios::server {

/// One server endpoint. One thread makes all calls. A second thread, the file thread, makes the
/// NetCDF and HDF5 calls.
class Server {
 public:
  /// Connects to the clients of all components. Collective over the servers and, through the calls
  /// of the clients, over all clients. `job` must outlive the server.
  explicit Server(const io::Job& job);
  Server(const Server&) = delete;
  Server(Server&&) = delete;
  Server& operator=(const Server&) = delete;
  Server& operator=(Server&&) = delete;
  /// Ends the server. Files that are still open keep their .part names.
  ~Server();

  /// Serves until every component has left the job. Sleeps while there is nothing to do. An error
  /// of a single file or context is reported to its clients and to the log. An error of the server
  /// itself (communication, memory) is thrown after the clients have been told; then the process
  /// must end, and the job must not be destroyed: the file thread may still be at work.
  void run();

  /// Returns true if everything that was received has been written and published. Valid after
  /// run().
  bool is_clean() const;

 private:
  void give_up(const std::string& why);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::server
