/// @file
/// The real information in the bits of numbers: how much each bit of a number says about the same
/// bit of its neighbour (mutual information). Bits that say nothing are noise, and rounding them
/// away loses nothing. Method and test of significance: Klöwer et al. 2021,
/// doi 10.1038/s43588-021-00156-2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace epios::io {

/// Counts of pairs of neighbours, by bit: bit 0 is the sign. Counts of parts of a field add up.
struct BitPairs {
  std::int64_t pairs = 0;
  std::array<std::int64_t, 64> first{};   ///< pairs whose first number has the bit
  std::array<std::int64_t, 64> second{};  ///< pairs whose second number has it
  std::array<std::int64_t, 64> both{};    ///< pairs in which both have it

  BitPairs& operator+=(const BitPairs& other);
};

/// Counts the pairs (first[i], second[i]). `T` is float or double. Pairs with NaN or with a value
/// equal to `missing` are left out. Both spans have the same length; they may overlap. Takes about
/// 3 ns per pair.
template <class T>
BitPairs count_bit_pairs(std::span<const T> first, std::span<const T> second,
                         T missing = std::numeric_limits<T>::quiet_NaN());

/// Counts the pairs of neighbours along one dimension of an array in C order: blocks of `length`
/// rows of `inner` numbers each. Lines are not wrapped.
template <class T>
BitPairs count_neighbours(std::span<const T> values, std::size_t length, std::size_t inner,
                          T missing = std::numeric_limits<T>::quiet_NaN());

/// The information of the bits of a type: 32 or 64, bit 0 is the sign.
struct BitInformation {
  std::vector<double> bits;  ///< bits per number, each between 0 and 1
  std::vector<bool>
      is_even;  ///< bits that a quarter to three quarters of the numbers have, as noise does
};

/// Returns the information of each of `bits` bits (32 or 64). It is 0 where random bits would show
/// as much with a probability above 1 - `confidence`, and without pairs.
BitInformation information_of(const BitPairs& counts, int bits, double confidence = 0.99);
/// Returns the mean over the dimensions of a field, at least one.
BitInformation mean_of(const std::vector<BitInformation>& dimensions);

/// Returns the information of a field's array in C order: the mean over the dimensions `shape` that
/// have neighbours. `T` is float or double.
template <class T>
BitInformation information_of_array(std::span<const T> values,
                                    const std::vector<std::int64_t>& shape,
                                    T missing = std::numeric_limits<T>::quiet_NaN());

/// Says which bits of a field to keep.
struct KeptBits {
  int mantissa_bits = 0;  ///< explicit mantissa bits that keep the share; 0: sign and exponent do
  double total = 0;       ///< information of a number, in bits
  /// First bit with artificial information, or -1: the last bits carry some, or several behind two
  /// bits of noise, as in packed, interpolated or converted data. It is not counted.
  int artificial_from = -1;
};

/// Returns how many mantissa bits keep `share` (such as 0.99) of the information.
KeptBits bits_to_keep(const BitInformation& information, double share);

}  // namespace epios::io
