/// @file
/// Values of successive dates as one array.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "config/index.hpp"
#include "exchange/step_frame.hpp"
#include "steps/date_numbers.hpp"

namespace epios::io {

/// Collects as many dates as the target has points into one result. Belongs to one endpoint.
class TemporalStacking {
 public:
  /// `targets` are the points of the target that this client has.
  TemporalStacking(const Frame& frame, Points targets)
      : frame_(frame),
        targets_(std::move(targets)),
        count_(std::max<std::int64_t>(frame.target_points, 1)) {}

  /// Returns true if date number `number` completes a result.
  bool is_last(std::int64_t number) const { return number % count_ == count_ - 1; }
  /// Data that was taken and is written nowhere, or with gaps.
  struct Account {
    std::int64_t dates = 0;       ///< dates of an incomplete result
    std::int64_t lost = 0;        ///< results without their last date, which were never delivered
    std::int64_t incomplete = 0;  ///< results that lack other dates
  };
  const Account& account() const { return account_; }
  /// Writes the values of date number `number` to their places of `to`. Values of earlier results
  /// there become missing.
  void take(const double* values, std::int64_t number, std::span<double> to) {
    if (const std::int64_t result = number / count_; result != result_) {
      result_ = result;
      if (account_.dates > 0) ++account_.lost;
      account_.dates = 0;
      std::fill(to.begin(), to.end(), std::numeric_limits<double>::quiet_NaN());
    }
    ++account_.dates;
    if (is_last(number)) {
      if (account_.dates < count_) ++account_.incomplete;
      account_.dates = 0;
    }
    const std::int64_t key = number % count_;
    const auto found = std::lower_bound(targets_.keys.begin(), targets_.keys.end(), key);
    if (found == targets_.keys.end() || *found != key || frame_.sources.places.empty()) return;
    const auto at = static_cast<std::size_t>(found - targets_.keys.begin());
    const std::int64_t before = frame_.before.array;
    const std::int64_t from = frame_.sources.places.front();
    for (const std::int64_t behind : frame_.behind.places) {
      for (const std::int64_t level : frame_.before.places) {
        nth(to, level + before * (targets_.places[at] + frame_.target_array * behind)) =
            values[level + before * (from + frame_.source_array * behind)];
      }
    }
  }

 private:
  Frame frame_;
  Points targets_;
  std::int64_t count_;
  std::int64_t result_ = -1;  ///< number of the current result
  Account account_;
};

}  // namespace epios::io
