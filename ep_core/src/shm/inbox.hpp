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
/// follow each other in memory. A writer takes lines by a compare-exchange of `tail`, fills them,
/// and says so in the first word of the first: so records are read in the order in which they were
/// taken, and each writer's in the order of its calls. The reader clears the first word of every
/// line before it gives the lines back by `head`: what is not said yet reads as 0. Where a record
/// would not fit before the end of the memory, the lines up to there are a record of nobody.
struct InboxPage {
  std::uint64_t nonce;      ///< of SharedPages
  std::uint64_t last_line;  ///< of a number of lines that is a power of 2; does not change
  alignas(64) std::atomic<std::uint64_t> tail;
  alignas(64) std::atomic<std::uint64_t> head;
  std::atomic<std::uint32_t> starved;  ///< a writer found no room: ring when there is some
  std::array<CopyPage, most_copies> copies;
};

enum class ShmKind {
  message,
  answer  ///< without it somebody waits for ever
};

class Inbox;

/// A page for a copy from a peer, and whose turn it is there: given back at its end.
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

/// The ring of this process on one wire. One thread at a time, where nothing else is said.
class Inbox {
 public:
  /// EP_TEST_SHM_BYTES in the environment makes it small: see shm_inbox_bytes().
  Inbox();

  PagesAddress address() const noexcept { return pages_.address(); }
  /// All peers have opened it that ever will.
  void hide() noexcept { pages_.hide(); }

  /// The oldest message, which stays here until take(); false if there is none.
  bool look(ShmMessage& message) noexcept;
  /// Gives its place back. True if a writer waits for that.
  bool take() noexcept;

  /// None if all pages are in use. Any thread.
  std::optional<CopyLease> begin_copy() noexcept;

 private:
  friend class CopyLease;
  InboxPage& page() const noexcept { return *static_cast<InboxPage*>(pages_.data()); }

  SharedPages pages_;
  std::uint64_t head_ = 0;
  std::atomic<std::uint32_t> copies_{0};  // bits: in use
  std::array<std::uint32_t, most_copies> turns_{};
};

/// That of another process. Any thread.
class PeerInbox {
 public:
  /// Before its first use; stays closed when the address is not of this node or may not be opened.
  void open(const PagesAddress& address) noexcept;
  explicit operator bool() const noexcept { return static_cast<bool>(pages_); }

  /// Copies the message there; false if there is no room now. It has at most most_shm_bytes.
  /// Lines are kept for answers, which others wait for: most_shm_answers of them, of at most
  /// most_answer_bytes, find room whatever else lies there.
  bool put(const ShmMessage& message, ShmKind kind = ShmKind::message) noexcept;
  /// What does not find room will be put again: the reader is asked to ring.
  void ask_for_room() noexcept { page().starved.store(1, std::memory_order_seq_cst); }
  /// Null if there is no such page.
  CopyPage* copy(std::uint32_t number) const noexcept {
    return number < page().copies.size() ? &page().copies[number] : nullptr;
  }

 private:
  InboxPage& page() const noexcept { return *static_cast<InboxPage*>(pages_.data()); }

  PeerPages pages_;
  std::atomic<std::uint64_t> seen_head_{0};  // spares the reader's line
};

/// The longest message of an inbox.
constexpr std::size_t most_shm_bytes = 16384;
constexpr std::size_t most_shm_answers = 192;
constexpr std::size_t most_answer_bytes = 112;
/// The size of every inbox of this job: its ring has a power of 2 of lines, and room for two of the
/// longest records.
std::size_t shm_inbox_bytes() noexcept;

}  // namespace ep
