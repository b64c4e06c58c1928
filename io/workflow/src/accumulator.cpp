#include "accumulator.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "kernels.hpp"

namespace epios::io {

namespace {

using config::Operation;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// A marker that no value equals.
constexpr double no_marker = missing;

/// The marker as an array of T holds it.
template <class T>
double widened(std::optional<double> marker) {
  return marker ? static_cast<double>(static_cast<T>(*marker)) : no_marker;
}

bool is_sum(Operation operation) {
  return operation == Operation::average || operation == Operation::accumulate;
}

}  // namespace

Accumulator::Accumulator(const ArrayLayout& layout, Operation operation,
                         std::optional<double> marker)
    : layout_(&layout),
      operation_(operation),
      marker_(marker),
      size_(static_cast<std::size_t>(layout.size())),
      values_(std::make_unique_for_overwrite<double[]>(size_)) {
  // Places without a value are never looked at, but copied with the others.
  std::fill_n(values_.get(), size_, missing);
  if (marker_ && is_sum(operation_)) counts_.assign(size_, 0);
}

template <class T>
void Accumulator::add(std::span<const T> array) {
  const double marker = widened<T>(marker_);
  layout_->for_each_piece([&](std::int64_t place, std::int64_t count) {
    const T* from = array.data() + place;
    if (operation_ == Operation::instant) {
      kernels::copy(from, values_.get() + place, count);
      if (marker_) kernels::mark(values_.get() + place, marker, count);
    } else if (marker_) {
      add_valid_run(from, place, count, marker);
    } else {
      add_run(from, place, count);
    }
  });
  ++samples_;
}

template <class T>
void Accumulator::add_run(const T* from, std::int64_t place, std::int64_t count) {
  double* to = values_.get() + place;
  if (samples_ == 0) {
    kernels::copy(from, to, count);
  } else if (is_sum(operation_)) {
    kernels::add(from, to, count);
  } else if (operation_ == Operation::minimum) {
    kernels::lower(from, to, count);
  } else {
    kernels::raise(from, to, count);
  }
}

template <class T>
void Accumulator::add_valid_run(const T* from, std::int64_t place, std::int64_t count,
                                double marker) {
  double* to = values_.get() + place;
  if (is_sum(operation_)) {
    std::uint32_t* counts = counts_.data() + place;
    if (samples_ == 0) {
      kernels::first_valid(from, to, counts, marker, count);
    } else {
      kernels::add_valid(from, to, counts, marker, count);
    }
  } else if (samples_ == 0) {
    kernels::copy_valid(from, to, marker, count);
  } else if (operation_ == Operation::minimum) {
    kernels::lower_valid(from, to, marker, count);
  } else {
    kernels::raise_valid(from, to, marker, count);
  }
}

template void Accumulator::add(std::span<const double>);
template void Accumulator::add(std::span<const float>);

std::span<const double> Accumulator::finish() {
  const std::int64_t samples = std::exchange(samples_, 0);
  const auto size = static_cast<std::int64_t>(size_);
  if (samples == 0) {
    std::fill_n(values_.get(), size_, missing);
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
