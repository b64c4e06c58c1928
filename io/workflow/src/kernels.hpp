/// @file
/// Loops over values of a field. NaN is missing.
#pragma once

#include <cstdint>

namespace epios::io::kernels {

// Conversion of model arrays to values. Values equal to `marker` are missing; it is the value as
// the array holds it, widened, or NaN for none.

/// Computes to = from.
void load(const double* from, double* to, double marker, std::int64_t count);
void load(const float* from, double* to, double marker, std::int64_t count);
/// Sets NaN where the bit of a place is 0, for `first` and the places behind it.
void keep_places(double* values, const std::uint64_t* places, std::int64_t first,
                 std::int64_t count);

// Samples of one period. In these functions a NaN in either argument stays.

/// sum += from.
void add(const double* from, double* sum, std::int64_t count);
/// least = min(least, from).
void lower(const double* from, double* least, std::int64_t count);
/// most = max(most, from).
void raise(const double* from, double* most, std::int64_t count);

// In the following functions missing samples are left out.

/// sum = from and counts = 1, or 0 and 0 where missing.
void first_valid(const double* from, double* sum, std::uint32_t* counts, std::int64_t count);
/// sum += from and ++counts unless missing.
void add_valid(const double* from, double* sum, std::uint32_t* counts, std::int64_t count);
/// least = min of what is not missing, NaN if all was.
void lower_valid(const double* from, double* least, std::int64_t count);
/// most = max of what is not missing, NaN if all was.
void raise_valid(const double* from, double* most, std::int64_t count);

// The end of a period.

/// values /= divisor.
void divide(double* values, double divisor, std::int64_t count);
/// values /= counts, NaN where the count is 0.
void divide_valid(double* values, const std::uint32_t* counts, std::int64_t count);
/// Sets NaN where the count is 0.
void blank_unseen(double* values, const std::uint32_t* counts, std::int64_t count);

}  // namespace epios::io::kernels
