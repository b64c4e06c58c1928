// Counts bits of neighbours by carry-save adders, then takes their mutual information.
// Sixteen words of a lane are added bit by bit as one binary number per bit; only its sixteens are
// looked at one bit at a time. Lanes lie beside each other, so that the compiler takes several at
// once.
#include "grid/bit_information.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "config/index.hpp"
#include "grid/index.hpp"

namespace epios::io {

namespace {

template <class Word>
void add_carry(Word& high, Word& low, Word a, Word b) {
  const Word either = low ^ a;
  high = (low & a) | (either & b);
  low = either ^ b;
}

/// How many of many words have each bit.
template <class Word>
class BitSums {
 public:
  static constexpr std::size_t lanes = 64 / sizeof(Word);
  static constexpr std::size_t depth = 16;
  static constexpr std::size_t block = lanes * depth;
  static constexpr int bits = 8 * static_cast<int>(sizeof(Word));

  void add(const std::array<Word, block>& words) {
    for (std::size_t l = 0; l < lanes; ++l) {
      Word twos_a, twos_b, fours_a, fours_b, eights_a, eights_b;
      const auto word = [&](std::size_t row) { return words[row * lanes + l]; };
      add_carry(twos_a, ones_[l], word(0), word(1));
      add_carry(twos_b, ones_[l], word(2), word(3));
      add_carry(fours_a, twos_[l], twos_a, twos_b);
      add_carry(twos_a, ones_[l], word(4), word(5));
      add_carry(twos_b, ones_[l], word(6), word(7));
      add_carry(fours_b, twos_[l], twos_a, twos_b);
      add_carry(eights_a, fours_[l], fours_a, fours_b);
      add_carry(twos_a, ones_[l], word(8), word(9));
      add_carry(twos_b, ones_[l], word(10), word(11));
      add_carry(fours_a, twos_[l], twos_a, twos_b);
      add_carry(twos_a, ones_[l], word(12), word(13));
      add_carry(twos_b, ones_[l], word(14), word(15));
      add_carry(fours_b, twos_[l], twos_a, twos_b);
      add_carry(eights_b, fours_[l], fours_a, fours_b);
      add_carry(sixteens_[l], eights_[l], eights_a, eights_b);
    }
    for (std::size_t b = 0; b < static_cast<std::size_t>(bits); ++b) {
      for (std::size_t l = 0; l < lanes; ++l) by_lane_[b][l] += (sixteens_[l] >> b) & Word{1};
    }
    if (++blocks_ == most_blocks) empty_lanes();
  }

  /// Adds the sums to counts whose bit 0 is the highest one, the sign.
  void finish(std::array<std::int64_t, 64>& counts) {
    empty_lanes();
    for (int b = 0; b < bits; ++b) {
      const auto has = [&](const Lanes& words) {
        std::int64_t sum = 0;
        for (const Word word : words) sum += static_cast<std::int64_t>((word >> b) & Word{1});
        return sum;
      };
      nth(counts, bits - 1 - b) += 16 * nth(sixteens_of_, b) + 8 * has(eights_) + 4 * has(fours_) +
                                   2 * has(twos_) + has(ones_);
    }
  }

 private:
  using Lanes = std::array<Word, lanes>;
  static constexpr int most_blocks = 1 << 30;  // before a lane's counter is full

  void empty_lanes() {
    for (std::size_t b = 0; b < static_cast<std::size_t>(bits); ++b) {
      for (Word& count : by_lane_[b]) {
        sixteens_of_[b] += static_cast<std::int64_t>(count);
        count = 0;
      }
    }
    blocks_ = 0;
  }

  Lanes ones_{}, twos_{}, fours_{}, eights_{}, sixteens_{};
  std::array<Lanes, static_cast<std::size_t>(bits)> by_lane_{};
  std::array<std::int64_t, static_cast<std::size_t>(bits)> sixteens_of_{};
  int blocks_ = 0;
};

template <class T>
class PairCounter {
 public:
  using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

  explicit PairCounter(T missing) : missing_(missing) {}

  void add(std::span<const T> first, std::span<const T> second) {
    for (std::size_t i = 0; i < first.size();) {
      if (held_ == 0 && first.size() - i >= a_.size() && take_block(&first[i], &second[i])) {
        i += a_.size();
        continue;
      }
      const std::size_t end = std::min(first.size(), i + BitSums<Word>::block - held_);
      for (; i < end; ++i) {
        a_[held_] = std::bit_cast<Word>(first[i]);
        b_[held_] = std::bit_cast<Word>(second[i]);
        held_ += static_cast<std::size_t>(is_value(first[i])) &
                 static_cast<std::size_t>(is_value(second[i]));
      }
      if (held_ == BitSums<Word>::block) empty();
    }
  }

