#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ep {

/// What receives and messages are matched by, and their places in the lists of a mailbox.
struct Matchable {
  int source = 0;
  int tag = 0;
  std::uint64_t order = 0;
  bool is_queued = false;

 private:
  friend class MatchTable;
  friend class MatchList;
  Matchable* bin_prev_ = nullptr;
  Matchable* bin_next_ = nullptr;
  Matchable* list_prev_ = nullptr;
  Matchable* list_next_ = nullptr;
};

/// Whether a receive of (source, tag), possibly wildcards, takes a message of `m`. EP_ANY_TAG does
/// not see the library's own messages, whose tags are negative.
bool matches(int source, int tag, const Matchable& m) noexcept;
bool is_wildcard(int source, int tag) noexcept;

/// Entries hashed by exact (source, tag), each bin in order of insertion. Does not own. Grows.
class MatchTable {
 public:
  void insert(Matchable& entry);
  void erase(Matchable& entry) noexcept;
  /// The oldest entry with exactly this source and tag, or null.
  Matchable* find(int source, int tag) const noexcept;
  bool empty() const noexcept { return count_ == 0; }

 private:
  struct Bin {
    Matchable* first = nullptr;
    Matchable* last = nullptr;
  };
  std::size_t index(int source, int tag) const noexcept;
  static void append(Bin& bin, Matchable& entry) noexcept;
  void grow();

  std::vector<Bin> bins_;  // none until first used: most communicators stay quiet
  std::size_t count_ = 0;
};

/// Entries in order of insertion. Does not own.
class MatchList {
 public:
  void insert(Matchable& entry) noexcept;
  void erase(Matchable& entry) noexcept;
  Matchable* first() const noexcept { return first_; }
  static Matchable* next(const Matchable& entry) noexcept { return entry.list_next_; }

 private:
  Matchable* first_ = nullptr;
  Matchable* last_ = nullptr;
};

/// A receive that waits for a message. Whoever posts it owns it, and knows more of it.
struct PostedReceive : Matchable {};

/// A message that waits for a receive.
class WaitingMessage : public Matchable {
 public:
  WaitingMessage() = default;
  WaitingMessage(const WaitingMessage&) = delete;
  WaitingMessage(WaitingMessage&&) = delete;
  WaitingMessage& operator=(const WaitingMessage&) = delete;
  WaitingMessage& operator=(WaitingMessage&&) = delete;
  virtual ~WaitingMessage() = default;

  /// Nobody wants it any more: back to where it came from.
  virtual void give_back() noexcept = 0;
};

struct GiveBack {
  void operator()(WaitingMessage* message) const noexcept { message->give_back(); }
};
using WaitingMessagePtr = std::unique_ptr<WaitingMessage, GiveBack>;

/// Where an endpoint that blocks in a receive takes one message without its mailbox's lock: the
/// receiver offers the receive, one sender claims it and either fills in a small message or
/// serves the receive itself. All in one cache line, which goes over and back once per message:
/// that the message was taken is noted elsewhere.
///
/// It is a posted receive like those in the tables, and the oldest: Mailbox offers only when there
/// is no other.
///
/// The state is one word, the ticket of the latest offer plus a Code; `taken_` is the ticket of the
/// latest message that was read. Who may go which way, and how:
///
///                        offer(): receiver, next ticket, store
///        +--------------------------------------------------------> open
///        |                                                          |  |
///      closed <--------- withdraw(): receiver, compare-exchange ----+  | claim(): any sender,
///        ^                                                             | compare-exchange
///        |                                                             v
///        +------ release(): claimer, who serves the receive, ------ claimed
///        |       store                                                 |
///        |                                                             | fill(): claimer, store
///        |                                                             v
///        +.......... take(ticket): receiver, has read it ........... filled
///
/// Along the dots the word does not change, which saves the sender's cache line a way: is_free() is
/// `closed`, or `filled` with taken_ equal to the ticket. The receiver's ways are taken under the
/// mailbox's lock, but take(). A ticket makes a compare-exchange fail that looked at an earlier
/// offer, and tells a receiver that a `filled` is its own (is_filled(), await_claimer()); tickets
/// are multiples of `codes`, so no_ticket is none.
class alignas(64) HandOver {
 public:
  static constexpr std::size_t room = 32;
  /// Which offer; threads that receive at one endpoint offer by turns.
  using Ticket = std::uint32_t;
  static constexpr Ticket no_ticket = 1;

