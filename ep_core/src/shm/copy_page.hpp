#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ep {

/// Divides a body that two processes copy together into chunks, in the same way on both sides.
class BodyChunks {
 public:
  static constexpr std::uint64_t most = 32;

  explicit BodyChunks(std::uint64_t bytes) noexcept : bytes_(bytes) {
    // A quarter each, but neither so small that taking it costs more than the copy, nor so large
    // that the other side waits long for the last.
    constexpr std::uint64_t least_bytes = std::uint64_t{32} * 1024;
    constexpr std::uint64_t most_bytes = std::uint64_t{1024} * 1024;
    const std::uint64_t quarter = std::clamp((bytes + 3) / 4, least_bytes, most_bytes);
    chunk_bytes_ = std::max(quarter, (bytes + most - 1) / most);
  }

  std::uint64_t count() const noexcept { return (bytes_ + chunk_bytes_ - 1) / chunk_bytes_; }
  std::uint64_t begin(std::uint64_t chunk) const noexcept { return chunk * chunk_bytes_; }
  std::uint64_t size(std::uint64_t chunk) const noexcept {
    return std::min(chunk_bytes_, bytes_ - begin(chunk));
  }

 private:
  std::uint64_t bytes_;
  std::uint64_t chunk_bytes_;
};

/// Decides which process copies which chunk; it lies in memory of both. The receiver takes chunks
/// from the front, the sender from the back, until they meet. A side gives chunks that it cannot
/// copy to the other. Each chunk belongs to one side at any time, and the body stays in place until
/// all are done.
///
/// A page serves one copy after the other. Every word that directs work has the `turn` in its upper
/// half, so that a late sender takes nothing of another copy. The page is zero at first, which is
/// no turn.
struct CopyPage {
  using Word = std::atomic<std::uint64_t>;

  alignas(64) Word taken;  ///< numbers of chunks taken from the front (16 bits) and from the back
  Word unread;             ///< bit set of chunks that the receiver could not read
  Word unwritten;          ///< bit set of chunks that the sender could not write
  Word refused;            ///< a turn in which the sender cannot take part, shifted
  std::atomic<std::uint32_t> lost;  ///< number of chunks that neither side could copy
  std::atomic<std::uint32_t> done;  ///< number of finished chunks, lost ones included

  static constexpr int none = -1;

  void begin(std::uint32_t turn) noexcept {
    lost.store(0, std::memory_order_relaxed);
    done.store(0, std::memory_order_relaxed);
    for (Word* const word : {&unread, &unwritten, &taken}) {
      word->store(std::uint64_t{turn} << 32, std::memory_order_release);
    }
  }
  void refuse(std::uint32_t turn) noexcept {
    refused.store(std::uint64_t{turn} << 32, std::memory_order_seq_cst);
  }
  bool is_refused(std::uint32_t turn) const noexcept {
    return refused.load(std::memory_order_seq_cst) >> 32 == turn;
  }
  bool is_at(std::uint32_t turn) const noexcept {
    return taken.load(std::memory_order_acquire) >> 32 == turn;
  }
  bool is_complete(std::uint64_t count) const noexcept {
    return done.load(std::memory_order_seq_cst) == count;
  }

  /// Takes a chunk of the `count` from either end; returns its number, or none.
  int take_front(std::uint32_t turn, std::uint64_t count) noexcept {
    const std::uint64_t before = take(turn, count, std::uint64_t{1} << 16);
    return before == over ? none : static_cast<int>(before >> 16 & 0xffff);
  }
  int take_back(std::uint32_t turn, std::uint64_t count) noexcept {
    const std::uint64_t before = take(turn, count, 1);
    return before == over ? none : static_cast<int>(count - 1 - (before & 0xffff));
  }
  /// Gives a chunk to the other side. Called by the side that has it.
  static void give(Word& word, int chunk) noexcept {
    word.fetch_or(std::uint64_t{1} << chunk, std::memory_order_seq_cst);
  }
  /// Takes a chunk that the other side gave; returns its number, or none.
  static int take_given(Word& word, std::uint32_t turn) noexcept {
    std::uint64_t now = word.load(std::memory_order_acquire);
    while (now >> 32 == turn && (now & 0xffffffff) != 0) {
      const std::uint64_t lowest = now & (~now + 1);
      if (word.compare_exchange_weak(now, now & ~lowest, std::memory_order_acq_rel)) {
        return std::countr_zero(lowest);
      }
    }
    return none;
  }

 private:
  static constexpr std::uint64_t over = ~std::uint64_t{0};

  std::uint64_t take(std::uint32_t turn, std::uint64_t count, std::uint64_t one) noexcept {
    std::uint64_t now = taken.load(std::memory_order_acquire);
    do {
      if (now >> 32 != turn || (now >> 16 & 0xffff) + (now & 0xffff) >= count) return over;
    } while (!taken.compare_exchange_weak(now, now + one, std::memory_order_acq_rel));
    return now;
  }
};

/// Largest number of joint copies that a process receives at a time; it makes further copies alone.
constexpr int most_copies = 16;

}  // namespace ep
