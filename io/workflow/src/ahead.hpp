/// @file
/// Fetching what a loop over blocks needs next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace epios::io {

/// Brings the next block of some arrays into the cache, a few lines at each turn between two
/// computations, so that memory works while the processor computes.
class Ahead {
 public:
  /// Makes room for so many arrays: add() does not allocate.
  void reserve(std::size_t arrays) { arrays_.reserve(arrays); }
  void clear() { arrays_.clear(); }
  template <class T>
  void add(const T* array) {
    arrays_.push_back({reinterpret_cast<const std::byte*>(array), sizeof(T)});
  }
  /// The next block has `count` places, from `place` on; there are so many turns until
  /// then.
  void begin(std::int64_t place, std::int64_t count, std::int64_t turns) {
    place_ = place;
    count_ = count;
    array_ = arrays_.begin();
    next_ = 0;
    const std::int64_t lines = std::ssize(arrays_) * (count * most_bytes / line_bytes + 1);
    lines_per_turn_ = count > 0 && turns > 0 ? lines / turns + 1 : 0;
  }
  void fetch() {
    for (std::int64_t k = 0; k < lines_per_turn_ && array_ != arrays_.end(); ++k) {
      __builtin_prefetch(array_->values + place_ * array_->value_bytes + next_, 0, 2);
      next_ += line_bytes;
      if (next_ < count_ * array_->value_bytes) continue;
      next_ = 0;
      ++array_;
    }
  }

 private:
  static constexpr std::int64_t line_bytes = 64;
  static constexpr std::int64_t most_bytes = sizeof(double);
  struct Array {
    const std::byte* values;
    std::int64_t value_bytes;
  };
  std::vector<Array> arrays_;
  std::int64_t place_ = 0;
  std::int64_t count_ = 0;
  std::int64_t lines_per_turn_ = 0;
  std::vector<Array>::const_iterator array_;  // of which the next line is
  std::int64_t next_ = 0;                     // its offset in the block
};

}  // namespace epios::io
