#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/model.hpp"
#include "grid/part.hpp"

namespace epios::replay {

/// How the arrays that recorded clients sent for one grid become the array of a client of the
/// replay.
class DealtArray {
 public:
  /// Returns the values of the array.
  std::int64_t size() const;
  /// Returns the recorded clients of whose arrays it is made, the highest first: a point that
  /// several have is the lowest one's.
  std::vector<int> clients() const;
  /// Copies what is taken from the array of a client, of values of so many bytes. Throws
  /// Error{argument} if that has another size.
  void copy(int client, std::span<const std::byte> from, std::size_t value_bytes,
            std::span<std::byte> to) const;

 private:
  friend class DealtArrays;
  /// `count` places from `place` on, which those from `from` on go to.
  struct Run {
    std::int64_t place = 0, from = 0, count = 0;
  };
  /// Per element of the grid, the first one fastest.
  struct Source {
    int client = 0;
    std::vector<std::int64_t> extents;
    std::vector<std::vector<Run>> runs;
  };

  std::vector<std::int64_t> extents_;
  std::vector<Source> sources_;
};

/// The arrays of all fields that a model sends, by the number of the field.
class DealtArrays {
 public:
  /// `own`: the Model of this client of the replay; `recorded`: the elements of each recorded
  /// client, by rank. Throws Error{argument} where points that
  /// clients had make no array of this client.
  DealtArrays(const config::Model& own, std::span<const config::Model> recorded);

  const DealtArray& of(int field) const;
  /// True if a field is needed: others have no array.
  bool has(std::int64_t field) const { return field >= 0 && field < std::ssize(grids_); }

 private:
  void add(const config::Model& own, const io::LocalParts& parts, int grid,
           const config::Model& recorded, const io::LocalParts& recorded_parts, int client);
  void check(const config::Model& own, const io::LocalParts& parts, int grid) const;

  std::vector<int> grids_;          // by field
  std::vector<DealtArray> arrays_;  // by grid
  std::vector<std::vector<bool>> covered_;
};

}  // namespace epios::replay
