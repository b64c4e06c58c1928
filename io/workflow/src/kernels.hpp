/// @file
/// Loops over the points of a field: the only code that touches every value of every step. No
/// branch per point; compiled so that they vectorise. NaN means missing.
#pragma once

#include <cstdint>

namespace epios::io::kernels {

/// to = from, widened.
template <class T>
void copy(const T* from, double* to, std::int64_t count);
/// sum += from.
template <class T>
void add(const T* from, double* sum, std::int64_t count);
/// least = min(least, from); NaN in either stays.
template <class T>
void lower(const T* from, double* least, std::int64_t count);
/// most = max(most, from); NaN in either stays.
template <class T>
void raise(const T* from, double* most, std::int64_t count);

// The same where values that are NaN or equal to `marker` are missing and do not count. `marker` is
// the value as T holds it, widened.

/// to = from, NaN where missing.
template <class T>
void copy_valid(const T* from, double* to, double marker, std::int64_t count);
/// sum = from and counts = 1, or 0 and 0 where missing.
template <class T>
void first_valid(const T* from, double* sum, std::uint32_t* counts, double marker,
                 std::int64_t count);
/// sum += from and ++counts unless missing.
template <class T>
void add_valid(const T* from, double* sum, std::uint32_t* counts, double marker,
               std::int64_t count);
/// least = min of what is not missing, NaN if all was.
template <class T>
void lower_valid(const T* from, double* least, double marker, std::int64_t count);
/// most = max of what is not missing, NaN if all was.
template <class T>
void raise_valid(const T* from, double* most, double marker, std::int64_t count);

/// NaN where values equal `marker`.
void mark(double* values, double marker, std::int64_t count);
/// values /= divisor.
void divide(double* values, double divisor, std::int64_t count);
/// values /= counts, NaN where the count is 0.
void divide_valid(double* values, const std::uint32_t* counts, std::int64_t count);
/// NaN where the count is 0.
void blank_unseen(double* values, const std::uint32_t* counts, std::int64_t count);

#define EPIOS_KERNELS(T)                                                                     \
  extern template void copy(const T*, double*, std::int64_t);                                \
  extern template void add(const T*, double*, std::int64_t);                                 \
  extern template void lower(const T*, double*, std::int64_t);                               \
  extern template void raise(const T*, double*, std::int64_t);                               \
  extern template void copy_valid(const T*, double*, double, std::int64_t);                  \
  extern template void first_valid(const T*, double*, std::uint32_t*, double, std::int64_t); \
  extern template void add_valid(const T*, double*, std::uint32_t*, double, std::int64_t);   \
  extern template void lower_valid(const T*, double*, double, std::int64_t);                 \
  extern template void raise_valid(const T*, double*, double, std::int64_t)
EPIOS_KERNELS(double);
EPIOS_KERNELS(float);
#undef EPIOS_KERNELS

}  // namespace epios::io::kernels
