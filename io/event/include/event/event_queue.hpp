/// @file
/// The server's side of a timeline: parts of one event meet, events come out in order.
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

/// All channels of one context on one server. Executes nothing itself: hands out whole events in
/// sequence order. Never waits. Belongs to the server's thread.
class EventQueue {
 public:
  /// One client's channel; `client` is its rank among the context's clients, or the number of a
  /// gatherer that passes on what `clients` have called.
  struct Input {
    int client = 0;
    ChannelReceiver* receiver = nullptr;
    std::vector<PlaceRun> clients{};
  };
  /// Those who send.
  enum class Senders : std::uint8_t { clients, gatherers };
  /// Clients that must send a part of an event of this kind and stream to this server, ascending.
  using Expected = std::function<const std::vector<int>&(EventKind kind, int stream)>;
  /// What an event is about, in messages: "field 'tos' of file 'daily'", of a sync "file 'daily'".
  using Describe = std::function<std::string(const EventHeader&)>;

  EventQueue(std::string context_id, std::vector<Input> inputs, Expected expected,
             Describe describe, Senders senders = Senders::clients);

  struct Part {
    int client = 0;
    std::span<std::byte> payload;
  };
  struct Event {
    EventHeader header;     ///< of the first part; sequence and event agree in all
    std::span<Part> parts;  ///< ascending by client
  };

  /// The next event if all its parts have arrived; the same one again until release(). The parts
  /// stay in their channels. Throws Error{mismatch} when clients made different calls, naming the
  /// context, both versions of the event and the ranks that made them; Error{protocol} for damaged
  /// parts. After a throw only discard() makes sense. Local, no allocation, O(channels without a
  /// part at hand): a channel whose next part is known is not asked again.
  std::optional<Event> next();
  /// Gives the parts of the event that next() returned back to their senders.
  void release();
  /// Whether all senders have been told of what was released; to be asked until then before the
  /// channels end, as by ChannelReceiver::acks_sent.
  bool acks_sent();

  /// What the queue waits for: "event 12: field 'tos' ...: has parts of 3 clients, waits for client
  /// 2", for the watchdog; empty when nothing is pending.
  std::string waiting_for() const;
  /// The number of that event, and how many clients it lacks: while they are the same, so is the
  /// text.
  std::optional<std::pair<std::uint64_t, std::size_t>> lacks() const;
  /// Whether next() has a whole event, which has not been released.
  bool is_ready() const { return is_whole_ && !is_discarding_; }
  /// The clients of it that have not sent their part.
  std::vector<int> missing_clients() const;
  /// Told the header of every part that is thrown away.
  using Discarded = std::function<void(const EventHeader&)>;
  /// Releases everything that arrives from now on, by next() too: for a context that has failed.
  /// Channels that cannot be read any more are left alone. Never throws what a channel throws.
  void discard(Discarded tell);

 private:
  /// One channel and, once seen, the oldest part in it.
  struct Front {
    Input input;
    std::optional<EventHeader> header;
    std::span<std::byte> bytes;
    bool is_broken = false;  // while discarding: what comes cannot be read
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
  std::string sender_;  // one of them, in messages
  Expected expected_;
  Describe describe_;
  std::vector<Front> fronts_;  // ascending by client
  std::int64_t next_sequence_ = 0;
  std::optional<EventHeader> pending_;  // the event that next_sequence_ turned out to be
  std::optional<EventHeader> last_;     // the event before it
  std::vector<std::size_t> members_;    // indices of the fronts that make the pending event
  std::vector<std::size_t> missing_;    // those without a part yet
  std::vector<Part> parts_;
  bool is_whole_ = false;
  bool is_discarding_ = false;
  Discarded discarded_;
};

}  // namespace epios::io
