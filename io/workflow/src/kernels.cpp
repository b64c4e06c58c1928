#include "kernels.hpp"

#include <limits>

#include "grid/missing.hpp"
#include "vector_clones.hpp"

namespace epios::io::kernels {

namespace {

template <class T>
void load_any(const T* __restrict from, double* __restrict to, double marker, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<double>(from[i]);
    to[i] = value != marker ? value : missing;
  }
}

}  // namespace

EPIOS_VECTOR_CLONES
void load(const double* __restrict from, double* __restrict to, double marker, std::int64_t count) {
  load_any(from, to, marker, count);
}

EPIOS_VECTOR_CLONES
void load(const float* __restrict from, double* __restrict to, double marker, std::int64_t count) {
  load_any(from, to, marker, count);
}

EPIOS_VECTOR_CLONES
void keep_places(double* values, const std::uint64_t* places, std::int64_t first,
                 std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::uint64_t>(first + i);
    const bool is_there = (places[place / 64] >> (place % 64) & 1U) != 0;
    values[i] = is_there ? values[i] : missing;
  }
}

EPIOS_VECTOR_CLONES
void add(const double* __restrict from, double* __restrict sum, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) sum[i] += from[i];
}

EPIOS_VECTOR_CLONES
void lower(const double* __restrict from, double* __restrict least, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = from[i];
    // A NaN fails both comparisons: it is taken over, and kept.
    least[i] = value >= least[i] ? least[i] : (least[i] == least[i] ? value : least[i]);
  }
}

EPIOS_VECTOR_CLONES
void raise(const double* __restrict from, double* __restrict most, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = from[i];
    most[i] = value <= most[i] ? most[i] : (most[i] == most[i] ? value : most[i]);
  }
}

// Adding it changes nothing, not even -0.
constexpr double nothing = -0.0;

EPIOS_VECTOR_CLONES
void first_valid(const double* __restrict from, double* __restrict sum,
                 std::uint32_t* __restrict counts, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const bool valid = from[i] == from[i];
    sum[i] = valid ? from[i] : nothing;
    counts[i] = valid ? 1U : 0U;
  }
}

EPIOS_VECTOR_CLONES
void add_valid(const double* __restrict from, double* __restrict sum,
               std::uint32_t* __restrict counts, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const bool valid = from[i] == from[i];
    sum[i] = valid ? sum[i] + from[i] : sum[i];
    counts[i] += valid ? 1U : 0U;
  }
}

EPIOS_VECTOR_CLONES
void lower_valid(const double* __restrict from, double* __restrict least, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = from[i];
    // A missing value fails both comparisons, a missing minimum only the first.
    const double kept = least[i] == least[i] ? least[i] : value;
    least[i] = value < kept ? value : kept;
  }
}

EPIOS_VECTOR_CLONES
void raise_valid(const double* __restrict from, double* __restrict most, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = from[i];
    const double kept = most[i] == most[i] ? most[i] : value;
    most[i] = value > kept ? value : kept;
  }
}

EPIOS_VECTOR_CLONES
void divide(double* values, double divisor, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) values[i] /= divisor;
}

EPIOS_VECTOR_CLONES
void divide_valid(double* __restrict values, const std::uint32_t* __restrict counts,
                  std::int64_t count) {
  // 0 / 0 is NaN: nothing but missing values stays missing.
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] /= static_cast<double>(static_cast<std::int32_t>(counts[i]));
  }
}

EPIOS_VECTOR_CLONES
void blank_unseen(double* __restrict values, const std::uint32_t* __restrict counts,
                  std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) values[i] = counts[i] > 0 ? values[i] : missing;
}

}  // namespace epios::io::kernels
