#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "commands/commands.hpp"
#include "config/error.hpp"
#include "contexts/context_intake.hpp"
#include "contexts/context_opening.hpp"
#include "contexts/context_plan.hpp"
#include "event/event_queue.hpp"
#include "event/file_report.hpp"
#include "process/log.hpp"
#include "records/writer_links.hpp"

namespace epios::server {

/// A context on a gatherer: what takes the place of files there. Opens the context on the servers
/// that write, forwards the events of the clients to them, and keeps account of what could not be
/// forwarded. Only the server's thread calls; nothing waits.
class EventForwarder {
 public:
  /// All of it outlives the forwarder.
  struct Environment {
    const ep::Comm* servers = nullptr;  ///< this endpoint among the servers
    Outbox* to_servers = nullptr;
  };
  EventForwarder(const Environment& environment, const ContextPlan& plan, ContextIntake& intake);

  /// Asks those that write to open the context, also when it is refused here: they wait for an
  /// answer.
  void ask(ContextOpening& opening);
  /// Takes the answer of one of them.
  void add_reply(int server, io::OpenReply reply);
  /// Returns the servers that have not answered.
  std::vector<int> unanswered() const { return writers_.unanswered(); }
  bool is_connected() const { return is_connected_; }
  /// Opens the channels that all of them offer, unless one refuses. Throws Error{protocol},
  /// ep::Error.
  void connect(ContextOpening& opening);
  /// Returns why the data go as messages to servers that offer shared memory, or "".
  const std::string& fallback() const { return writers_.fallback(); }

  /// Forwards an event of check_event(). Returns false if some channel has no room: nothing comes
  /// out of order, so that the event is to come again. `trace` gets the step. Throws Error,
  /// ep::Error.
  bool forward(const io::EventQueue::Event& event, const io::ActorTrace& trace);
  /// Returns the servers whose channels had no room.
  const std::vector<int>& full() const { return writers_.full(); }
  /// Returns the servers that have not taken everything.
  std::vector<int> undrained() { return writers_.undrained(); }
  std::vector<int> servers() const { return writers_.servers(); }
  void progress() { writers_.progress(); }
  /// Gives back what room an event has got that will not be forwarded.
  void cancel() { writers_.cancel(); }

  /// Counts a record that is not forwarded.
  void lose(const io::EventHeader& header);
  /// Reports the failure of the context, and what has been lost until now, to those that write.
  void notify_failure(ErrorCode code, const std::string& text);
  /// Returns true after notify_failure(): those that write report to the clients.
  bool has_notified() const { return has_notified_; }
  /// Logs, once, what has been lost.
  void log_lost(const Log& log);

 private:
  std::vector<io::FileReport> lost_account() const;

  Environment environment_;
  const ContextPlan& plan_;
  ContextIntake& intake_;
  WriterLinks writers_;
  bool is_connected_ = false;
  bool has_notified_ = false;
  std::vector<io::RecordSet> lost_;  // per stream: records that were not forwarded
};

}  // namespace epios::server
