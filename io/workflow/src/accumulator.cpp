#include "accumulator.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "grid/missing.hpp"
#include "kernels.hpp"

namespace epios::io {

namespace {

using config::Operation;

bool is_sum(Operation operation) {
  return operation == Operation::average || operation == Operation::accumulate;
}

}  // namespace

Accumulator::Accumulator(const ArrayLayout& layout, Operation operation, bool ignores_missing)
    : operation_(operation),
      ignores_missing_(ignores_missing),
      size_(static_cast<std::size_t>(layout.size())),
      values_(std::make_unique_for_overwrite<double[]>(size_)) {
  if (ignores_missing_ && is_sum(operation_)) counts_.assign(size_, 0);
  const bool is_single = operation == Operation::instant || operation == Operation::once;
  if (!is_single) prepare();
}

/// Places without a value are never looked at, but copied with the others.
void Accumulator::prepare() {
  is_prepared_ = true;
  std::fill_n(values_.get(), size_, missing);
}

void Accumulator::add(const double* values, std::int64_t place, std::int64_t count) {
  if (!is_prepared_) prepare();
  weight_ == 1 ? add_once(values, place, count) : add_weighted(values, place, count);
}

void Accumulator::add_weighted(const double* values, std::int64_t place, std::int64_t count) {
  constexpr std::int64_t block = 512;
  std::array<double, block> weighted;
  const auto weight = static_cast<double>(weight_);
  for (std::int64_t first = 0; first < count; first += block) {
    const std::int64_t size = std::min(block, count - first);
    const double* const from = values + first;
    double* const to = weighted.data();
    for (std::int64_t i = 0; i < size; ++i) to[i] = weight * from[i];
    add_once(weighted.data(), place + first, size);
    if (counts_.empty()) continue;
    std::uint32_t* const counts = counts_.data() + place + first;
    for (std::int64_t i = 0; i < size; ++i) {
      if (from[i] == from[i]) counts[i] += static_cast<std::uint32_t>(weight_ - 1);
    }
  }
}

void Accumulator::add_once(const double* values, std::int64_t place, std::int64_t count) {
  double* to = values_.get() + place;
  const bool is_first = samples_ == 0;
  switch (operation_) {
    case Operation::average:
    case Operation::accumulate:
      if (!counts_.empty()) {
        std::uint32_t* counts = counts_.data() + place;
        is_first ? kernels::first_valid(values, to, counts, count)
                 : kernels::add_valid(values, to, counts, count);
        return;
      }
      if (is_first) break;
      return kernels::add(values, to, count);
    case Operation::minimum:
      if (is_first) break;
      return ignores_missing_ ? kernels::lower_valid(values, to, count)
                              : kernels::lower(values, to, count);
    case Operation::maximum:
      if (is_first) break;
      return ignores_missing_ ? kernels::raise_valid(values, to, count)
                              : kernels::raise(values, to, count);
    case Operation::instant:
    case Operation::once:
      break;
  }
  std::copy_n(values, count, to);
}

double* Accumulator::plain_sum() {
  const bool is_plain = counts_.empty() && weight_ == 1;
  return is_sum(operation_) && is_plain && samples_ > 0 ? values_.get() : nullptr;
}

std::span<double> Accumulator::kept_values() {
  if (!is_prepared_) prepare();
  return values();
}

std::span<const double> Accumulator::finish() {
  const std::int64_t samples = std::exchange(samples_, 0);
  const auto size = static_cast<std::int64_t>(size_);
  if (samples == 0) {
    prepare();
  } else if (!counts_.empty()) {
    if (operation_ == Operation::average) {
      kernels::divide_valid(values_.get(), counts_.data(), size);
    } else {
      kernels::blank_unseen(values_.get(), counts_.data(), size);
    }
  } else if (operation_ == Operation::average) {
    kernels::divide(values_.get(), static_cast<double>(samples), size);
  }
  return values();
}

}  // namespace epios::io
