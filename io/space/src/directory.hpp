/// @file
/// Who has which points, without anybody knowing all of them.
#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <span>
#include <utility>
#include <vector>

namespace epios::io {

/// What each rank has for each other one; returned is what each has for this one. Collective.
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
  /// One of those that have it, the same for all who ask; others for other keys.
  std::vector<int> any(std::span<const std::int64_t> wanted) const;
  /// How many keys somebody has, and how many several have. Collective.
  struct Count {
    std::int64_t keys = 0;
    std::int64_t repeated = 0;
  };
  Count count() const;

 private:
  int home(std::int64_t key) const { return static_cast<int>(key / share_); }
  template <class Choose>
  std::vector<int> ask(std::span<const std::int64_t> wanted, Choose choose) const;

  const ep::Comm& comm_;
  std::int64_t share_ = 1;                             ///< keys per rank
  std::vector<std::pair<std::int64_t, int>> holders_;  ///< of the own share: key and rank, sorted
};

}  // namespace epios::io
