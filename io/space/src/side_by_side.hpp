/// @file
/// Values of successive dates as one array.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "step_frame.hpp"

namespace epios::io {

/// As many dates as the target has points make one result. Belongs to one endpoint.
class SideBySide {
 public:
  /// `targets`: those points of the target that this client has.
  SideBySide(const Frame& frame, Points targets)
      : frame_(frame), targets_(std::move(targets)), count_(frame.target_points) {}

  bool is_last() const { return taken_ == count_ - 1; }
  /// The values of the next date to their places of `to`.
  void take(const double* values, double* to) {
    const auto found = std::lower_bound(targets_.keys.begin(), targets_.keys.end(), taken_);
    taken_ = (taken_ + 1) % count_;
    if (found == targets_.keys.end()) return;
    const auto at = static_cast<std::size_t>(found - targets_.keys.begin());
    if (*found != (taken_ + count_ - 1) % count_ || frame_.sources.places.empty()) return;
    const std::int64_t before = frame_.before.array;
    const std::int64_t from = frame_.sources.places.front();
    for (const std::int64_t behind : frame_.behind.places) {
      for (const std::int64_t level : frame_.before.places) {
        to[level + before * (targets_.places[at] + frame_.target_array * behind)] =
            values[level + before * (from + frame_.source_array * behind)];
      }
    }
  }

 private:
  Frame frame_;
  Points targets_;
  std::int64_t count_;
  std::int64_t taken_ = 0;
};

}  // namespace epios::io
