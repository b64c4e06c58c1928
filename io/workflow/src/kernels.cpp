#include "kernels.hpp"

#include <limits>

namespace epios::io::kernels {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Bitwise and: both comparisons always, no branch.
inline bool is_valid(double value, double marker) {
  return static_cast<bool>(static_cast<unsigned>(value == value) &
                           static_cast<unsigned>(value != marker));
}

}  // namespace

template <class T>
void copy(const T* __restrict from, double* __restrict to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<double>(from[i]);
}

template <class T>
void add(const T* __restrict from, double* __restrict sum, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) sum[i] += static_cast<double>(from[i]);
}

template <class T>
void lower(const T* __restrict from, double* __restrict least, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<double>(from[i]);
    // A NaN fails both comparisons: it is taken over, and kept.
    least[i] = value >= least[i] ? least[i] : (least[i] == least[i] ? value : least[i]);
  }
}

template <class T>
void raise(const T* __restrict from, double* __restrict most, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<double>(from[i]);
    most[i] = value <= most[i] ? most[i] : (most[i] == most[i] ? value : most[i]);
  }
}

template <class T>
void copy_valid(const T* __restrict from, double* __restrict to, double marker,
                std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<double>(from[i]);
    to[i] = value != marker ? value : missing;
  }
}

template <class T>
void first_valid(const T* __restrict from, double* __restrict sum, std::uint32_t* __restrict counts,
                 double marker, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<double>(from[i]);
    const bool valid = is_valid(value, marker);
    sum[i] = valid ? value : 0.0;
    counts[i] = valid ? 1U : 0U;
  }
}

template <class T>
void add_valid(const T* __restrict from, double* __restrict sum, std::uint32_t* __restrict counts,
               double marker, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<double>(from[i]);
    const bool valid = is_valid(value, marker);
    sum[i] = valid ? sum[i] + value : sum[i];
    counts[i] += valid ? 1U : 0U;
  }
}

template <class T>
void lower_valid(const T* __restrict from, double* __restrict least, double marker,
                 std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto raw = static_cast<double>(from[i]);
    const double value = raw != marker ? raw : missing;
    // A missing value fails both comparisons, a missing minimum only the first.
    const double kept = least[i] == least[i] ? least[i] : value;
    least[i] = value < kept ? value : kept;
  }
}

template <class T>
void raise_valid(const T* __restrict from, double* __restrict most, double marker,
                 std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto raw = static_cast<double>(from[i]);
    const double value = raw != marker ? raw : missing;
    const double kept = most[i] == most[i] ? most[i] : value;
    most[i] = value > kept ? value : kept;
  }
}

void mark(double* values, double marker, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) values[i] = values[i] != marker ? values[i] : missing;
}

void divide(double* values, double divisor, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) values[i] /= divisor;
}

void divide_valid(double* __restrict values, const std::uint32_t* __restrict counts,
                  std::int64_t count) {
  // 0 / 0 is NaN: nothing but missing values stays missing.
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] /= static_cast<double>(static_cast<std::int32_t>(counts[i]));
  }
}

void blank_unseen(double* __restrict values, const std::uint32_t* __restrict counts,
                  std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) values[i] = counts[i] > 0 ? values[i] : missing;
}

#define EPIOS_KERNELS(T)                                                              \
  template void copy(const T*, double*, std::int64_t);                                \
  template void add(const T*, double*, std::int64_t);                                 \
  template void lower(const T*, double*, std::int64_t);                               \
  template void raise(const T*, double*, std::int64_t);                               \
  template void copy_valid(const T*, double*, double, std::int64_t);                  \
  template void first_valid(const T*, double*, std::uint32_t*, double, std::int64_t); \
  template void add_valid(const T*, double*, std::uint32_t*, double, std::int64_t);   \
  template void lower_valid(const T*, double*, double, std::int64_t);                 \
  template void raise_valid(const T*, double*, double, std::int64_t)
EPIOS_KERNELS(double);
EPIOS_KERNELS(float);
#undef EPIOS_KERNELS

}  // namespace epios::io::kernels
