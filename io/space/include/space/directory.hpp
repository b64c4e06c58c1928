/// @file
/// Who has which points, without anybody knowing all of them.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <span>
#include <utility>
#include <vector>

namespace epios::io {

/// What each rank has for each other one; returned is what each has for this one. Collective.
/// Throws Error{argument}, on all of them, when one has more than messages count.
std::vector<std::vector<std::int64_t>> exchange_lists(
    const ep::Comm& comm, const std::vector<std::vector<std::int64_t>>& to);

/// A table over numbers [0, size), a piece of it on each rank, which says who has them. All of it
/// is collective; memory: what this rank names, and its share of what all do.
class Directory {
 public:
  /// `keys`: those that this rank has; ascending, each once.
  Directory(const ep::Comm& comm, std::int64_t size, std::span<const std::int64_t> keys);

  /// The lowest rank that has a key; -1: nobody has it. `wanted`: ascending.
  std::vector<int> lowest(std::span<const std::int64_t> wanted) const;
  /// Where this rank stands among those that have a key, which are a tree of few branches each: the
  /// first of them is another one for other keys and another `salt`.
  struct Branch {
    int parent = -1;        ///< rank; -1: this rank is the first
    int depth = 0;          ///< how many are between it and the first one, with that
    bool is_alone = false;  ///< nobody else has the key
  };
  static constexpr std::int64_t branches = 8;
  /// `keys`: of those that this rank has.
  std::vector<Branch> tree(std::span<const std::int64_t> keys, std::int64_t salt) const;
  /// Keys [first, end) of this rank that others have, too.
  struct Stretch {
    std::int64_t first = 0;
    std::int64_t end = 0;
    int lowest = 0;  ///< the lowest rank that has them
    bool operator==(const Stretch&) const = default;
  };
  /// Ascending. Messages grow with what several have, not with all keys.
  std::vector<Stretch> repeated() const;

 private:
  int home(std::int64_t key) const { return static_cast<int>(key / share_); }
  using Holder = std::pair<std::int64_t, int>;
  template <class Answer>
  std::vector<std::int64_t> ask(std::span<const std::int64_t> wanted, const Answer& answer) const;

  const ep::Comm& comm_;
  std::int64_t share_ = 1;  ///< keys per rank
  /// Of the own share: who has [first, end), by first.
  struct Run {
    std::int64_t first = 0;
    std::int64_t end = 0;
    int rank = 0;
  };
  std::vector<Run> runs_;
  /// The same key by key, sorted: only where somebody asks.
  const std::vector<Holder>& holders() const;
  mutable std::vector<Holder> holders_;
};

}  // namespace epios::io
