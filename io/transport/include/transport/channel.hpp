/// @file
/// Channels: bounded, ordered streams of bytes from one client endpoint to one server endpoint, and
/// the carriers that move them. The contract (ADR 0002) is the same for every carrier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace epios::io {

enum class CarrierKind : std::uint8_t {
  in_process = 1,
  shared_memory = 2,
  messages = 3,
  one_sided = 4  ///< only on request; see ChannelWindow
};
/// Returns the word of the enumerator, as XML writes it.
std::string_view name(CarrierKind kind);

/// Sending end of a channel. Belongs to one endpoint; one thread at a time. The destructor never
/// waits. After is_drained() it leaves nothing behind; before, committed parts still arrive as long
/// as this process makes progress.
class ChannelSender {
 public:
  ChannelSender() = default;
  ChannelSender(const ChannelSender&) = delete;
  ChannelSender(ChannelSender&&) = delete;
  ChannelSender& operator=(const ChannelSender&) = delete;
  ChannelSender& operator=(ChannelSender&&) = delete;
  virtual ~ChannelSender() = default;

  /// Returns space for a part of exactly `bytes` (1 ... capacity()), 64-byte aligned, or an empty
  /// span while the channel has no room. There is at most one reservation at a time. The receiver
  /// does not see it yet. Local.
  virtual std::span<std::byte> try_reserve(std::size_t bytes) = 0;
  /// Sends the reserved part as a whole. Waits for no call of the receiver. Throws ep::Error if it
  /// fails.
  virtual void commit() = 0;
  /// Gives the reservation back, if there is one. The receiver sees nothing of it. Local.
  virtual void cancel() = 0;
  /// Makes progress on what the carrier has under way (frees completed sends). Local, returns at
  /// once.
  virtual void progress() = 0;
  /// Returns the size of the largest part that fits into the empty channel. It never changes.
  virtual std::size_t capacity() const = 0;
  virtual CarrierKind carrier() const = 0;
  /// Returns how full the channel has been at most, reservations included: 0 ... 1.
  virtual double fullest() const = 0;
  /// Returns true if the receiver has released all committed parts.
  virtual bool is_drained() = 0;

  /// Returns why this end does not use the shared memory that it was offered, or "" if it does or
  /// was offered none.
  const std::string& fallback() const { return fallback_; }
  void set_fallback(std::string why) { fallback_ = std::move(why); }

 private:
  std::string fallback_;
};

/// Receiving end of a channel. Belongs to one endpoint; one thread at a time.
class ChannelReceiver {
 public:
  ChannelReceiver() = default;
  ChannelReceiver(const ChannelReceiver&) = delete;
  ChannelReceiver(ChannelReceiver&&) = delete;
  ChannelReceiver& operator=(const ChannelReceiver&) = delete;
  ChannelReceiver& operator=(ChannelReceiver&&) = delete;
  virtual ~ChannelReceiver() = default;

  /// Returns the oldest part that is not released yet, in place, or an empty span if none has
  /// arrived. The receiver may write into it. Local, returns at once, also makes progress on the
  /// carrier.
  virtual std::span<std::byte> front() = 0;
  /// Returns the space of the front part to the sender and rings its doorbell. Never blocks.
  virtual void release() = 0;
  /// Returns true if the sender knows of all that was released; otherwise tries to tell it again. A
  /// receiver that takes no more parts calls it until then before it ends, because the sender may
  /// wait to be drained. Local.
  virtual bool acks_sent() = 0;
  virtual CarrierKind carrier() const = 0;
};

/// Opaque bytes that the receiver sends to the sender so that it can open its end.
using ChannelOffer = std::vector<std::byte>;

/// One channel of a group.
struct ChannelSpec {
  int peer = 0;  ///< rank of the client in the remote group of `comm`, once per group
  std::size_t capacity_bytes = 0;  ///< size of the largest part
  int depth = 2;                   ///< number of such parts that fit at once, at least 1
};

class WindowState;

/// One-sided access of the two groups of a connection to each other's channel memory: one window
/// for all contexts, made once. Belongs to one endpoint; one thread at a time.
///
/// The memory of the server's rings belongs to the window. A client that sees it, in its process or
/// on its node, packs its parts right into it. Elsewhere (and with EP_SHM=0 in the environment
/// between any two processes) it puts parts there and accumulates positions, in one passive epoch
/// that lasts as long as the window. MPI cannot be asked whether a put has arrived. A flush after
/// it left waits for the server's side of MPI, never for the server's work.
class ChannelWindow {
 public:
  enum class Side { clients, servers };

