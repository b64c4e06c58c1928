/// @file
/// Sums without rounding.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace epios::io {

/// A sum of doubles that is exact until it is read, so that neither the order nor the place of
/// additions changes a bit: integers of 32 bits each over the whole range of doubles, with room for
/// carries (R. Neal, Fast exact summation using small and large superaccumulators, 2015,
/// arXiv:1505.05571). NaN must not be added.
class ExactSum {
 public:
  static constexpr std::size_t chunks = 67;
  /// Encoded as numbers: the chunks, then the numbers of added infinities and minus infinities.
  static constexpr std::size_t words = chunks + 2;

  void clear();
  void add(double value);
  /// Returns the nearest double, ties to even.
  double value();
  /// Stores `words` numbers, which add() of other sums accepts.
  void store(std::span<std::int64_t> to);
  void add(std::span<const std::int64_t> stored);

 private:
  void carry();

  std::array<std::int64_t, words> sum_{};
  int least_ = static_cast<int>(chunks);  ///< chunks in use: [least_, most_]
  int most_ = -1;
  int adds_ = 0;  ///< since the last carry
};

}  // namespace epios::io
