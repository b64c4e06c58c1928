#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/index.hpp"
#include "config/model_fwd.hpp"
#include "event/event.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "grid/pieces.hpp"
#include "grid/routing.hpp"
#include "links/blocked_history.hpp"
#include "links/server_waits.hpp"
#include "links/slowest_step.hpp"
#include "transport/channel.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// The sending side of one context on one client: packs records straight into the channels of the
/// servers that write them.
class ServerLink {
 public:
  /// What the servers answered, by server rank; of those that were asked.
  using Replies = std::vector<std::optional<io::OpenReply>>;
  struct Setup {
    const config::Model& model;
    const io::LocalParts& parts;
    const std::vector<io::FilePlacement>& placements;  ///< per file
    const std::vector<io::Pieces>& pieces;             ///< per server
    std::uint32_t context = 0;
    const ServerWaits& waits;
    const io::ChannelWindow* window = nullptr;  ///< to the servers
    /// Servers that hear of all events, also of records that they get no point of: of these from
    /// the first client.
    const std::vector<int>& gatherers;
    int client = 0;
    std::int64_t opening_bytes = 0;  ///< that it has sent to open the context: for the trace
  };

  /// Opens the channels. `servers` is the intercommunicator. `check` is called while
  /// waiting: it throws when the context has failed. The setup is not kept.
  ServerLink(const ep::Comm& servers, const Setup& setup, const Replies& replies,
             std::function<void()> check);

  /// One record of one stream, made from so many samples. Blocks only while a channel of this
  /// client is full. Every client calls for every record, also if it has no part.
  void send_record(int stream, std::int64_t record, std::int64_t samples, std::int64_t step,
                   const io::ArrayValues& values);
  /// The same of values that are worked out straight into the channels, where works_out().
  void send_record(int stream, std::int64_t record, std::int64_t samples, std::int64_t step,
                   io::Calculation& values);
  /// Whether the records of a stream leave in runs of places that are long enough for that.
  bool works_out(int stream) const { return nth(routes_, stream).works_out; }
  /// Returns the bytes per value of a stream on the wire.
  int value_bytes(int stream) const { return nth(routes_, stream).value_bytes; }
  /// Whether channels move their bytes in calls of this client.
  bool needs_progress() const { return needs_progress_; }
  /// Of what has been sent.
  void progress();
  /// The memory from which the next record of a stream leaves: the payload of this client's part,
  /// when that is its whole array, unchanged, for one server; else empty. Blocks like
  /// send_record(). Until the record is sent from there, or the memory released, nothing else may
  /// be sent.
  std::span<std::byte> acquire_part(int stream);
  void release_part();

  /// The sync point of a file behind its first `records` records. Blocks like send_record().
  void send_sync(int file, std::int64_t records, std::int64_t step);
  /// The parts of a file before `part` are complete. Blocks like send_record().
  void send_part_end(int file, std::int64_t part, std::int64_t step);
  /// No field of a file has records [begin, end). Blocks like send_record().
  void send_left_out(int file, std::int64_t begin, std::int64_t end, std::int64_t step);
  /// A record of a field is asked for. `concerned`: per server, those that read the field; `asked`:
  /// of them, those that expect a part of this client.
  void send_read(int field, std::int64_t record, std::int64_t step,
                 const std::vector<std::uint8_t>& concerned, const std::vector<int>& asked);
  /// The last event.
  void send_finalize(std::int64_t step);
  /// Traces that all servers have closed the context.
  void note_end() const;

