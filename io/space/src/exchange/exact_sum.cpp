#include "exchange/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "config/index.hpp"

namespace epios::io {

namespace {

constexpr int mantissa_bits = 52;
constexpr std::uint64_t mantissa_mask = (std::uint64_t{1} << mantissa_bits) - 1;
constexpr int special = 2047;          // exponent of infinities
constexpr int most_adds = 1024;        // before chunks could overflow
constexpr int least_exponent = -1074;  // exponent of the unit of the first chunk
__extension__ using Wide = unsigned __int128;

int bits_of(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                   : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
}

}  // namespace

void ExactSum::clear() {
  if (most_ >= 0) {
    std::fill(sum_.begin() + least_, sum_.begin() + most_ + 1, std::int64_t{0});
  }
  sum_[chunks] = sum_[chunks + 1] = 0;
  least_ = static_cast<int>(chunks);
  most_ = -1;
  adds_ = 0;
}

void ExactSum::add(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int exponent = static_cast<int>(bits >> mantissa_bits) & special;
  const bool is_negative = (bits >> 63U) != 0;
  if (exponent == special) {
    ++sum_[is_negative ? chunks + 1 : chunks];
    return;
  }
  std::uint64_t mantissa = bits & mantissa_mask;
  if (exponent != 0) mantissa |= std::uint64_t{1} << mantissa_bits;
  const int position = exponent == 0 ? 0 : exponent - 1;
  const int chunk = position / 32;
  const auto shift = static_cast<unsigned>(position % 32);
  const auto low = static_cast<std::int64_t>((mantissa << shift) & 0xFFFFFFFFU);
  const auto high = static_cast<std::int64_t>(mantissa >> (32U - shift));
  std::int64_t* const to = sum_.data() + chunk;
  to[0] += is_negative ? -low : low;
  to[1] += is_negative ? -high : high;
  least_ = std::min(least_, chunk);
  most_ = std::max(most_, chunk + 1);
  if (++adds_ == most_adds) carry();
}

/// All chunks but the last one become numbers of 32 bits without a sign.
void ExactSum::carry() {
  adds_ = 0;
  if (most_ < 0) return;
  constexpr int last = static_cast<int>(chunks) - 1;
  for (int c = least_; c < last && (c <= most_ || nth(sum_, c) != 0); ++c) {
    const auto at = static_cast<std::size_t>(c);
    const std::int64_t rest = sum_[at] & 0xFFFFFFFF;
    sum_[at + 1] += (sum_[at] - rest) / (std::int64_t{1} << 32U);
    sum_[at] = rest;
    if (sum_[at + 1] != 0) most_ = std::max(most_, c + 1);
  }
}

double ExactSum::value() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (sum_[chunks] != 0 && sum_[chunks + 1] != 0) return std::numeric_limits<double>::quiet_NaN();
  if (sum_[chunks] != 0) return infinity;
  if (sum_[chunks + 1] != 0) return -infinity;
  carry();
  ExactSum made = *this;
  const bool is_negative = made.sum_[chunks - 1] < 0;
  if (is_negative) {
    for (std::size_t c = 0; c < chunks; ++c) made.sum_[c] = -made.sum_[c];
    made.carry();
  }
  int top = made.most_;
  while (top >= 0 && nth(made.sum_, top) == 0) --top;
  if (top < 0) return 0;
  Wide leading = 0;
  for (int c = top; c > top - 4; --c) {
    leading <<= 32U;
    if (c >= 0) leading |= static_cast<std::uint64_t>(nth(made.sum_, c));
  }
  bool has_more = false;
  for (int c = top - 4; c >= 0; --c) {
    has_more = has_more || nth(made.sum_, c) != 0;
  }
  const int unit = 32 * (top - 3) + least_exponent;
  const int dropped = std::max(bits_of(leading) - mantissa_bits - 1, least_exponent - unit);
  auto mantissa = static_cast<std::uint64_t>(leading >> static_cast<unsigned>(dropped));
  const Wide one = 1;
  const Wide rest = leading & ((one << static_cast<unsigned>(dropped)) - 1);
  const Wide half = one << static_cast<unsigned>(dropped - 1);
  if (rest > half || (rest == half && (has_more || (mantissa & 1U) != 0))) ++mantissa;
  const double value = std::ldexp(static_cast<double>(mantissa), unit + dropped);
  return is_negative ? -value : value;
}

void ExactSum::store(std::span<std::int64_t> to) {
  carry();
  std::copy(sum_.begin(), sum_.end(), to.begin());
}

void ExactSum::add(std::span<const std::int64_t> stored) {
  carry();
  for (std::size_t w = 0; w < words; ++w) sum_[w] += stored[w];
  least_ = 0;
  most_ = static_cast<int>(chunks) - 1;
  carry();
}

}  // namespace epios::io