  /// The receiver, under the mailbox's lock. Precondition: is_free().
  Ticket offer(PostedReceive& receive) noexcept;
  bool is_free() const noexcept;
  bool is_filled(Ticket ticket) const noexcept {
    return state_.load(std::memory_order_seq_cst) == ticket + filled;
  }
  /// Takes the offer back; false if a sender has claimed it, or if it is another receive's.
  bool withdraw(const PostedReceive& receive) noexcept;
  /// After that: waits for the sender that claimed it, which is at work. True if it filled it.
  bool await_claimer(Ticket ticket) const noexcept;

  /// Any sender, with or without the lock: the offered receive, now the caller's to fill() or to
  /// serve after release(), if it takes (source, tag); else null.
  PostedReceive* claim(int source, int tag) noexcept;
  /// At most `room` bytes. The receiver may be asleep.
  void fill(int source, int tag, const void* data, std::size_t bytes) noexcept;
  /// A claimer who serves the receive: makes room for the next offer.
  void release() noexcept { set(closed); }
  /// The receiver, who has read the message: the same.
  void take(Ticket ticket) noexcept { taken_.store(ticket, std::memory_order_release); }

  // The receiver, once is_filled():
  int source() const noexcept { return source_.load(std::memory_order_relaxed); }
  int tag() const noexcept { return tag_.load(std::memory_order_relaxed); }
  std::size_t bytes() const noexcept { return bytes_; }
  const std::byte* data() const noexcept { return data_.data(); }

 private:
  // The state is a ticket and a code: a claim is for the offer that was looked at.
  enum Code : std::uint32_t { closed, open, claimed, filled, codes };
  static Code code(std::uint32_t state) noexcept { return static_cast<Code>(state % codes); }
  void set(Code next) noexcept;

  std::atomic<std::uint32_t> state_{closed};
  std::atomic<int> source_{0};
  std::atomic<int> tag_{0};
  std::uint32_t bytes_ = 0;
  PostedReceive* receive_ = nullptr;
  std::array<std::byte, room> data_{};
  alignas(64) std::atomic<Ticket> taken_{no_ticket};
};

/// The matching state of one endpoint: receives that wait for messages, messages that wait for
/// receives, both in one order for local and remote senders. Whoever uses it holds `mutex()`.
class Mailbox {
 public:
  Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox(Mailbox&&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  Mailbox& operator=(Mailbox&&) = delete;
  /// Frees messages that nobody received.
  ~Mailbox();

  std::mutex& mutex() noexcept { return mutex_; }

  /// The oldest posted receive that takes a message of (source, tag), removed; or null.
  PostedReceive* take_posted(int source, int tag) noexcept;
  void post(PostedReceive& receive);
  /// The same for a caller who blocks until it is done; a ticket if it stands in hand_over() now.
  HandOver::Ticket offer(PostedReceive& receive);
  /// Needs no lock.
  HandOver& hand_over() noexcept { return hand_over_; }

  /// The oldest message that a receive of (source, tag) takes, left in place; or null.
  WaitingMessage* find_message(int source, int tag) noexcept;
  WaitingMessagePtr take_message(int source, int tag) noexcept;
  void deposit(WaitingMessagePtr message);

  /// Takes a receive back that nothing has matched yet; false if something has.
  bool withdraw(PostedReceive& receive) noexcept;
  /// Takes a message back. Precondition: it is queued here.
  WaitingMessagePtr withdraw(WaitingMessage& message) noexcept;

 private:
  HandOver hand_over_;
  std::mutex mutex_;
  std::uint64_t next_order_ = 0;
  MatchTable posted_exact_;
  MatchList posted_wild_;
  MatchTable arrived_;
  MatchList arrived_in_order_;
};

}  // namespace ep
