// Counts and information of bits are those of the definition, taken one pair and one bit at a time.
#include "grid/bit_information.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <type_traits>

namespace bit_information_test {

using namespace epios::io;

template <class T>
bool bit_of(T value, int bit) {
  using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return ((std::bit_cast<Word>(value) >> (8 * sizeof(T) - 1 - static_cast<std::size_t>(bit))) &
          1) != 0;
}

// The four cells of the table of one bit.
template <class T>
std::array<double, 4> cells(const std::vector<T>& first, const std::vector<T>& second, int bit,
                            T missing) {
  std::array<double, 4> out{};
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (std::isnan(first[i]) || std::isnan(second[i]) || first[i] == missing ||
        second[i] == missing)
      continue;
    out[(bit_of(first[i], bit) ? 2U : 0U) + (bit_of(second[i], bit) ? 1U : 0U)] += 1;
  }
  return out;
}

double information(const std::array<double, 4>& cells) {
  const double n = cells[0] + cells[1] + cells[2] + cells[3];
  double sum = 0;
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 2; ++b) {
      const double p = cells[2 * a + b] / n;
      const double pa = (cells[2 * a] + cells[2 * a + 1]) / n;
      const double pb = (cells[b] + cells[2 + b]) / n;
      if (p > 0) sum += p * std::log2(p / pa / pb);
    }
  }
  return sum;
}

template <class T>
void compare_with_definition(std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::normal_distribution<double> normal(0, 3);
  std::vector<T> first(count), second(count);
  for (std::size_t i = 0; i < count; ++i) {
    first[i] = static_cast<T>(normal(random));
    second[i] = static_cast<T>(static_cast<double>(first[i]) + 0.01 * normal(random));
    if (i % 17 == 3) first[i] = T{1e20F};
    if (i % 23 == 5) second[i] = std::numeric_limits<T>::quiet_NaN();
  }
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  const BitPairs counts = count_bit_pairs<T>(first, second, T{1e20F});
  const BitInformation found = information_of(counts, bits, 0.99);
  for (int bit = 0; bit < bits; ++bit) {
    const auto b = static_cast<std::size_t>(bit);
    const auto wanted = cells(first, second, bit, T{1e20F});
    EXPECT_EQ(static_cast<double>(counts.both[b]), wanted[3]) << bit;
    EXPECT_EQ(static_cast<double>(counts.first[b]), wanted[2] + wanted[3]) << bit;
    EXPECT_EQ(static_cast<double>(counts.second[b]), wanted[1] + wanted[3]) << bit;
    EXPECT_EQ(static_cast<double>(counts.pairs), wanted[0] + wanted[1] + wanted[2] + wanted[3]);
    // z = 2.5758 for 99 %.
    const double p =
        std::min(1.0, 0.5 + 2.5758293 / 2 / std::sqrt(static_cast<double>(counts.pairs)));
    const double chance = p < 1 ? 1 + p * std::log2(p) + (1 - p) * std::log2(1 - p) : 1;
    const double of_bit = information(wanted);
    if (std::abs(of_bit - chance) < 1e-6) continue;
    EXPECT_NEAR(found.bits[b], of_bit > chance ? of_bit : 0, 1e-9) << bit;
  }
}

TEST(BitInformation, IsThatOfItsDefinition) {
  for (const std::size_t count : {1U, 2U, 255U, 256U, 257U, 5000U}) {
    compare_with_definition<float>(count);
    compare_with_definition<double>(count);
  }
}

