/// @file
/// One temporal operation over the samples of one period.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "config/temporal.hpp"
#include "grid/layout.hpp"

namespace epios::io {

/// Reduces model arrays of one layout, place by place in the order of the calls: the result does
/// not depend on how points are spread over clients. It is an array of that layout, too; where that
/// has no value, it has none. Allocates at construction only.
class Accumulator {
 public:
  /// `layout` must outlive this. `marker`: values equal to it, and NaN, are missing and ignored;
  /// none: NaN propagates.
  Accumulator(const ArrayLayout& layout, config::Operation operation, std::optional<double> marker);

  /// Feeds the next sample, of layout.size() values. instant keeps the last one.
  template <class T>
  void add(std::span<const T> array);
  /// The result over the samples since the last call, NaN everywhere if there were none. Valid
  /// until the next add().
  std::span<const double> finish();
  /// Samples since the last call of finish() or forget().
  std::int64_t samples() const { return samples_; }
  /// Starts a new period without a result.
  void forget() { samples_ = 0; }

 private:
  template <class T>
  void add_run(const T* from, std::int64_t place, std::int64_t count);
  template <class T>
  void add_valid_run(const T* from, std::int64_t place, std::int64_t count, double marker);
  std::span<double> values() const { return {values_.get(), size_}; }

  const ArrayLayout* layout_;
  config::Operation operation_;
  std::optional<double> marker_;
  std::size_t size_;
  std::unique_ptr<double[]> values_;   // untouched until the first sample if operation_ is instant
  std::vector<std::uint32_t> counts_;  // samples per point, where missing ones are ignored
  std::int64_t samples_ = 0;
};

}  // namespace epios::io
