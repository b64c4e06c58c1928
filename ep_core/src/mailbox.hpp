#pragma once

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

struct Arrival;
struct PostedReceive;

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

  /// The oldest message that a receive of (source, tag) takes, left in place; or null.
  Arrival* find_arrival(int source, int tag) noexcept;
  std::unique_ptr<Arrival> take_arrival(int source, int tag) noexcept;
  void deposit(std::unique_ptr<Arrival> arrival);

  /// Takes a receive back that nothing has matched yet; false if something has.
  bool withdraw(PostedReceive& receive) noexcept;
  /// Takes a message back. Precondition: it is queued here.
  std::unique_ptr<Arrival> withdraw(Arrival& arrival) noexcept;

 private:
  std::mutex mutex_;
  std::uint64_t next_order_ = 0;
  MatchTable posted_exact_;
  MatchList posted_wild_;
  MatchTable arrived_;
  MatchList arrived_in_order_;
};

}  // namespace ep
