#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace epios::client {

/// The array that the model has borrowed, if it has, and the buffers of fields that have no better
/// place.
class Loan {
 public:
  bool is_out() const { return field_ >= 0; }
  int field() const { return field_; }
  std::size_t value_bytes() const { return value_bytes_; }
  std::span<std::byte> array() const { return array_; }
  /// The array is of buffer(): nobody else writes there until it is lent again.
  bool is_buffer() const { return is_buffer_; }

  void begin(int field, std::size_t value_bytes, std::span<std::byte> array, bool is_buffer);
  void end() { field_ = -1; }
  /// Of this field, made at its first loan of this size or more: later loans allocate nothing.
  std::span<std::byte> buffer(int field, std::size_t bytes);

 private:
  int field_ = -1;
  std::size_t value_bytes_ = 0;
  bool is_buffer_ = false;
  std::span<std::byte> array_;
  std::vector<std::vector<double>> buffers_;  ///< by field
};

}  // namespace epios::client
