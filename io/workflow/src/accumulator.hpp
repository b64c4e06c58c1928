/// @file
/// One temporal operation over the samples of one period.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "config/temporal.hpp"
#include "grid/layout.hpp"

namespace epios::io {

/// Reduces samples in the layout of a model's array, place by place in the order of the calls: the
/// result does not depend on how points are spread over clients. It is an array of that layout,
/// too; where that has no value, it has none. Allocates at construction only.
class Accumulator {
 public:
  /// `ignores_missing`: NaN is left out point by point; else it propagates.
  Accumulator(const ArrayLayout& layout, config::Operation operation, bool ignores_missing);

  /// Feeds a piece of the next sample: of `count` places from `place` on. Pieces do not overlap.
  void add(const double* values, std::int64_t place, std::int64_t count);
  /// The sample is whole. instant and once keep the last one.
  void end_sample() { ++samples_; }
  /// The result over the samples since the last call, NaN everywhere if there were none. Valid
  /// until the next add().
  std::span<const double> finish();
  /// Samples since the last call of finish() or forget().
  std::int64_t samples() const { return samples_; }
  /// Starts a new period without a result.
  void forget() { samples_ = 0; }

  // What outlives a run: samples so far, and these arrays. Counts are empty where nobody counts.
  std::span<double> kept_values();
  std::span<std::uint32_t> kept_counts() { return counts_; }
  /// The arrays hold so many samples of a run before.
  void take_up(std::int64_t samples) { samples_ = samples; }

 private:
  std::span<double> values() const { return {values_.get(), size_}; }
  void prepare();

  config::Operation operation_;
  bool ignores_missing_;
  std::size_t size_;
  std::unique_ptr<double[]> values_;  // untouched until an instant is kept: most never are
  bool is_prepared_ = false;
  std::vector<std::uint32_t> counts_;  // samples per point, where missing ones are ignored
  std::int64_t samples_ = 0;
};

}  // namespace epios::io