  /// Of all that has been sent.
  struct Account {
    double blocked_s = 0;
    double packing_s = 0;  ///< of large records: to time the others would cost more than it tells
    std::int64_t records = 0;  ///< of which this client has sent a part
    std::int64_t bytes = 0;
  };
  const Account& account() const { return account_; }
  /// Returns the seconds of waiting and packing so far: where clocks are read already.
  double busy_s() const { return account_.blocked_s + account_.packing_s; }
  /// Of the records of one stream.
  struct StreamCost {
    std::int64_t records = 0;  ///< whether this client has a part of them or not
    std::int64_t bytes = 0;
    std::int64_t waits = 0;  ///< for room
    double blocked_s = 0;
    double packing_s = 0;
  };
  const std::vector<StreamCost>& costs() const { return costs_; }
  /// Ends a time step.
  void end_step(std::int64_t step);
  /// Returns what took longest of all steps.
  const SlowestStep::Step& slowest_step() const { return steps_.slowest.slowest(); }
  /// Returns the waits for room, over the steps.
  const BlockedHistory& blocked() const { return steps_.blocked; }
  /// Returns why the first channel that was offered shared memory does not use it, or "" if all do.
  const std::string& fallback() const { return fallback_; }
  /// How full any channel has been: 0 ... 1.
  double fullest_channel() const;

 private:
  /// What one server asks for of one of its grid pieces.
  struct Share {
    int server = 0;
    io::Pattern pattern;              // places in the model's array
    std::vector<std::uint64_t> mask;  // of the grid: a bit per place packed; empty: none is masked
    bool has_long_runs = false;
  };
  struct Route {
    int value_bytes = 8;
    bool works_out = true;
    bool is_timed = false;
    std::size_t concerned = 0;        // into server_sets_
    std::vector<std::size_t> shares;  // into shares_
  };

  void add_shares(const Setup& setup, int server, const std::vector<io::RequestedPoints>& asked);
  void add_route(const Setup& setup, int stream, int value_bytes);
  std::size_t empty_share(int server);
  std::size_t number_of(const std::vector<std::uint8_t>& servers);
  std::int64_t send_to_writers(io::EventKind kind, int file, std::int64_t number, std::int64_t step,
                               std::int64_t samples = 0);
  void meet(io::EventKind kind, int file, std::int64_t number, std::int64_t step);
  void pass(std::int64_t event);
  void note_open(const Setup& setup) const;
  const io::Timeline::Stamp& next_stamp(io::EventKind kind, int stream, std::int64_t record,
                                        std::int64_t step,
                                        const std::vector<std::uint8_t>& concerned,
                                        std::int64_t samples = 0);
  /// `stream`: of the record that waits; -1: another event does.
  std::span<std::byte> reserve(int server, std::size_t bytes, int stream);
  void commit_part(int server, std::span<std::byte> part, const io::Timeline::Stamp& stamp);
  bool is_acquired(int stream, const io::ArrayValues& values) const;
  /// A part of a record: `fill(values)` makes them, masked ones, too.
  template <class Fill>
  void fill_part(const Share& share, const Route& route, const io::Timeline::Stamp& stamp,
                 const Fill& fill);
  template <class SendParts>
  void send_record(const Route& route, int stream, bool packs, const SendParts& send_parts);
  template <class Pack>
  void send_part(int server, const io::Timeline::Stamp& stamp, std::size_t payload_bytes,
                 const Pack& pack);

  const ep::Comm& servers_;
  std::vector<Share> shares_;
  std::vector<std::vector<int>> share_of_piece_;  // per server and grid piece; -1: nothing to send
  std::vector<Route> routes_;                     // per stream
  std::vector<std::vector<std::uint8_t>> server_sets_;  // different ones, per server
  std::vector<std::size_t> writers_;                    // per file, into server_sets_
  std::vector<bool> is_shared_;                         // per file
  std::vector<std::uint8_t> everyone_;
  std::vector<std::unique_ptr<io::ChannelSender>> channels_;  // per server, null: none
  bool needs_progress_ = false;
  std::string fallback_;
  struct Acquired {
    int server = -1;
    int stream = -1;
    std::span<std::byte> part;
  };
  Acquired acquired_;
  io::Timeline timeline_;
  std::function<void()> check_;
  ServerWaits waits_;
  io::ActorTrace trace_;
  std::vector<std::string> records_;  // per stream: "field 'tos' of context 'ocean'"
  Account account_;
  std::vector<StreamCost> costs_;  // per stream
  struct {
    SlowestStep slowest;
    BlockedHistory blocked;
  } steps_;
};

}  // namespace epios::client
