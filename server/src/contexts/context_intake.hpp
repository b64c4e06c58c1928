#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contexts/context_plan.hpp"
#include "event/channel_memory.hpp"
#include "event/event_queue.hpp"
#include "event/opening.hpp"
#include "event/protocol_trace.hpp"
#include "reading/readings.hpp"
#include "transport/channel.hpp"

namespace epios::server {

/// Receives for one context on one server: has the channels from its clients, or from gatherers,
/// and hands out the events of its timeline that come out of them. Knows who must send what;
/// executes nothing. Only the server's thread calls, and nothing waits.
class ContextIntake {
 public:
  /// All of it outlives the intake.
  struct Environment {
    const ep::Comm* servers = nullptr;          ///< this endpoint among the servers
    const ep::Comm* clients = nullptr;          ///< intercommunicator to the component
    const io::ChannelWindow* window = nullptr;  ///< to the same; null: none is wanted
    io::ChannelMemory* memory = nullptr;        ///< of this process
    io::ActorTrace trace{};                     ///< of this server in the context
  };
  /// Has no channels yet.
  ContextIntake(const Environment& environment, const ContextPlan& plan, const Readings& readings);

  /// The rest of what shares the memory of the channels.
  struct Needs {
    std::size_t answer_bytes = 0;  ///< of channels in which clients get what is read
    int requests = 0;              ///< for records that are read, of a client at a time
    std::size_t step_bytes = 0;    ///< of what transforms records on this server
  };
  /// Makes the channels of all parts, in their order; the parts' lists of clients are taken. Throws
  /// Error{resource} when the memory does not suffice.
  void open(std::span<io::OpeningPart> parts, const Needs& needs);
  /// Gives the channels back that no client has opened.
  void close();
  bool is_open() const { return queue_ != nullptr; }
  /// Returns what the client of a part opens its channel with.
  std::vector<std::byte> offer(std::size_t part) const { return channels_->offer(part); }
  /// Returns why channels send messages though they should share memory; "" if they need not.
  const std::string& fallback() const { return channels_->fallback(); }
  /// Returns "3 gatherers (2 by messages, 1 by shared memory), 4096 bytes of channels".
  std::string text() const;
  /// Removes the names of shared memory, once all clients have opened their channels.
  void unlink();
  /// The same when all clients have opened their ends; true if some of them send messages though
  /// they were offered shared memory.
  bool settle();

  /// Returns the next event, when all its parts are here, as EventQueue::next() does.
  std::optional<io::EventQueue::Event> next() { return queue_->next(); }
  /// Gives the room of that event's parts back to their senders.
  void release();
  /// Counts the record of an event as dealt with: discard() does not report it any more.
  void note_record(const io::EventHeader& header);
  /// Makes room for what clients still send, now and in next(), so that none waits for a context
  /// that is over. `lose` is called once per record of this server that is thrown away.
  void discard(std::function<void(const io::EventHeader&)> lose);
  /// Returns true if all senders know what has been released.
  bool is_drained() { return queue_ == nullptr || queue_->acks_sent(); }

  /// Counts a client without a channel to this server that has sent everything up to an event.
  /// Leader only.
  void note_passed(std::int64_t event) { ++passed_[event]; }
  /// Returns true if all clients without a channel are past the event, as far as it matters here:
  /// the leader begins what all servers do together when all clients have come to it.
  bool have_all_passed(std::int64_t event) const;

  /// Returns the queue, for who waits for what.
  const io::EventQueue& queue() const { return *queue_; }
  /// Returns the clients, or gatherers, whose parts of the next event are missing.
  std::vector<int> missing_senders() const;

 private:
  std::vector<io::ChannelSpec> take_memory(std::span<const io::OpeningPart> parts,
                                           const Needs& needs);
  void make_channels(std::span<const io::ChannelSpec> specs);
  void note_channels(std::span<const io::ChannelSpec> specs) const;
  void make_queue(std::span<io::OpeningPart> parts);
  const std::vector<int>& senders_of(io::EventKind kind, int stream) const;

  Environment environment_;
  const ContextPlan& plan_;
  const Readings& readings_;
  std::vector<int> notifiers_;  // clients that say when records are due which are not here
  std::vector<std::int64_t> next_record_;  // per stream: after the last one dealt with
  std::map<std::int64_t, int> passed_;     // per event: clients without a channel that are past it
  std::size_t answer_bytes_ = 0;           // of the channels that clients have made
  std::function<void(const io::EventHeader&)> lose_;  // of discard()
  io::ChannelMemory::Share memory_;                   // outlives what it stands for
  std::string offered_;                               // text() of what clients were offered
  std::unique_ptr<io::ChannelGroup> channels_;
  std::unique_ptr<io::EventQueue> queue_;
};

}  // namespace epios::server
