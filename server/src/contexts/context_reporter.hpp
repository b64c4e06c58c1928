#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "config/error.hpp"
#include "event/file_report.hpp"
#include "event/wire.hpp"
#include "process/log.hpp"

namespace epios::server {

/// Reports about one context to its clients and to the log: answers, failed files, the failure of
/// the context, its outcome and cost. Keeps whether all went well. Only the server's thread calls;
/// nothing waits for a client.
class ContextReporter {
 public:
  struct Setup {
    const ep::Comm* clients = nullptr;  ///< intercommunicator to the component
    Outbox* to_clients = nullptr;
    const Log* log = nullptr;
    std::uint32_t context = 0;
    std::string id;
    std::vector<int> ranks;  ///< of the clients, in the intercommunicator
  };
  /// Whatever the setup points to outlives the reporter.
  explicit ContextReporter(Setup setup);

  std::size_t clients() const { return setup_.ranks.size(); }
  /// Sends an encoded message to one client. Never throws ep::Error: the log has it.
  void send(std::size_t client, std::vector<std::byte> message);
  /// Reports files that have failed, to the log and to all clients.
  void report_failed_files(std::vector<io::FileReport> files);

  /// Tells the first client, once, that this server has received a signal at which the context is
  /// to end.
  void report_stop(int signal);

  /// Keeps why the context is over: the first reason counts.
  void keep_failure(ErrorCode code, const std::string& why);
  /// Logs the files of a failed context that are not finished, when more is lost than at the last
  /// call.
  void log_unfinished(const std::vector<io::FileReport>& files);
  /// Reports the failure that has been kept, with the account of all files, to all clients.
  void report_failure(std::vector<io::FileReport> files);
  /// Returns true once the clients know of the failure, or hear of it from elsewhere.
  bool is_failure_reported() const { return is_failure_reported_; }
  void set_failure_reported() { is_failure_reported_ = true; }

  /// The result of a context that is closed.
  struct Outcome {
    std::vector<io::FileReport> files;
    io::ServerLoad load;
    std::vector<io::InfiniteValues> infinite;
    bool is_forwarded = false;  ///< others have written it
  };
  /// Reports the outcome to all clients and to the log.
  void report_closed(Outcome outcome);

  /// Returns true if nothing failed, and all clients could be told of everything.
  bool is_clean() const { return is_clean_ && has_reached_all_; }

 private:
  io::ContextReport new_report() const;
  void report(const io::ContextReport& report);

  Setup setup_;
  bool is_clean_ = true;
  bool has_reached_all_ = true;
  std::optional<Error> failure_;
  bool is_failure_reported_ = false;
  bool is_stop_reported_ = false;
  std::int64_t lost_logged_ = -1;  // records, when the log last said what was lost
};

}  // namespace epios::server