  /// Collective over both groups of `comm` (or one, if `own_side` has nothing), which must outlive
  /// the window. Throws ep::Error on all if MPI makes no window.
  ChannelWindow(const ep::Comm& comm, Side own_side);
  ChannelWindow(const ChannelWindow&) = delete;
  ChannelWindow(ChannelWindow&&) = delete;
  ChannelWindow& operator=(const ChannelWindow&) = delete;
  ChannelWindow& operator=(ChannelWindow&&) = delete;
  /// Local, because freeing would wait for processes that have failed. Memory that MPI may still
  /// access stays until the process ends.
  ~ChannelWindow();

  /// Moves what senders have under way, including destroyed senders, and tells senders what
  /// receivers have released. Both sides call it as long as they wait for each other. Local,
  /// returns at once except for the flush described above.
  void progress();
  /// Returns true if nothing of destroyed senders is under way and senders know of all that was
  /// released. Local.
  bool is_idle() const;
  /// Frees the window, which must not be in use any more. Collective; not needed before the end of
  /// the program.
  void free();

  /// Returns the state, for this library only.
  const std::shared_ptr<WindowState>& state() const { return state_; }

 private:
  std::shared_ptr<WindowState> state_;  // shared with the groups and senders that use it
};

/// Returns the memory that a channel takes on the server. Throws ep::Error for invalid sizes.
std::size_t channel_bytes(std::size_t capacity_bytes, int depth);

/// All receiving ends of one context on one server endpoint. Their memory is one allocation (one
/// shared-memory segment for clients on the node), made at construction and never resized.
class ChannelGroup {
 public:
  /// Local. The peers are ranks of `comm`, an intercommunicator (or intracommunicator) that must
  /// outlive the group. The group uses the tags [tag, tag+1] of `comm`. The carrier follows the
  /// locality of the peer, unless `force` names one that reaches farther. The segment is reserved
  /// byte for byte, so that a full /dev/shm is detected here and not by a SIGBUS later; its
  /// channels then send messages. Throws ep::Error if memory is not available, including a segment
  /// if `force` asks for it. `window` is that of `comm`, for one_sided.
  ChannelGroup(const ep::Comm& comm, int tag, std::span<const ChannelSpec> channels,
               CarrierKind force = CarrierKind::in_process, const ChannelWindow* window = nullptr);
  ChannelGroup(const ChannelGroup&) = delete;
  ChannelGroup(ChannelGroup&&) = delete;
  ChannelGroup& operator=(const ChannelGroup&) = delete;
  ChannelGroup& operator=(ChannelGroup&&) = delete;
  /// Never waits. No channel of the group can be opened on this node any more. Memory that a client
  /// may still put to passes to the window, which frees it when all clients have ended.
  ~ChannelGroup();

  std::size_t size() const;
  ChannelReceiver& receiver(std::size_t channel);
  /// Returns the offer for the client of a channel. A channel without offer is never opened.
  ChannelOffer offer(std::size_t channel);
  /// Removes the name of the segment once every client has opened its end. Local. A kill then
  /// leaves nothing behind. Offers of shared memory that no client has taken up are settled: their
  /// channels receive messages.
  void unlink();
  /// Returns the bytes of all channel memory.
  std::size_t memory_bytes() const;
  /// Returns why channels on the node send messages without a request for it, or "" if they do not.
  const std::string& fallback() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Opens the sending end of an offer. Local. Whether the server's segment can be mapped is found by
/// trying: where it cannot, or where it does not hold the ring that the server made, the sender
/// sends messages (or puts, with a window), and its fallback() says why. `server` is the rank of
/// the server in the remote group of `comm`, which must outlive the sender. The memory of the
/// channel stays mapped until the sender is destroyed; in one process it must be opened before the
/// group is destroyed. Throws ep::Error for an offer that is damaged, of another version, for
/// another client or process, or already opened (messages and windows cannot detect the latter).
/// `window` is that of `comm`, for offers of one_sided.
std::unique_ptr<ChannelSender> open_channel(const ep::Comm& comm, int server,
                                            std::span<const std::byte> offer,
                                            const ChannelWindow* window = nullptr);

}  // namespace epios::io
