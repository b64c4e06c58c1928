#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "progress/engine.hpp"
#include "shm/copy_page.hpp"
#include "shm/inbox.hpp"
#include "shm/shm_peer.hpp"

namespace ep {

/// The message by which a receiver makes the sender of a long body take part in the copy.
struct CopyCall {
  std::uint64_t into;  ///< address in the receiver's memory
  std::uint32_t page;  ///< page of its inbox
  std::uint32_t turn;
};

/// Smallest body that both sides copy: a shorter one is read before a helper arrives.
constexpr std::int64_t least_joint_bytes = std::int64_t{64} * 1024;

/// One side of a copy between two processes, each of which drives its own side. It belongs to the
/// engine and to the threads that are in it, and is destroyed when the last of them lets go.
class CopySide : public Driven {
 public:
  bool is_over() const noexcept final { return is_over_.load(std::memory_order_acquire); }
  void pin() noexcept final { pins_.fetch_add(1, std::memory_order_relaxed); }
  void unpin() noexcept final;

 protected:
  CopySide(CopyPage& page, std::uint32_t turn, std::uint64_t bytes,
           std::shared_ptr<Traffic> traffic, int peer)
      : page_(page), turn_(turn), chunks_(bytes), traffic_(std::move(traffic)), peer_(peer) {}

  CopyPage& page_;
  const std::uint32_t turn_;
  const BodyChunks chunks_;
  const std::shared_ptr<Traffic> traffic_;  // keeps both inboxes
  const int peer_;
  std::atomic<bool> is_over_{false};

 private:
  std::atomic<int> pins_{1};
};

/// The receiver's side: reads chunks from the front, and those that the sender cannot write. It
/// depends on the sender's calls only for chunks that it cannot read itself; if the sender has
/// died, the copy ends.
class JointCopy : public CopySide {
 public:
  struct Ends {
    std::uint64_t from;  ///< in the sender's memory
    std::span<std::byte> into;
  };
  JointCopy(CopyLease lease, const PeerMemory& memory, const Ends& ends,
            std::shared_ptr<Traffic> traffic, int peer)
      : CopySide(lease.page(), lease.turn(), ends.into.size(), std::move(traffic), peer),
        lease_(std::move(lease)),
        memory_(memory),
        ends_(ends) {}

  /// Returns the call for the sender.
  CopyCall call() const noexcept {
    return {reinterpret_cast<std::uintptr_t>(ends_.into.data()), lease_.number(), lease_.turn()};
  }

  bool advance() final;
  /// Records that the sender does not know of the copy, so that it gets no chunks.
  void note_uncalled() noexcept { page_.refuse(turn_); }

 protected:
  /// Called once, when no side copies any more. `is_whole` is true if no chunk was lost.
  virtual void end(bool is_whole) noexcept = 0;

 private:
  bool read(int chunk) noexcept;
  bool read_next() noexcept;
  bool read_what_is_given() noexcept;
  void lose() noexcept;
  void look_for_sender() noexcept;

  const CopyLease lease_;
  const PeerMemory& memory_;
  const Ends ends_;
  std::atomic<int> readers_{0};
  std::atomic<unsigned> idle_looks_{0};
  std::atomic<bool> is_alone_{false};  ///< true if the sender has ended
};

/// The sender's side: writes chunks from the back, and those that the receiver cannot read.
class JointHelp : public CopySide {
 public:
  JointHelp(CopyPage& page, const CopyCall& call, const PeerMemory& memory,
            std::span<const std::byte> body, std::shared_ptr<Traffic> traffic, int peer)
      : CopySide(page, call.turn, body.size(), std::move(traffic), peer),
        memory_(memory),
        into_(call.into),
        body_(body) {}

  bool advance() final;

 protected:
  /// Called once, when all chunks are copied and the body is free; not called if the receiver
  /// noticed first.
  virtual void end() noexcept = 0;

 private:
  bool write(int chunk) noexcept;
  bool write_next() noexcept;
  bool write_unread() noexcept;

  const PeerMemory& memory_;
  const std::uint64_t into_;
  const std::span<const std::byte> body_;
};

}  // namespace ep
