#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "progress/shared_pages.hpp"
#include "shm/copy_page.hpp"

namespace ep {

/// A small message in an inbox.
struct ShmMessage {
  int source = 0;  ///< rank on the wire
  int tag = 0;
  std::span<const std::byte> data;
};

/// A ring of records in shared memory, with many writers and one reader.
///
/// `tail` and `head` count lines since the beginning; a record is a number of whole lines that
/// follow each other in memory. A writer claims lines by a compare-exchange of `tail`, fills them,
/// and marks the record ready in the first word of its first line: so records are read in the order
/// in which they were claimed, and each writer's in the order of its calls. The reader clears the
/// first word of every line before it gives the lines back by `head`: a record that is not ready
/// reads as 0. If a record does not fit before the end of the memory, the lines up to there become
/// an empty record.
struct InboxPage {
  std::uint64_t nonce;      ///< checked by SharedPages
  std::uint64_t last_line;  ///< number of lines (a power of 2) minus 1; constant
  alignas(64) std::atomic<std::uint64_t> tail;
  alignas(64) std::atomic<std::uint64_t> head;
  std::atomic<std::uint32_t> starved;  ///< non-zero if a writer found no room and wants a ring
  std::array<CopyPage, most_copies> copies;
};

enum class ShmKind {
  message,
  answer  ///< a message that a thread is waiting for
};

class Inbox;

/// Leases a page for a copy from a peer, and knows its turn there. The destructor gives the page
/// back.
class CopyLease {
 public:
  CopyLease(Inbox& inbox, std::uint32_t number, std::uint32_t turn) noexcept
      : inbox_(&inbox), number_(number), turn_(turn) {}
  CopyLease(const CopyLease&) = delete;
  CopyLease& operator=(const CopyLease&) = delete;
  CopyLease(CopyLease&& other) noexcept
      : inbox_(std::exchange(other.inbox_, nullptr)), number_(other.number_), turn_(other.turn_) {}
  CopyLease& operator=(CopyLease&&) = delete;
  ~CopyLease();

  CopyPage& page() const noexcept;
  std::uint32_t number() const noexcept { return number_; }
  std::uint32_t turn() const noexcept { return turn_; }

 private:
  Inbox* inbox_;
  std::uint32_t number_;
  std::uint32_t turn_;
};

/// The inbox of this process on one wire. One thread at a time unless a function says otherwise.
class Inbox {
 public:
  /// Allocates the ring; EP_TEST_SHM_BYTES in the environment makes it small: see
  /// shm_inbox_bytes().
  Inbox();

  PagesAddress address() const noexcept { return pages_.address(); }
  /// Closes the descriptor, after all peers have opened it.
  void hide() noexcept { pages_.hide(); }

  /// Gets the oldest message, which stays here until take(). Returns false if there is none.
  bool look(ShmMessage& message) noexcept;
  /// Frees the place of the oldest message. Returns true if a writer waits for that.
  bool take() noexcept;

  /// Leases a page, or returns nothing if all are in use. Any thread.
  std::optional<CopyLease> begin_copy() noexcept;

 private:
  friend class CopyLease;
  InboxPage& page() const noexcept { return *static_cast<InboxPage*>(pages_.data()); }

  SharedPages pages_;
  std::uint64_t head_ = 0;
  std::atomic<std::uint32_t> copies_{0};  // bits: in use
  std::array<std::uint32_t, most_copies> turns_{};
};

/// The ring of another process. Any thread.
class PeerInbox {
 public:
  /// Maps the ring before its first use. It stays closed if the address is not of this node or may
  /// not be opened.
  void open(const PagesAddress& address) noexcept;
  explicit operator bool() const noexcept { return static_cast<bool>(pages_); }

  /// Copies a message of at most most_shm_bytes into the ring. Returns false if there is no room
  /// now. Some lines are reserved for answers, which others wait for: most_shm_answers of them, of
  /// at most most_answer_bytes, find room whatever else lies there.
  bool put(const ShmMessage& message, ShmKind kind = ShmKind::message) noexcept;
  /// Asks the reader to ring when there is room, for a message that will be put again.
  void ask_for_room() noexcept { page().starved.store(1, std::memory_order_seq_cst); }
  /// Returns the copy page with this number, or null if there is none.
  CopyPage* copy(std::uint32_t number) const noexcept {
    return number < page().copies.size() ? &page().copies[number] : nullptr;
  }

 private:
  InboxPage& page() const noexcept { return *static_cast<InboxPage*>(pages_.data()); }

  PeerPages pages_;
  std::atomic<std::uint64_t> seen_head_{0};  // spares the reader's line
};

/// Size of the longest message of an inbox.
constexpr std::size_t most_shm_bytes = 16384;
constexpr std::size_t most_shm_answers = 192;
constexpr std::size_t most_answer_bytes = 112;
/// Returns the size of every inbox of this job: its ring has a power of 2 of lines, and room for
/// two of the longest records.
std::size_t shm_inbox_bytes() noexcept;

}  // namespace ep
