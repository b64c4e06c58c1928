#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ep {

/// Holds what receives and messages are matched by, and their links in the lists of a mailbox.
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

/// True if a receive of (source, tag), possibly wildcards, matches the message `m`. EP_ANY_TAG does
/// not match the library's own messages, whose tags are negative.
bool matches(int source, int tag, const Matchable& m) noexcept;
bool is_wildcard(int source, int tag) noexcept;

/// Hashes entries by exact (source, tag); each bin keeps the order of insertion. Does not own its
/// entries. Grows.
class MatchTable {
 public:
  void insert(Matchable& entry);
  void erase(Matchable& entry) noexcept;
  /// Returns the oldest entry with exactly this source and tag, or null.
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

/// Lists entries in order of insertion. Does not own them.
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

/// A receive that waits for a message. The poster owns it and may derive from it.
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

  /// Returns the message to its arena, since no receive wants it any more.
  virtual void give_back() noexcept = 0;
};

struct GiveBack {
  void operator()(WaitingMessage* message) const noexcept { message->give_back(); }
};
using WaitingMessagePtr = std::unique_ptr<WaitingMessage, GiveBack>;

/// Receives one message for an endpoint that blocks in a receive, without its mailbox's lock. The
/// receiver offers the receive; one sender claims it and either fills in a small message or serves
/// the receive itself. Everything lies in one cache line, which moves to the sender and back once
/// per message; another cache line records that the message was taken.
///
/// The offer is a posted receive like those in the tables, and the oldest one: Mailbox offers only
/// if there is no other.
///
/// The state is one word, the generation of the latest offer plus a Code; `taken_` is the
/// generation of the latest message that was read. The transitions, and who makes them:
///
///                        offer(): receiver, next generation, store
///        +--------------------------------------------------------> open
///        |                                                          |  |
///      closed <--------- withdraw(): receiver, compare-exchange ----+  | claim(): any sender,
///        ^                                                             | compare-exchange
///        |                                                             v
///        +------ release(): claimer, who serves the receive, ------ claimed
///        |       store                                                 |
///        |                                                             | fill(): claimer, store
///        |                                                             v
///        +.......... take(generation): receiver, has read it ....... filled
///
/// The dotted transition does not change the word, which spares the sender's cache line a transfer:
/// is_free() is true in state `closed`, or in state `filled` with taken_ equal to the generation.
/// The receiver makes its transitions under the mailbox's lock, except take(). The generation makes
/// a compare-exchange fail that has read an earlier offer, and identifies the offer to which a
/// `filled` belongs (is_filled(), await_claimer()). Generations are multiples of `codes`, so none
/// equals no_generation.
class alignas(64) DirectReceiveSlot {
 public:
  static constexpr std::size_t room = 32;
  /// Identifies an offer; threads that receive at one endpoint take turns to offer.
  using Generation = std::uint32_t;
  static constexpr Generation no_generation = 1;

  /// Offers the receive. Called by the receiver under the mailbox's lock. Precondition: is_free().
  Generation offer(PostedReceive& receive) noexcept;
  bool is_free() const noexcept;
  bool is_filled(Generation generation) const noexcept {
    return state_.load(std::memory_order_seq_cst) == generation + filled;
  }
  /// Takes the offer back. Returns false if a sender has claimed it, or if another receive is
  /// offered.
  bool withdraw(const PostedReceive& receive) noexcept;
  /// Waits for the sender that claimed the offer and is at work. Returns true if it filled the
  /// slot.
  bool await_claimer(Generation generation) const noexcept;

  /// Claims the offered receive if it matches (source, tag): the caller must fill() it, or
  /// release() and then serve it. Returns null otherwise. Any sender, with or without the lock.
  PostedReceive* claim(int source, int tag) noexcept;
  /// Fills in a message of at most `room` bytes. Does not wake the receiver, which may be asleep.
  void fill(int source, int tag, const void* data, std::size_t bytes) noexcept;
  /// Makes room for the next offer. Called by a claimer that serves the receive itself.
  void release() noexcept { set(closed); }
  /// Makes room for the next offer. Called by the receiver after it has read the message.
  void take(Generation generation) noexcept { taken_.store(generation, std::memory_order_release); }

  // For the receiver, once is_filled():
  int source() const noexcept { return source_.load(std::memory_order_relaxed); }
  int tag() const noexcept { return tag_.load(std::memory_order_relaxed); }
  std::size_t bytes() const noexcept { return bytes_; }
  const std::byte* data() const noexcept { return data_.data(); }

 private:
  enum Code : std::uint32_t { closed, open, claimed, filled, codes };
  static Code code(std::uint32_t state) noexcept { return static_cast<Code>(state % codes); }
  void set(Code next) noexcept;

  std::atomic<std::uint32_t> state_{closed};
  std::atomic<int> source_{0};
  std::atomic<int> tag_{0};
  std::uint32_t bytes_ = 0;
  PostedReceive* receive_ = nullptr;
  std::array<std::byte, room> data_{};
  alignas(64) std::atomic<Generation> taken_{no_generation};
};

/// The matching state of one endpoint: receives that wait for messages and messages that wait for
/// receives, in one order for local and remote senders. Callers hold `mutex()`.
class Mailbox {
 public:
  Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox(Mailbox&&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  Mailbox& operator=(Mailbox&&) = delete;
  /// Frees messages that were never received.
  ~Mailbox();

  std::mutex& mutex() noexcept { return mutex_; }

  /// Removes and returns the oldest posted receive that matches (source, tag), or null.
  PostedReceive* take_posted(int source, int tag) noexcept;
  void post(PostedReceive& receive);
  /// Posts a receive whose caller blocks until it is done. Returns a generation if the receive is
  /// offered in direct_receive() now, else no_generation.
  DirectReceiveSlot::Generation offer(PostedReceive& receive);
  /// Returns the slot that bypasses the lock. Needs no lock.
  DirectReceiveSlot& direct_receive() noexcept { return direct_receive_; }

  /// Returns the oldest message that a receive of (source, tag) matches, left in place; or null.
  WaitingMessage* find_message(int source, int tag) noexcept;
  WaitingMessagePtr take_message(int source, int tag) noexcept;
  void deposit(WaitingMessagePtr message);

  /// Withdraws a receive. Returns false if a message has matched it already.
  bool withdraw(PostedReceive& receive) noexcept;
  /// Withdraws a message. Precondition: it is queued here.
  WaitingMessagePtr withdraw(WaitingMessage& message) noexcept;

 private:
  DirectReceiveSlot direct_receive_;
  std::mutex mutex_;
  std::uint64_t next_order_ = 0;
  MatchTable posted_exact_;
  MatchList posted_wild_;
  MatchTable arrived_;
  MatchList arrived_in_order_;
};

}  // namespace ep
