#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "commands/commands.hpp"
#include "config/error.hpp"
#include "contexts/context_intake.hpp"
#include "contexts/context_opening.hpp"
#include "contexts/context_plan.hpp"
#include "contexts/context_reporter.hpp"
#include "contexts/context_waits.hpp"
#include "contexts/event_executor.hpp"
#include "contexts/event_forwarder.hpp"
#include "event/job.hpp"
#include "event/wire.hpp"
#include "file/compressors.hpp"
#include "file/file_thread.hpp"
#include "file/writing_endpoints.hpp"
#include "files/context_files.hpp"
#include "files/written_files.hpp"
#include "process/log.hpp"
#include "reading/readings.hpp"
#include "transport/channel.hpp"

namespace epios::server {

/// The life of one context on one server: opening, running, closing or failing. What it has is in
/// its parts: plan and opening, intake, executor or forwarder of events, files, readings, reporter.
/// An error of a channel, a client or an event fails this context alone: its clients are told, with
/// an account of its files, and whatever still arrives is counted as lost. Only the server's thread
/// calls.
class ServerContext {
 public:
  /// Everything that a context needs of its server; all of it outlives the context.
  struct Environment {
    const ep::Comm* servers = nullptr;          ///< this endpoint among the servers
    const ep::Comm* file_threads = nullptr;     ///< same ranks
    const ep::Comm* clients = nullptr;          ///< intercommunicator to the component
    const io::ChannelWindow* window = nullptr;  ///< to the same; null: none is wanted
    io::FileThread* file_thread = nullptr;
    io::Compressors* compressors = nullptr;     ///< used on the file thread
    io::WritingEndpoints* endpoints = nullptr;  ///< used on the file thread
    Outbox* to_clients = nullptr;
    Outbox* to_servers = nullptr;
    WrittenFiles* written = nullptr;  ///< of all contexts
    const Log* log = nullptr;
    std::function<void(Command)> broadcast;  ///< leader only: sends a command to all other servers
    const io::Job* job = nullptr;
    std::function<io::ServerLoad()> load;  ///< what this server has done so far
  };

  /// Decodes the model and waits for what the clients have of this server's pieces. What the
  /// clients must be told of is kept, not thrown.
  ServerContext(const Environment& environment, std::uint32_t number, int component,
                const io::OpenContext& request);
  ServerContext(const ServerContext&) = delete;
  ServerContext(ServerContext&&) = delete;
  ServerContext& operator=(const ServerContext&) = delete;
  ServerContext& operator=(ServerContext&&) = delete;
  ~ServerContext() = default;

  /// Takes a client's message, or a gatherer's if this server writes for those. With the last one
  /// the channels are opened; the files are made when the leader commands it, and clients are
  /// answered by progress() when they exist.
  void add_part(std::span<const std::byte> message);
  /// Takes the channel for what a client receives. Never throws: the context fails.
  void add_answer_channel(const io::AnswerChannel& channel);
  /// Takes the answer of a server that writes what this one gathers.
  void add_reply(int server, io::OpenReply reply);
  /// The context has failed on a server that gathers for this one.
  void on_gatherer_failure(int server, const io::ContextReport& report);
  /// Takes what another server says of a record that both read.
  void add_read_status(const ReadStatus& status, int from) { readings_.add_status(status, from); }
  /// Counts a client without a channel to this server that has sent everything up to an event.
  /// Leader only.
  void note_passed(std::int64_t event) { intake_.note_passed(event); }

  /// Does what can be done now; true if anything was. Never waits, never throws what is wrong with
  /// a client or a file.
  bool progress();
  /// Returns true if a command can be carried out now: a seal must wait for this server's own
  /// events.
  bool can_apply(const Command& command) const;
  void apply(const Command& command);
  /// Fails the context since clients have left, before the end of its component is applied:
  /// commands before that can be applied then.
  void fail_as_clients_left(const std::string& why);
  /// Returns true if its clients could not open the context, or not meet those that it exchanges
  /// fields with, and ask for it again as `request`.
  bool is_repeated_by(int component, const io::OpenContext& request) const;
  /// Its clients try once more: what this attempt has made goes, and it counts for nothing.
  void give_way();
  /// Lets go of the context's files, since its component is gone. It is over when that is done.
  void abandon(const std::string& why);
  /// Tells the clients at once that the context is over, since the server itself has failed.
  void fail_now(const std::string& why);

  /// Returns true when the context is closed on this server, as far as it ever will be: nothing of
  /// it is needed any more.
  bool is_over() const { return state_ == State::closed; }
  bool is_clean() const { return has_given_way_ || reporter_.is_clean(); }
  int component() const { return plan_.component; }
  /// Returns the number of its opening among the component's.
  std::uint64_t opening() const { return plan_.request.opening; }
  const std::string& id() const { return plan_.id; }
  /// Returns seconds until an event that has begun to arrive should be complete; 0 while none has
  /// begun.
  double patience_s() const { return waits_.patience_s(); }

 private:
  /// collecting: parts of clients are to come; waiting: for the leader's command to make the files;
  /// refusing: those that were made are given up before the clients hear of it; failed: the clients
  /// are being told; leaving: the component is gone.
  enum class State {
    collecting,
    waiting,
    opening,
    refusing,
    running,
    closing,
    failed,
    leaving,
    closed
  };

  bool advance();
  bool is_opening() const;

  void build();
  void make_files();
  bool await_writers();
  bool reply_when_open();
  bool reply_when_given_up();
  void reply_to_all();
  void log_opening() const;
  /// Says once that data go as messages though memory was offered.
  void log_unshared(std::string_view whom, const std::string& why) const;

  bool run();
  void stop_when_told();
  bool execute_next();
  void note_wait();

  bool close_when_idle();
  void fail(ErrorCode code, const std::string& text);
  void discard();
  bool report_failure_when_idle();
  void report_failure();
  bool leave_when_idle();

  Environment environment_;
  State state_ = State::collecting;
  bool has_made_files_ = false;
  bool is_confirmed_ = false;   // all clients have opened their channels
  bool has_given_way_ = false;  // to another attempt
  ContextPlan plan_;
  io::ActorTrace trace_;
  ContextReporter reporter_;
  ContextOpening opening_;
  ContextWaits waits_;
  ContextIntake intake_;
  std::unique_ptr<EventForwarder> forwarder_;  // of a gatherer, when all clients' parts are there
  FieldMaps maps_;
  ContextFiles files_;
  Readings readings_;
  EventExecutor executor_;
};

}  // namespace epios::server
