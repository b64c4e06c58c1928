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
#include <vector>

namespace epios::io {

enum class CarrierKind : std::uint8_t {
  in_process = 1,
  shared_memory = 2,
  messages = 3,
  one_sided = 4  ///< only where it is asked for; see ChannelWindow
};
/// The enumerator's word, as XML writes it.
std::string_view name(CarrierKind kind);

/// Sending end. Belongs to one endpoint; one thread at a time. The destructor never waits: after
/// is_drained() it leaves nothing behind, before that committed parts still arrive as long as this
/// process makes progress.
class ChannelSender {
 public:
  ChannelSender() = default;
  ChannelSender(const ChannelSender&) = delete;
  ChannelSender(ChannelSender&&) = delete;
  ChannelSender& operator=(const ChannelSender&) = delete;
  ChannelSender& operator=(ChannelSender&&) = delete;
  virtual ~ChannelSender() = default;

  /// Space for a part of exactly `bytes` (1 ... capacity()), 64-byte aligned; empty while the
  /// channel has no room. At most one reservation at a time; not yet visible to the receiver.
  /// Local.
  virtual std::span<std::byte> try_reserve(std::size_t bytes) = 0;
  /// Hands the part over, whole. Waits for no call of the receiver. Throws ep::Error if it fails.
  virtual void commit() = 0;
  /// Gives the reservation back, if there is one: the receiver sees nothing of it. Local.
  virtual void cancel() = 0;
  /// Drives what the carrier has under way (frees completed sends). Local, returns at once.
  virtual void progress() = 0;
  /// Largest part that fits when the channel is empty. Fixed for life.
  virtual std::size_t capacity() const = 0;
  virtual CarrierKind carrier() const = 0;
  /// How full it has been at most, its reservations included: 0 ... 1.
  virtual double fullest() const = 0;
  /// Whether all committed parts have been released by the receiver.
  virtual bool is_drained() = 0;
};

/// Receiving end. Belongs to one endpoint; one thread at a time.
class ChannelReceiver {
 public:
  ChannelReceiver() = default;
  ChannelReceiver(const ChannelReceiver&) = delete;
  ChannelReceiver(ChannelReceiver&&) = delete;
  ChannelReceiver& operator=(const ChannelReceiver&) = delete;
  ChannelReceiver& operator=(ChannelReceiver&&) = delete;
  virtual ~ChannelReceiver() = default;

  /// Oldest part not yet released, in place; empty when none has arrived. The receiver may write
  /// into it. Local, returns at once, also drives the carrier.
  virtual std::span<std::byte> front() = 0;
  /// Gives the front part's space back to the sender and rings its doorbell. Never blocks.
  virtual void release() = 0;
  /// Whether the sender has been told of all that was released; if not, tries again. Who takes no
  /// more parts asks until then before it ends: the sender may wait to be drained. Local.
  virtual bool acks_sent() = 0;
  virtual CarrierKind carrier() const = 0;
};

/// What the receiver tells the sender to open its end: opaque bytes.
using ChannelOffer = std::vector<std::byte>;

/// One channel of a group.
struct ChannelSpec {
  int peer = 0;                    ///< rank of the client in `comm`'s remote group, once per group
  std::size_t capacity_bytes = 0;  ///< largest part it must carry
  int depth = 2;                   ///< how many largest parts fit at once, at least 1
};

class WindowState;

/// How the two groups of a connection reach each other's channel memory one-sidedly: one window for
/// all contexts, made once. Belongs to one endpoint; one thread at a time.
///
/// The memory of a server's rings is the window's. Where a client sees it, in its process or on its
/// node, it packs its parts right into it; elsewhere (and with EP_SHM=0 in the environment
/// wherever the processes differ) parts are put there and positions accumulated, in one passive
/// epoch for life. MPI offers nothing to ask whether a put has arrived: when it has left, a flush
/// waits for the server's side of MPI, never for the server's work.
class ChannelWindow {
 public:
  enum class Side { clients, servers };

