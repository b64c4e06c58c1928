#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "progress/shared_pages.hpp"

namespace ep {

/// A small message in an inbox.
struct NearMessage {
  int source = 0;  ///< rank on the wire
  int tag = 0;
  std::span<const std::byte> data;
};

/// A ring of records in shared memory, with many writers and one reader.
///
/// `tail` and `head` count lines since the beginning; a record is a number of whole lines that
/// follow each other in memory. A writer takes lines by a compare-exchange of `tail`, fills them,
/// and says so in the first word of the first: so records are read in the order in which they were
/// taken, and each writer's in the order of its calls. The reader clears the first word of every
/// line before it gives the lines back by `head`: what is not said yet reads as 0. Where a record
/// would not fit before the end of the memory, the lines up to there are a record of nobody.
struct InboxPage {
  std::uint64_t nonce;  ///< of SharedPages
  alignas(64) std::atomic<std::uint64_t> tail;
  alignas(64) std::atomic<std::uint64_t> head;
  std::atomic<std::uint32_t> starved;  ///< a writer found no room: ring when there is some
};

enum class NearKind {
  message,
  answer  ///< without it somebody waits for ever
};

/// The ring of this process on one wire. One thread at a time.
class Inbox {
 public:
  /// EP_TEST_NEAR_BYTES in the environment makes it small: see near_bytes().
  Inbox();

  PagesAddress address() const noexcept { return pages_.address(); }
  /// All peers have opened it that ever will.
  void hide() noexcept { pages_.hide(); }

  /// The oldest message, which stays here until take(); false if there is none.
  bool look(NearMessage& message) noexcept;
  /// Gives its place back. True if a writer waits for that.
  bool take() noexcept;

 private:
  InboxPage& page() const noexcept { return *static_cast<InboxPage*>(pages_.data()); }

  SharedPages pages_;
  std::uint64_t head_ = 0;
};

/// That of another process. Any thread.
class PeerInbox {
 public:
  /// Before its first use; stays closed when the address is not of this node or may not be opened.
  void open(const PagesAddress& address) noexcept;
  explicit operator bool() const noexcept { return static_cast<bool>(pages_); }

  /// Copies the message there; false if there is no room now. It has at most most_near_bytes.
  /// Lines are kept for answers, which others wait for: most_near_answers of them, of at most
  /// most_answer_bytes, find room whatever else lies there.
  bool put(const NearMessage& message, NearKind kind = NearKind::message) noexcept;
  /// What does not find room will be put again: the reader is asked to ring.
  void ask_for_room() noexcept { page().starved.store(1, std::memory_order_seq_cst); }

 private:
  InboxPage& page() const noexcept { return *static_cast<InboxPage*>(pages_.data()); }

  PeerPages pages_;
  std::atomic<std::uint64_t> seen_head_{0};  // spares the reader's line
};

/// The longest message of an inbox.
constexpr std::size_t most_near_bytes = 16384;
constexpr std::size_t most_near_answers = 128;
constexpr std::size_t most_answer_bytes = 112;
/// The size of every inbox of this job; at least two of the longest records.
std::size_t near_bytes() noexcept;

}  // namespace ep