  BitPairs finish() {
    std::fill(a_.begin() + static_cast<std::ptrdiff_t>(held_), a_.end(), Word{0});
    std::fill(b_.begin() + static_cast<std::ptrdiff_t>(held_), b_.end(), Word{0});
    empty();
    BitPairs out;
    out.pairs = pairs_;
    first_.finish(out.first);
    second_.finish(out.second);
    both_.finish(out.both);
    return out;
  }

 private:
  bool is_value(T value) const { return (value == value) & (value != missing_); }

  /// Mostly all pairs of a block count: then nothing has to be moved together.
  bool take_block(const T* first, const T* second) {
    Word none = 0;
    for (std::size_t k = 0; k < a_.size(); ++k) {
      a_[k] = std::bit_cast<Word>(first[k]);
      b_[k] = std::bit_cast<Word>(second[k]);
      none |= is_value(first[k]) ? Word{0} : Word{1};
      none |= is_value(second[k]) ? Word{0} : Word{1};
    }
    if (none != 0) return false;
    held_ = a_.size();
    empty();
    return true;
  }

  void empty() {
    first_.add(a_);
    second_.add(b_);
    for (std::size_t i = 0; i < a_.size(); ++i) b_[i] &= a_[i];
    both_.add(b_);
    pairs_ += static_cast<std::int64_t>(held_);
    held_ = 0;
  }

  T missing_;
  std::array<Word, BitSums<Word>::block> a_{}, b_{};
  std::size_t held_ = 0;
  std::int64_t pairs_ = 0;
  BitSums<Word> first_, second_, both_;
};

double share_of(std::int64_t count, std::int64_t all) {
  return static_cast<double>(count) / static_cast<double>(all);
}

double entropy(double p) {
  const auto term = [](double q) { return q > 0 ? -q * std::log2(q) : 0; };
  return term(p) + term(1 - p);
}

/// The value that a standard normal variable stays below with probability `p`, above one half:
/// Newton's steps on the error function.
double normal_quantile(double p) {
  double z = 2;
  for (int i = 0; i < 50; ++i) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0));
    const double step = (std::erfc(-z / std::sqrt(2.0)) / 2 - p) / density;
    z -= std::clamp(step, -1.0, 1.0);
  }
  return z;
}

double mutual_information(const BitPairs& counts, std::size_t bit) {
  const std::int64_t n = counts.pairs;
  const std::int64_t both = counts.both[bit], first = counts.first[bit],
                     second = counts.second[bit];
  const auto term = [n](std::int64_t joint, std::int64_t a, std::int64_t b) {
    if (joint == 0) return 0.0;
    const double p = share_of(joint, n);
    return p * std::log2(p / (share_of(a, n) * share_of(b, n)));
  };
  return term(both, first, second) + term(first - both, first, n - second) +
         term(second - both, n - first, second) +
         term(n - first - second + both, n - first, n - second);
}

/// The last bits of a measured or computed number say nothing. Where they do, all bits may repeat
/// that much.
double artificial_floor(const std::vector<double>& bits) {
  constexpr std::ptrdiff_t last = 4;
  const auto some = [](double bit) { return bit > 0; };
  if (std::count_if(bits.end() - last, bits.end(), some) < 2) return 0;
  return 1.5 * *std::max_element(bits.end() - last, bits.end());
}

/// One bit may pass the test by chance; several that carry a hundredth of the whole do not.
int artificial_bit(const std::vector<double>& bits, std::size_t end, double total) {
  int first = -1;
  int count = 0;
  double sum = 0;
  for (std::size_t b = end; b < bits.size(); ++b) {
    if (bits[b] == 0) continue;
    if (count++ == 0) first = static_cast<int>(b);
    sum += bits[b];
  }
  return count > 1 && sum > 0.01 * total ? first : -1;
}

}  // namespace

BitPairs& BitPairs::operator+=(const BitPairs& other) {
  pairs += other.pairs;
  for (std::size_t b = 0; b < first.size(); ++b) {
    first[b] += other.first[b];
    second[b] += other.second[b];
    both[b] += other.both[b];
  }
  return *this;
}

