#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cliques/tag_layout.hpp"
#include "progress/doorbell.hpp"
#include "progress/engine.hpp"
#include "shm/inbox.hpp"
#include "shm/shm_peer.hpp"

namespace ep {

class Clique;

/// A private raw communicator and what its processes know of each other. All communicators derived
/// from one EP_Comm_from_mpi share its wire, so there are few wires for any number of
/// communicators. MessageWire in room messages/ derives from it and defines the messages.
class Wire : public Traffic {
 public:
  /// Takes ownership of `comm`, which must have no other user. Collective over it; blocks only in
  /// waits of this library.
  explicit Wire(MPI_Comm comm);
  Wire(const Wire&) = delete;
  Wire(Wire&&) = delete;
  Wire& operator=(const Wire&) = delete;
  Wire& operator=(Wire&&) = delete;
  ~Wire() override;

  MPI_Comm comm() const noexcept final { return comm_; }
  bool has_peers() const noexcept final { return peers_.size() > 1; }
  int size() const noexcept { return static_cast<int>(peers_.size()); }
  int rank() const noexcept { return rank_; }
  /// Returns a number that all its processes know, different from that of every other wire.
  std::uint64_t uid() const noexcept { return uid_; }
  int raw_tag_ub() const noexcept { return raw_tag_ub_; }
  /// Returns what the raw tags of all its communicators have in common.
  const TagLayout& tags() const noexcept { return tags_; }
  int world_rank(int wire_rank) const { return peer(wire_rank).world_rank; }

  /// Returns the shared-memory path to a process of this node; null if there is none. All envelopes
  /// to that process must take it, since they must keep their order.
  ShmPeer* shm_peer(int wire_rank) const noexcept {
    const Peer& to = peer(wire_rank);
    return to.shm ? to.shm.get() : nullptr;
  }
  /// Returns the memory of that process, for one copy of a body that is too long for the inbox.
  const PeerMemory& memory(int wire_rank) const noexcept { return peer(wire_rank).memory; }
  /// True if that process reads our memory.
  bool is_read_by(int wire_rank) const noexcept { return peer(wire_rank).reads_us; }
  /// Leases a page for a copy in which a peer takes part; nothing if there are too many.
  std::optional<CopyLease> begin_copy() noexcept { return inbox_->begin_copy(); }
  bool take_in_shm() final;
  bool push_shm() final;
  void ring_full_inboxes() const noexcept final;
  /// True if some process sends to this one through MPI.
  bool has_mpi_peers() const noexcept { return has_mpi_peers_; }

  /// True if the process can be rung and can ring this one: both sides agree.
  bool on_node(int wire_rank) const { return peer(wire_rank).on_node; }
  bool has_peers_off_node() const noexcept final { return peers_off_node_; }
  /// Rings for communication that needs the peer's attention.
  void ring(int wire_rank) const noexcept final;
  /// Rings for conditions outside this library.
  void ring_everyone(int wire_rank) const noexcept;
  /// True if some thread there waits so long that a watchdog would report it; nothing off the node.
  std::optional<bool> waits_long(int wire_rank) const noexcept;

  /// Keeps a sleeper of the process awake as long as it lives, for operations that need the
  /// progress of both sides. Has no effect off the node, where sleepers poll every millisecond.
  class Attention {
   public:
    Attention(const Wire& wire, int wire_rank) noexcept;
    Attention(const Attention&) = delete;
    Attention(Attention&&) = delete;
    Attention& operator=(const Attention&) = delete;
    Attention& operator=(Attention&&) = delete;
    ~Attention();

   private:
    BellPage* page_;
  };

  /// Registers a communicator of this process on this wire under a number. A number is reused as
  /// late as possible.
  std::uint32_t enter(const std::shared_ptr<Clique>& clique);
  void leave(std::uint32_t context);
  std::shared_ptr<Clique> find(std::uint32_t context);

 private:
  struct Peer {
    int world_rank = -1;
    bool on_node = false;
    bool reads_us = false;
    PeerBell bell;
    std::unique_ptr<ShmPeer> shm;
    PeerMemory memory;
  };
  struct Hello;

  const Peer& peer(int wire_rank) const { return peers_[static_cast<std::size_t>(wire_rank)]; }
  void greet();
  void ring_all() const noexcept;
  void map_peers(const std::vector<Hello>& hellos);
  unsigned char map_peer(Peer& peer, const Hello& hello) const;

  MPI_Comm comm_;
  int rank_ = 0;
  int raw_tag_ub_ = 32767;
  TagLayout tags_;
  std::uint64_t uid_ = 0;
  bool peers_off_node_ = false;
  bool has_mpi_peers_ = false;
  std::optional<Inbox> inbox_;
  std::vector<Peer> peers_;

  std::mutex context_mutex_;
  std::vector<std::weak_ptr<Clique>> contexts_;
  std::deque<std::uint32_t> free_contexts_;
};

}  // namespace ep
