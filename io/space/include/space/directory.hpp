/// @file
/// Finds who has which points, without anybody knowing all of them.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <span>
#include <utility>
#include <vector>

namespace epios::io {

/// Exchanges lists: each rank passes a list for each other rank and gets the lists for itself.
/// Collective. Throws Error{argument}, on all of them, if a list exceeds what messages can count.
std::vector<std::vector<std::int64_t>> exchange_lists(
    const ep::Comm& comm, const std::vector<std::vector<std::int64_t>>& to);

/// A distributed table over numbers [0, size), with a piece on each rank, of the ranks that have
/// them. All functions that communicate are collective. Memory: what this rank names, and its share
/// of what all name.
class Directory {
 public:
  /// `keys` are those that this rank has; ascending, each once.
  Directory(const ep::Comm& comm, std::int64_t size, std::span<const std::int64_t> keys);

  /// Returns the lowest rank that has each key, or -1 if nobody has it. `wanted` is ascending.
  std::vector<int> lowest(std::span<const std::int64_t> wanted) const;
  /// Place of this rank in the tree of those that have a key. A tree has few branches per node. Its
  /// root differs between keys and with `salt`.
  struct Branch {
    int parent = -1;        ///< rank; -1 if this rank is the root
    int depth = 0;          ///< number of nodes from here to the root, which counts
    bool is_alone = false;  ///< nobody else has the key
  };
  static constexpr std::int64_t branches = 8;
  /// Returns the branch of each of `keys`, which this rank has.
  std::vector<Branch> tree(std::span<const std::int64_t> keys, std::int64_t salt) const;
  /// Keys [first, end) of this rank that others have, too.
  struct Stretch {
    std::int64_t first = 0;
    std::int64_t end = 0;
    int lowest = 0;  ///< lowest rank that has them
    bool operator==(const Stretch&) const = default;
  };
  /// Returns these keys, ascending. Messages grow with what several ranks have, not with all keys.
  std::vector<Stretch> repeated() const;

 private:
  int home(std::int64_t key) const { return static_cast<int>(key / share_); }
  using Holder = std::pair<std::int64_t, int>;
  template <class Answer>
  std::vector<std::int64_t> ask(std::span<const std::int64_t> wanted, const Answer& answer) const;

  const ep::Comm& comm_;
  std::int64_t share_ = 1;  ///< keys per rank
  /// In the share of this rank: who has [first, end), ordered by first.
  struct Run {
    std::int64_t first = 0;
    std::int64_t end = 0;
    int rank = 0;
  };
  std::vector<Run> runs_;
  /// Returns the holders key by key, sorted. Built on demand.
  const std::vector<Holder>& holders() const;
  mutable std::vector<Holder> holders_;
};

}  // namespace epios::io
