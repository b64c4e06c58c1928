#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace epios::client {

/// The array that the model has borrowed, if it has, and buffers for fields that have no better
/// place.
class BorrowedBuffer {
 public:
  bool is_out() const { return field_ >= 0; }
  int field() const { return field_; }
  std::size_t value_bytes() const { return value_bytes_; }
  std::span<std::byte> array() const { return array_; }
  /// True if the array is one of own(): nobody else writes there until it is borrowed again.
  bool is_own() const { return is_own_; }

  void acquire(int field, std::size_t value_bytes, std::span<std::byte> array, bool is_own);
  void release() { field_ = -1; }
  /// Returns the buffer of this field, made when it is asked for the first time in this size or
  /// more: later nothing is allocated.
  std::span<std::byte> own(int field, std::size_t bytes);

 private:
  int field_ = -1;
  std::size_t value_bytes_ = 0;
  bool is_own_ = false;
  std::span<std::byte> array_;
  std::vector<std::vector<double>> buffers_;  ///< by field
};

}  // namespace epios::client