  /// Collective over both groups of `comm` (or one, where `own_side` says nothing), which must
  /// outlive the window. Throws ep::Error at all when MPI makes no window.
  ChannelWindow(const ep::Comm& comm, Side own_side);
  ChannelWindow(const ChannelWindow&) = delete;
  ChannelWindow(ChannelWindow&&) = delete;
  ChannelWindow& operator=(const ChannelWindow&) = delete;
  ChannelWindow& operator=(ChannelWindow&&) = delete;
  /// Local: freeing would wait for those that have failed. What MPI may still write to or read
  /// stays until the process ends.
  ~ChannelWindow();

  /// Moves what senders have under way, also those that have been destroyed meanwhile, and tells
  /// senders what receivers have released: to be called by both sides as long as they wait for each
  /// other. Local, returns at once but for the flush above.
  void progress();
  /// Whether nothing of senders that have been destroyed is under way, and senders know of all that
  /// was released. Local.
  bool is_idle() const;
  /// Frees the window, which nothing uses any more. Collective, and not needed before the end of
  /// the program.
  void free();

  /// For this library.
  const std::shared_ptr<WindowState>& state() const { return state_; }

 private:
  std::shared_ptr<WindowState> state_;  // shared with the groups and senders that use it
};

/// Memory that a channel takes on the server. Throws ep::Error for sizes that make no sense.
std::size_t channel_bytes(std::size_t capacity_bytes, int depth);

/// All receiving ends of one context on one server endpoint: their memory is one allocation (one
/// shared-memory segment for clients on the node), made at construction and never resized.
class ChannelGroup {
 public:
  /// Local. `comm`: intercommunicator (or intracommunicator) whose ranks the peers are; must
  /// outlive the group. `tag`: tags [tag, tag+1] of `comm` are this group's. The carrier follows
  /// the peer's locality, unless `force` names one that can reach farther. The segment is reserved
  /// byte for byte, so that a full /dev/shm is found here and not by a SIGBUS later: its channels
  /// send messages then. Throws ep::Error when memory cannot be had, a segment too, when `force`
  /// asks for it. `window`: of `comm`, for one_sided.
  ChannelGroup(const ep::Comm& comm, int tag, std::span<const ChannelSpec> channels,
               CarrierKind force = CarrierKind::in_process, const ChannelWindow* window = nullptr);
  ChannelGroup(const ChannelGroup&) = delete;
  ChannelGroup(ChannelGroup&&) = delete;
  ChannelGroup& operator=(const ChannelGroup&) = delete;
  ChannelGroup& operator=(ChannelGroup&&) = delete;
  /// Never waits. Nobody opens a channel of it on this node any more. Memory that a client may
  /// still put to goes to the window, which frees it when all have ended.
  ~ChannelGroup();

  std::size_t size() const;
  ChannelReceiver& receiver(std::size_t channel);
  /// For the client of that channel. One whose offer nobody has asked for is never opened.
  ChannelOffer offer(std::size_t channel);
  /// Removes the segment's name once every client has opened its end; local. After it a kill leaves
  /// nothing behind.
  void unlink();
  /// Bytes of all channel memory.
  std::size_t memory_bytes() const;
  /// Why channels on the node send messages though nobody asked for that; "": they do not.
  const std::string& fallback() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Opens the sending end of an offer. Local. `server`: rank of the server in `comm`'s remote group;
/// `comm` must outlive the sender. The channel's memory stays mapped until the sender is destroyed;
/// in one process it must be opened before the group is destroyed. Throws ep::Error for an offer
/// that is damaged, of another version, for another client or process, or already opened (which
/// cannot be seen through messages and windows). `window`: of `comm`, for offers of one_sided.
std::unique_ptr<ChannelSender> open_channel(const ep::Comm& comm, int server,
                                            std::span<const std::byte> offer,
                                            const ChannelWindow* window = nullptr);

}  // namespace epios::io
