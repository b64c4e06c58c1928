#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <ep/fwd.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "config/model_fwd.hpp"
#include "event/event_queue.hpp"
#include "event/gathered.hpp"
#include "event/opening.hpp"
#include "event/protocol_trace.hpp"
#include "event/wire.hpp"
#include "grid/coordinates.hpp"
#include "grid/pattern.hpp"
#include "grid/pieces.hpp"
#include "grid/routing.hpp"
#include "records/stream_assignment.hpp"
#include "transport/channel.hpp"

namespace epios::server {

/// The sending side of a gatherer in one context: to those that write it is a client. Each event of
/// its clients goes on whole, with its number, when all channels that it concerns have room for it.
/// Only the server's thread calls; nothing waits, and nothing is allocated once all are connected.
class WriterLinks {
 public:
  /// All of it outlives this.
  struct Environment {
    const ep::Comm* servers = nullptr;
    Outbox* to_servers = nullptr;
    std::uint32_t context = 0;
    const config::Model* model = nullptr;
    const io::ServerChoice* choice = nullptr;
  };
  /// Asks nobody yet, and needs no more of the choice than who writes: what is wrong with the rest
  /// of a request can be told to those.
  explicit WriterLinks(const Environment& environment);

  /// Tells those that write what this server's clients have of what they write. `placements`: who
  /// writes which file; `own`: its pieces; `parts` as by check_opening_part; `coordinates`: per
  /// Pieces::coordinate_windows of `own`.
  void ask(std::span<const io::FilePlacement> placements, const io::Pieces& own,
           std::span<const io::OpeningPart> parts, std::span<const io::CoordinateSlab> coordinates);
  /// Tells them that the context cannot be opened here, so that they do not wait.
  void refuse(const std::string& why);
  /// The answer of one of them.
  void add_reply(int server, io::OpenReply reply);
  /// Servers that have not answered yet.
  std::vector<int> unanswered() const;
  /// Why one of them cannot open the context, when all have answered; "" if all can.
  std::string refusal() const;
  /// Returns what the user should know of their files.
  std::vector<io::Remark> take_remarks();
  /// Opens the channels that they offer. `shares`: of this server, per stream; outlives this.
  /// Throws Error{protocol} for an answer that does not fit, ep::Error.
  void connect(const std::vector<StreamAssignment>& shares);

  /// Returns why the first channel that was offered shared memory does not use it, or "".
  const std::string& fallback() const { return fallback_; }

  /// Passes an event on; false: some channel has no room for it yet, and the same event is to come
  /// again. Throws ep::Error.
  bool pass(const io::EventQueue::Event& event, const io::ActorTrace& trace = {});
  /// Servers whose channels had no room at the last call.
  const std::vector<int>& full() const { return full_; }
  /// Gives back what room an event has got that will not be passed on.
  void cancel();
  /// Drives what channels have under way.
  void progress();
  /// Servers that have not taken everything that was passed on.
  std::vector<int> undrained();
  /// The servers that write, ascending.
  std::vector<int> servers() const;

 private:
  struct Writer {
    int server = 0;
    io::Pieces pieces;
    std::vector<io::GatheredPiece> points;  // per Pieces::grids, until connected
    std::optional<io::OpenReply> reply;
    std::unique_ptr<io::ChannelSender> channel;
    std::int64_t next_sequence = 0;  // of events that concern it
    std::span<std::byte> reserved;   // for the event that is to be passed on
  };
  /// The part of a record that goes to one writer.
  struct Part {
    std::size_t writer = 0;
    const io::Pattern* pattern = nullptr;  // of patterns_: places in this server's slab
    std::size_t bytes = 0;
  };
  struct Route {
    std::vector<std::size_t> concerned;  // writers
    std::vector<Part> parts;             // those of them that expect one
    bool is_direct = false;              // one part, which is the slab
  };

  void share_out(std::span<const io::FilePlacement> placements);
  void add_route(std::size_t stream);
  const io::Pattern* pattern_of(std::size_t writer, std::size_t piece,
                                const io::RequestedPoints& asked);
  std::vector<std::byte> message_of(io::OpeningPart part) const;
  void send(const Writer& writer, std::vector<std::byte> message) const;
  bool reserve(const Route& route);
  void fill(const Route& route, const io::EventQueue::Event& event);
  void commit(const Route& route, const io::EventHeader& header, const io::ActorTrace& trace);

  Environment environment_;
  int gatherer_;
  std::vector<Writer> writers_;
  std::map<std::pair<std::size_t, std::size_t>, const io::Pattern*> known_;  // until connected
  std::deque<io::Pattern> patterns_;
  const std::vector<StreamAssignment>* shares_ = nullptr;
  std::vector<Route> records_;  // per stream
  std::vector<Route> files_;    // per file: of its sync points and ends of parts
  Route end_;
  std::vector<std::byte> slab_;  // where records are put together that are not one part
  std::vector<int> full_;
  std::string fallback_;
};

}  // namespace epios::server
