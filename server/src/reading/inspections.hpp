#pragma once

#include <atomic>
#include <ep/fwd.hpp>
#include <list>
#include <utility>

#include "commands/commands.hpp"
#include "event/wire.hpp"
#include "file/file_thread.hpp"

namespace epios::server {

/// Looks at files for clients that are about to open a context: the file thread reads what they say
/// of themselves, the answer leaves when it is there. Only the server's thread calls.
class Inspections {
 public:
  /// The outbox outlives it. The file thread must have ended before it is destroyed.
  explicit Inspections(Outbox& to_clients) : to_clients_(to_clients) {}

  /// `clients`: intercommunicator, which outlives the answer; `rank` in it has asked.
  void start(io::FileThread& file_thread, const ep::Comm& clients, int rank, io::Inspect request);
  /// Sends what is ready; true if anything was. Throws ep::Error for bytes that one message cannot
  /// carry.
  bool progress();

 private:
  struct Look {
    Look(const ep::Comm& the_clients, int the_rank, io::Inspect the_request)
        : clients(&the_clients), rank(the_rank), request(std::move(the_request)) {}
    const ep::Comm* clients;
    int rank;
    io::Inspect request;
    io::Inspected answer;  // file thread's until is_done
    std::atomic<bool> is_done{false};
  };
  Outbox& to_clients_;
  std::list<Look> looks_;  // they keep their places
};

}  // namespace epios::server
