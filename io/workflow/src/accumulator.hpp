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

/// Reduces samples in the layout of a model's array, place by place in the order of the calls, so
/// that the result does not depend on the distribution of points over clients. The result has the
/// same layout; a place without values gets none. Allocates at construction only.
class Accumulator {
 public:
  /// With `ignores_missing`, NaN is left out point by point; otherwise it propagates.
  Accumulator(const ArrayLayout& layout, config::Operation operation, bool ignores_missing);

  /// The next sample counts so many times in a mean. Before its first piece.
  void set_weight(std::int64_t weight) { weight_ = weight; }
  /// Adds a piece of the next sample: `count` places from `place` on. Pieces do not overlap.
  void add(const double* values, std::int64_t place, std::int64_t count);
  /// Returns the array to whose values those of the next sample are just added; null if more has to
  /// be done with them.
  double* plain_sum();
  /// Ends the sample. instant and once keep the last one.
  void end_sample() { samples_ += weight_; }
  /// Returns the result over the samples since the last call, NaN everywhere if there were none.
  /// Valid until the next add().
  std::span<const double> finish();
  /// Returns the number of samples since the last finish() or forget(), each as often as it counts.
  std::int64_t samples() const { return samples_; }
  /// Starts a new period without a result.
  void forget() { samples_ = 0; }

  // The state that outlives a run: the number of samples, and these arrays. Counts are empty if
  // they are not needed.
  std::span<double> kept_values();
  std::span<std::uint32_t> kept_counts() { return counts_; }
  /// Continues with arrays that hold so many samples of an earlier run.
  void take_up(std::int64_t samples) { samples_ = samples; }

 private:
  std::span<double> values() const { return {values_.get(), size_}; }
  void prepare();
  void add_weighted(const double* values, std::int64_t place, std::int64_t count);
  void add_once(const double* values, std::int64_t place, std::int64_t count);

  config::Operation operation_;
  bool ignores_missing_;
  std::size_t size_;
  std::unique_ptr<double[]> values_;  // untouched until an instant is kept, which is rare
  bool is_prepared_ = false;
  std::vector<std::uint32_t> counts_;  // samples per point, if missing ones are ignored
  std::int64_t samples_ = 0;
  std::int64_t weight_ = 1;
};

}  // namespace epios::io
