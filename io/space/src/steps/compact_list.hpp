/// @file
/// Lists of integers of a plan, of which there are as many as points.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace epios::io {

/// A constant list of integers. Of one that ascends in equal steps, as places of whole blocks do,
/// only the first value and the step are kept, of others 32 bits each where they fit.
class CompactList {
 public:
  CompactList() = default;
  explicit CompactList(std::vector<std::int64_t> values) : size_(values.size()) {
    if (values.empty()) return;
    first_ = values.front();
    step_ = values.size() > 1 ? values[1] - first_ : 0;
    const auto is_off = [this](std::int64_t a, std::int64_t b) { return b - a != step_; };
    if (std::adjacent_find(values.begin(), values.end(), is_off) == values.end()) return;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    using Limits = std::numeric_limits<std::int32_t>;
    if (*least < Limits::min() || *most > Limits::max()) {
      values.shrink_to_fit();
      wide_ = std::move(values);
      return;
    }
    narrow_.reserve(values.size());
    for (const std::int64_t value : values) narrow_.push_back(static_cast<std::int32_t>(value));
  }

  std::int64_t operator[](std::size_t k) const {
    if (!narrow_.empty()) return narrow_[k];
    if (!wide_.empty()) return wide_[k];
    return first_ + step_ * static_cast<std::int64_t>(k);
  }
  std::size_t size() const { return size_; }
  /// Returns true if each value is the one before plus `step`.
  bool ascends_by(std::int64_t step) const {
    return narrow_.empty() && wide_.empty() && (size_ < 2 || step_ == step);
  }
  std::size_t bytes() const {
    return narrow_.capacity() * sizeof(std::int32_t) + wide_.capacity() * sizeof(std::int64_t);
  }

 private:
  std::size_t size_ = 0;
  std::int64_t first_ = 0, step_ = 0;
  std::vector<std::int32_t> narrow_;
  std::vector<std::int64_t> wide_;
};

}  // namespace epios::io