template <class T>
BitPairs count_bit_pairs(std::span<const T> first, std::span<const T> second, T missing) {
  PairCounter<T> counter(missing);
  counter.add(first, second);
  return counter.finish();
}

template <class T>
BitPairs count_neighbours(std::span<const T> values, std::size_t length, std::size_t inner,
                          T missing) {
  PairCounter<T> counter(missing);
  const std::size_t block = length * inner;
  if (length > 1) {
    for (std::size_t at = 0; block > 0 && at + block <= values.size(); at += block) {
      counter.add(values.subspan(at, block - inner), values.subspan(at + inner, block - inner));
    }
  }
  return counter.finish();
}

template BitPairs count_bit_pairs(std::span<const float>, std::span<const float>, float);
template BitPairs count_bit_pairs(std::span<const double>, std::span<const double>, double);
template BitPairs count_neighbours(std::span<const float>, std::size_t, std::size_t, float);
template BitPairs count_neighbours(std::span<const double>, std::size_t, std::size_t, double);

BitInformation information_of(const BitPairs& counts, int bits, double confidence) {
  const auto size = static_cast<std::size_t>(bits);
  BitInformation out{std::vector<double>(size, 0.0), std::vector<bool>(size, false)};
  if (counts.pairs == 0) return out;
  const double z = normal_quantile(1 - (1 - confidence) / 2);
  const double p = std::min(1.0, 0.5 + z / (2 * std::sqrt(static_cast<double>(counts.pairs))));
  const double chance = 1 - entropy(p);
  for (std::size_t b = 0; b < size; ++b) {
    const double found = mutual_information(counts, b);
    out.bits[b] = found > chance ? found : 0;
    const std::int64_t have = counts.first[b] + counts.second[b];
    out.is_even[b] = 2 * have > counts.pairs && 2 * have < 3 * counts.pairs;
  }
  return out;
}

BitInformation mean_of(const std::vector<BitInformation>& dimensions) {
  BitInformation out = dimensions.front();
  for (std::size_t b = 0; b < out.bits.size(); ++b) {
    for (std::size_t d = 1; d < dimensions.size(); ++d) {
      out.bits[b] += dimensions[d].bits[b];
      out.is_even[b] = out.is_even[b] && dimensions[d].is_even[b];
    }
    out.bits[b] /= static_cast<double>(dimensions.size());
  }
  return out;
}

template <class T>
BitInformation information_of_array(std::span<const T> values,
                                    const std::vector<std::int64_t>& shape, T missing) {
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  std::vector<BitInformation> dimensions;
  std::size_t inner = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    const std::size_t length = as_index(shape[d]);
    if (length > 1) {
      dimensions.push_back(
          information_of(count_neighbours<T>(values, length, inner, missing), bits));
    }
    inner *= length;
  }
  return dimensions.empty() ? information_of({}, bits) : mean_of(dimensions);
}

template BitInformation information_of_array<float>(std::span<const float>,
                                                    const std::vector<std::int64_t>&, float);
template BitInformation information_of_array<double>(std::span<const double>,
                                                     const std::vector<std::int64_t>&, double);

KeptBits bits_to_keep(const BitInformation& information, double share) {
  const std::vector<double>& bits = information.bits;
  const std::size_t before_mantissa = bits.size() == 32 ? 9 : 12;
  const double floor = artificial_floor(bits);
  // A bit that hardly changes says nothing either, in front of those that do.
  const auto is_noise = [&](std::size_t b) {
    return bits[b] <= floor && (bits[b] > 0 || information.is_even[b]);
  };
  KeptBits out;
  // Real information ends once and does not begin again: two bits of noise are its end.
  std::size_t end = before_mantissa;
  while (end < bits.size() && !(is_noise(end) && (end + 1 == bits.size() || is_noise(end + 1))))
    ++end;
  for (std::size_t b = 0; b < end; ++b) out.total += bits[b];
  out.artificial_from = floor > 0 ? static_cast<int>(end) : artificial_bit(bits, end, out.total);
  double kept = 0;
  std::size_t last = 0;
  for (std::size_t b = 0; b < end && kept < share * out.total; ++b) {
    kept += bits[b];
    last = b + 1;
  }
  out.mantissa_bits = static_cast<int>(last > before_mantissa ? last - before_mantissa : 0);
  return out;
}

}  // namespace epios::io
