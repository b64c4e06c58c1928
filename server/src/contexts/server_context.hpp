#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/model.hpp"
#include "event/event_queue.hpp"
#include "event/job.hpp"
#include "event/opening.hpp"
#include "event/patience.hpp"
#include "event/watch.hpp"
#include "event/wire.hpp"
#include "file/compressors.hpp"
#include "file/file_thread.hpp"
#include "file/writing_endpoints.hpp"
#include "files/context_files.hpp"
#include "files/file_parts.hpp"
#include "files/written_files.hpp"
#include "grid/pieces.hpp"
#include "grid/routing.hpp"
#include "orders/announcer.hpp"
#include "orders/orders.hpp"
#include "process/log.hpp"
#include "reading/readings.hpp"
#include "records/record_steps.hpp"
#include "records/stream_share.hpp"
#include "records/to_writers.hpp"
#include "transport/channel.hpp"

namespace epios::server {

/// One context on one server: its channels, its timeline, its files. Only the server's thread
/// calls. An error of one of its channels, clients or events fails this context alone: its clients
/// are told, with an account of its files, and whatever still arrives is counted as lost.
class ServerContext {
 public:
  /// What a context needs of its server; all of it outlives the context.
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
    std::function<void(Order)> issue;  ///< leader only: gives an order to all servers
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
  ~ServerContext();

  /// A client's message, or a gatherer's of a server that writes for those. With the last one the
  /// channels are opened; the files are made when the leader orders it, and clients are answered by
  /// progress() when they exist.
  void add_part(std::span<const std::byte> message);
  /// The channel for what a client receives. Never throws: the context fails.
  void add_answer_channel(const io::AnswerChannel& channel);
  /// A server that writes what this one gathers has answered.
  void add_reply(int server, io::OpenReply reply);
  /// The context has failed on a server that gathers for this one.
  void hear_failure(int server, const io::ContextReport& report);
  /// What another server says of a record that both read.
  void hear(const ReadWord& word, int from) { readings_.hear(word, from); }
  /// A client without a channel to this server has sent everything up to an event. Leader only.
  void note_passed(std::int64_t event) { ++passed_[event]; }

  /// Does what can be done now; true if anything was. Never waits, never throws what is wrong with
  /// a client or a file.
  bool progress();
  /// Whether an order can be carried out now: a seal must wait for this server's own events.
  bool can_obey(const Order& order) const;
  void obey(const Order& order);
  /// Fails the context before its component's end is obeyed, so that orders before that can be.
  void give_up(const std::string& why);
  /// The component is gone: lets go of its files, is over when that is done.
  void abandon(const std::string& why);
  /// Tells the clients at once that the context is over: the server itself has failed.
  void last_word(const std::string& why);

  /// Closed on this server, as far as it ever will be: nothing of it is needed any more.
  bool is_over() const { return state_ == State::closed; }
  bool is_clean() const { return clean_ && announcer_.has_reached_all(); }
  int component() const { return component_; }
  /// Number of its opening among the component's.
  std::uint64_t opening() const { return request_.opening; }
  const std::string& id() const { return id_; }
  /// Seconds until an event that has begun to arrive should be complete; 0 while none has begun.
  double patience_s() const;

 private:
  /// collecting: parts of clients are to come; waiting: for the leader's order to make the files;
  /// failed: the clients are being told; leaving: the component is gone.
  enum class State { collecting, waiting, opening, running, closing, failed, leaving, closed };

  bool advance();