TEST(BitInformation, NeighboursAreThoseOfTheDimension) {
  const std::vector<float> values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};  // 2 x 3 x 2
  const auto pairs_of = [&](std::size_t length, std::size_t inner) {
    return count_neighbours<float>(values, length, inner).pairs;
  };
  EXPECT_EQ(pairs_of(2, 1), 6);
  EXPECT_EQ(pairs_of(3, 2), 8);
  EXPECT_EQ(pairs_of(2, 6), 6);
  EXPECT_EQ(pairs_of(1, 1), 0);
  const std::vector<float> first{0, 1, 2, 3, 6, 7, 8, 9}, second{2, 3, 4, 5, 8, 9, 10, 11};
  const BitPairs along = count_neighbours<float>(values, 3, 2);
  const BitPairs listed = count_bit_pairs<float>(first, second);
  EXPECT_EQ(along.both, listed.both);
  EXPECT_EQ(along.first, listed.first);
  BitPairs parts = count_bit_pairs<float>(std::span(first).first(3), std::span(second).first(3));
  parts += count_bit_pairs<float>(std::span(first).subspan(3), std::span(second).subspan(3));
  EXPECT_EQ(parts.both, along.both);
  EXPECT_EQ(parts.pairs, along.pairs);
}

std::vector<float> smooth_with_noise(double noise) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal(0, noise);
  std::vector<float> out;
  for (int i = 0; i < 100000; ++i)
    out.push_back(static_cast<float>(300 + 20 * std::sin(i * 1e-3) + normal(random)));
  return out;
}

KeptBits kept_of(const std::vector<float>& values) {
  return bits_to_keep(information_of(count_neighbours<float>(values, values.size(), 1), 32), 0.99);
}

TEST(BitInformation, NoiseIsNotKept) {
  const KeptBits coarse = kept_of(smooth_with_noise(1)), fine = kept_of(smooth_with_noise(0.01));
  EXPECT_EQ(coarse.artificial_from, -1);
  EXPECT_EQ(fine.artificial_from, -1);
  EXPECT_GT(coarse.total, 1);
  // A hundredth of the noise is between six and seven bits more.
  EXPECT_NEAR(fine.mantissa_bits - coarse.mantissa_bits, 6.6, 1.5);
  EXPECT_LT(fine.mantissa_bits, 17);  // 300 K to a hundredth: 15 bits
}

TEST(BitInformation, ArtificialInformationIsSeen) {
  std::vector<float> packed = smooth_with_noise(1);  // as small integers with a scale
  for (float& value : packed) value = 250 + 0.7F * std::round((value - 250) / 0.7F);
  std::vector<float> dry = smooth_with_noise(1);  // as rain: long stretches of nothing
  for (std::size_t i = 0; i < dry.size(); ++i) dry[i] = i / 1000 % 2 == 0 ? 0 : dry[i];
  for (const auto& values : {packed, dry}) {
    EXPECT_GE(kept_of(values).artificial_from, 9);
    EXPECT_LT(kept_of(values).mantissa_bits, 12);
  }
  std::vector<float> rounded = smooth_with_noise(1);  // bits are zero: no noise, no information
  for (float& value : rounded)
    value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFF8000U);
  EXPECT_EQ(kept_of(rounded).artificial_from, -1);
  EXPECT_NEAR(kept_of(rounded).mantissa_bits, kept_of(smooth_with_noise(1)).mantissa_bits, 1);
  const std::vector<float> constant(1000, 7.0F);
  EXPECT_EQ(kept_of(constant).total, 0);
  EXPECT_EQ(kept_of(constant).mantissa_bits, 0);
}

// Numbers of one size have the first bits of the mantissa in common: that is not the end of what
// bits say, whatever the last ones say.
TEST(BitInformation, GoesOnBehindBitsThatNeverChange) {
  std::vector<float> few;
  for (int j = 0; j < 40; ++j) {
    for (int i = 0; i < 60; ++i) {
      few.push_back(static_cast<float>(280 + 10 * std::sin(i / 10.0) + 5 * std::cos(j / 8.0)));
    }
  }
  const KeptBits kept = bits_to_keep(information_of_array<float>(few, {40, 60}), 0.99);
  EXPECT_GE(kept.artificial_from, 9) << "all bits of a function say something of its neighbours";
  EXPECT_GT(kept.total, 1);
  EXPECT_GT(kept.mantissa_bits, 4);
}

}  // namespace bit_information_test
