#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <string>
#include <vector>

#include "event/wire.hpp"
#include "orders/orders.hpp"
#include "process/log.hpp"

namespace epios::server {

/// Tells the clients of one context, and the log, what becomes of it. Only the server's thread
/// calls; nothing waits for a client.
class Announcer {
 public:
  struct Setup {
    const ep::Comm* clients = nullptr;  ///< intercommunicator to the component
    Outbox* to_clients = nullptr;
    const Log* log = nullptr;
    std::uint32_t context = 0;
    std::string id;
    std::vector<int> ranks;  ///< of the clients, in the intercommunicator
  };
  /// What the setup points to outlives the announcer.
  explicit Announcer(Setup setup);

  std::size_t clients() const { return setup_.ranks.size(); }
  /// An encoded message to one client.
  void send(std::size_t client, std::vector<std::byte> message);
  /// To all clients.
  void report(const io::ContextReport& report);
  /// Logs the files of a failed context that are not finished, when more is lost than at the last
  /// call.
  void log_unfinished(const io::ContextReport& account);
  /// False once a client could not be told something.
  bool has_reached_all() const { return reached_all_; }

 private:
  Setup setup_;
  bool reached_all_ = true;
  std::int64_t lost_logged_ = -1;  // records, when the log last said what was lost
};

}  // namespace epios::server
