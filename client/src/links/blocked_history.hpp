#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace epios::client {

/// How long a client has waited for room, over the steps of a run of any length, in memory of fixed
/// size: when all columns are used, two become one. The steps of a column depend on the last step
/// alone, so that columns of all clients are of the same steps.
class BlockedHistory {
 public:
  static constexpr std::size_t columns = 64;
  struct Column {
    double blocked_s = 0;
    double seconds = 0;  ///< that its steps took
  };

  /// The client has come to a step, counted from 1, or is at the end of it, and has waited for so
  /// long in all.
  void note(std::int64_t step, double blocked_s);
  std::int64_t steps_per_column() const { return steps_per_column_; }
  /// Returns the number of columns up to the last step.
  std::size_t columns_in_use() const { return in_use_; }
  /// Returns all columns.
  const std::array<Column, columns>& values() const { return values_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::array<Column, columns> values_{};
  std::int64_t steps_per_column_ = 1;
  std::size_t in_use_ = 0;
  double blocked_before_s_ = 0;
  Clock::time_point before_ = Clock::now();
};

}  // namespace epios::client