  void read_request();
  void read_levels();
  void build();
  void ask_writers();
  void answer(std::size_t part, const io::OpenReply& reply);
  bool await_writers();
  bool gathers() const { return gatherer_ >= 0; }
  std::vector<io::ChannelSpec> take_channel_bytes(std::size_t budget, int requests);
  void build_channels();
  void note_fallback();
  void note_missing();
  void note_disagreements();
  void make_files();
  bool is_opening() const;
  bool have_all_passed(const io::EventHeader& header) const;
  bool reply_when_open();
  void log_opening();
  void reply_to_all();
  bool execute_next();
  bool pass_on(const io::EventQueue::Event& event);
  bool can_execute(const io::EventQueue::Event& event) const;
  void execute(const io::EventQueue::Event& event);
  void execute_record(const io::EventQueue::Event& event);
  /// A record that is no part's bytes, in the buffer of its file.
  std::span<std::byte> put_together(const StreamShare& share, const io::EventQueue::Event& event);
  /// Values of a stream as its file holds them, in place.
  std::span<std::byte> stored(const io::EventHeader& header, std::span<std::byte> slab);
  void note_infinite(const io::EventHeader& header, std::int64_t values);
  void warn_of_unfit_values();
  void execute_sync(const io::EventHeader& header);
  void execute_read(const io::EventHeader& header);
  void execute_part_end(const io::EventHeader& header);
  bool report_when_closed();
  void report_failed_files();
  void be_patient();
  void say_what_is_awaited(std::string_view missing);
  void say_servers_are_awaited(std::string_view missing, const std::vector<int>& ranks);
  void tell_awaited(std::string_view missing, std::vector<io::Actor> whom);
  std::vector<io::Actor> servers_named(const std::vector<int>& ranks) const;
  std::vector<io::Actor> missing_senders() const;
  std::vector<io::FileReport> unpassed_account() const;
  void lose_unpassed(const io::FileReport& unpassed, int gatherer);
  void log_unpassed();
  void tell_writers(ErrorCode code, const std::string& text);
  void fail(ErrorCode code, const std::string& text);
  void discard();
  void count_discarded(const io::EventHeader& header);
  bool tell_when_idle();
  void tell_failure();
  bool leave_when_idle();
  io::ContextReport account() const;

  Environment environment_;
  std::uint32_t number_;
  int component_;
  std::string id_;
  int rank_;
  State state_ = State::collecting;
  bool clean_ = true;
  std::string open_error_;
  std::optional<Error> failure_;  // why the context is over
  bool told_ = false;             // the clients know of it
  Announcer announcer_;
  io::Patience patience_;
  io::Waiting waiting_;
  std::string awaited_text_;                                         // that it tells
  std::vector<int> awaited_servers_;                                 // for whom, if for servers
  std::optional<std::pair<std::uint64_t, std::size_t>> said_lacks_;  // when that was made
  io::OpenContext request_;
  int gatherer_ = -1;          // its number; -1: it gathers nothing
  bool is_behind_ = false;     // its clients are gatherers
  std::vector<int> speakers_;  // of clients: says when records are due that it gathers nothing of
  config::Model model_;
  std::vector<io::FilePlacement> placements_;  // per file
  io::Pieces pieces_;                          // of this server
  io::Pieces read_pieces_;                     // until they are shared
  std::vector<std::vector<int>> readers_;      // servers, per Model::read_fields; the same
  std::vector<io::OpeningPart> parts_;         // of clients, ascending once all have come
  int parts_due_ = 0;
  io::AssembledCoordinates coordinates_;  // until the files have been made
  std::vector<PieceShare> piece_shares_;  // per piece
  std::vector<StreamShare> shares_;       // per stream
  RecordSteps steps_;
  std::vector<std::int64_t> next_record_;     // per stream: after the last one seen
  std::vector<std::int64_t> unfit_;           // per stream: values that its file could not hold
  std::vector<io::InfiniteValues> infinite_;  // per stream
  std::vector<int> connected_;                // clients with a channel, ascending
  std::map<std::int64_t, int> passed_;      // per event: clients without a channel that are past it
  io::ChannelMemory::Share channel_bytes_;  // before what it stands for: outlives it
  std::unique_ptr<io::ChannelGroup> channels_;
  std::size_t answer_bytes_ = 0;  // of the channels that clients have made
  std::unique_ptr<io::EventQueue> queue_;
  std::unique_ptr<ToWriters> to_writers_;  // of one that gathers
  bool writers_have_answered_ = false;
  bool has_told_writers_ = false;        // that the context has failed
  std::vector<io::RecordSet> unpassed_;  // the same, per stream: records that went nowhere
  ContextFiles files_;
  Readings readings_;
  std::vector<io::Remark> remarks_;  // until the clients have been answered
  std::int64_t awaited_ = -1;      // the front event, a sync or part_end that the leader must order
  FileParts* in_place_ = nullptr;  // writes from the front event's channel
};

}  // namespace epios::server
