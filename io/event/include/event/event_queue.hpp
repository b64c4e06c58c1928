/// @file
/// A timeline on a server: collects the parts of each event and returns events in order.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "event/event.hpp"
#include "grid/pattern.hpp"
#include "transport/channel.hpp"

namespace epios::io {

/// All channels of one context on one server. Executes nothing itself: returns complete events in
/// the order of their sequence numbers. Never waits. Belongs to the thread of the server.
class EventQueue {
 public:
  /// The channel of one client. `client` is its rank among the clients of the context, or the
  /// number of a gatherer that passes on the calls of `clients`.
  struct Input {
    int client = 0;
    ChannelReceiver* receiver = nullptr;
    std::vector<PlaceRun> clients{};
  };
  /// The kind of senders.
  enum class Senders : std::uint8_t { clients, gatherers };
  /// Returns the clients, in ascending order, that must send a part of an event of this kind and
  /// stream to this server.
  using Expected = std::function<const std::vector<int>&(EventKind kind, int stream)>;
  /// Returns the subject of an event for messages: "field 'tos' of file 'daily'", or "file 'daily'"
  /// for a sync.
  using Describe = std::function<std::string(const EventHeader&)>;

  EventQueue(std::string context_id, std::vector<Input> inputs, Expected expected,
             Describe describe, Senders senders = Senders::clients);

  struct Part {
    int client = 0;
    std::span<std::byte> payload;
  };
  struct Event {
    EventHeader header;     ///< header of the first part; sequence and event agree in all parts
    std::span<Part> parts;  ///< in ascending order of clients
  };

  /// Returns the next event once all its parts have arrived, and the same event again until
  /// release(). The parts stay in their channels. Throws Error{mismatch} if clients made different
  /// calls, with the context, both versions of the event and the ranks that made them. Throws
  /// Error{protocol} for damaged parts. After a throw only discard() may be called. Local, no
  /// allocation, O(channels without a known next part).
  std::optional<Event> next();
  /// Returns the parts of the event from next() to their senders.
  void release();
  /// Returns true once all senders know what was released, like ChannelReceiver::acks_sent. Call it
  /// until then before the channels end.
  bool acks_sent();

  /// Returns what the queue waits for, for the watchdog: "event 12: field 'tos' ...: has parts of 3
  /// clients, waits for client 2". Empty if nothing is pending.
  std::string waiting_for() const;
  /// Returns the number of the incomplete event and how many clients it lacks. While these stay the
  /// same, so does the text of waiting_for().
  std::optional<std::pair<std::uint64_t, std::size_t>> lacks() const;
  /// Returns true if next() has a complete event that was not released.
  bool is_ready() const { return is_whole_ && !is_discarding_; }
  /// Returns the clients that have not sent their part of it.
  std::vector<int> missing_clients() const;
  /// Receives the header of every part that is discarded.
  using Discarded = std::function<void(const EventHeader&)>;
  /// Releases everything that arrives from now on, in next() too, because the context has failed.
  /// Leaves channels alone that cannot be read any more. Never throws what a channel throws.
  void discard(Discarded tell);

 private:
  /// One channel and, once seen, its oldest part.
  struct Front {
    Input input;
    std::optional<EventHeader> header;
    std::span<std::byte> bytes;
    bool is_broken = false;  // while discarding: the channel cannot be read any more
  };

  bool poll(Front& front);
  void find_pending();
  void begin_pending(const EventHeader& header);
  void check_member(const Front& front);
  bool collect();
  void make_whole();
  void discard_arrived();
  bool discard_one(Front& front);
  void give_back(Front& front);
  std::string names_of(const std::vector<int>& senders) const;
  [[noreturn]] void fail_mismatch();
  [[noreturn]] void fail_late(const Front& front);

  std::string context_id_;
  bool are_gatherers_;
  std::string sender_;  // name of a sender in messages
  Expected expected_;
  Describe describe_;
  std::vector<Front> fronts_;  // in ascending order of clients
  std::int64_t next_sequence_ = 0;
  std::optional<EventHeader> pending_;  // the event with number next_sequence_, once seen
  std::optional<EventHeader> last_;     // the event before it
  std::vector<std::size_t> members_;    // indices of the fronts that belong to the pending event
  std::vector<std::size_t> missing_;    // indices of the members without a part yet
  std::vector<Part> parts_;
  bool is_whole_ = false;
  bool is_discarding_ = false;
  Discarded discarded_;
};

}  // namespace epios::io
