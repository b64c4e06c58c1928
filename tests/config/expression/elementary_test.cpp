// The elementary functions against arithmetic of more digits, and all their forms against each
// other.
#include "config/elementary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "expression/vector_form.hpp"

namespace epios::config::elementary_test {
namespace {

using Op = ExpressionOp;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
const std::vector<Op> ops = {Op::cos, Op::sin, Op::tan, Op::exp, Op::log, Op::log10};
const std::vector<double> special = {
    0.0, -0.0, 1, -1, 2, 0.5, -2.5, 3, 15, 1e5, 1e14, 1e22, 1e300, -1e300, 709.78, 709.79, -745.1,
    -745.2, 1e-310, smallest, -smallest, infinity, -infinity, nan,
    // The ends of where results are finite, of exp here and of SLEEF's.
    709.78271289338397, 709.78271289338409, 709.78271114955737, 709.78271114955760, 709.782712,
    -745.13321910194122, std::numeric_limits<double>::max(), -std::numeric_limits<double>::max(),
    1023.9999999999999, 1e308, 1 + 0x1p-52, 1 - 0x1p-53};

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Values as fields have them, of all sizes and of any bits, in turns: neighbours take different
/// ways inside the functions.
std::vector<double> mixed_values(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> usual(-30, 30);
  std::uniform_real_distribution<double> size(-308, 308);
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) {
    switch (random() % 8) {
      case 0:
        out.push_back(special[random() % special.size()]);
        break;
      case 1:
        out.push_back(std::bit_cast<double>(random()));
        break;
      case 2:
        out.push_back((random() % 2 == 0 ? -1 : 1) * std::pow(10.0, size(random)));
        break;
      case 3:
        out.push_back(25 * usual(random));
        break;
      default:
        out.push_back(usual(random));
    }
  }
  return out;
}

long double exact(Op op, long double a) {
  switch (op) {
    case Op::cos:
      return std::cos(a);
    case Op::sin:
      return std::sin(a);
    case Op::tan:
      return std::tan(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    default:
      return std::log10(a);
  }
}

/// How far a value is from the exact one, in units of its last place.
double ulps(double value, long double exact) {
  const auto nearest = static_cast<double>(exact);
  if (std::isnan(nearest) || std::isnan(value) || std::isinf(nearest) || std::isinf(value)) {
    return same_bits(nearest, value) ? 0 : infinity;
  }
  if (exact == 0) return value == 0 ? 0 : infinity;
  const int exponent = std::max(std::ilogb(nearest), -1022) - 52;
  return static_cast<double>(std::abs(static_cast<long double>(value) - exact) /
                             std::ldexp(1.0L, exponent));
}

TEST(Elementary, forms_of_this_processor_are_there) {
  const std::vector<VectorForm> forms = vector_forms();
  ASSERT_FALSE(forms.empty());
  EXPECT_EQ(forms.front().width, 1);
#if defined(__x86_64__)
  EXPECT_EQ(forms.size(), __builtin_cpu_supports("avx") != 0 ? 3U : 2U);
#endif
}

TEST(Elementary, is_within_a_unit_of_the_last_place) {
  const std::vector<double> values = mixed_values(200'000, 1);
  for (const Op op : ops) {
    double worst = 0;
    double at = 0;
    for (const double a : values) {
      const double error = ulps(elementary(op, a), exact(op, a));
      if (error > worst) at = a;
      worst = std::max(worst, error);
    }
    EXPECT_LE(worst, 1.0) << name(op) << " of " << testing::PrintToString(at);
  }
}

// What one unit of the last place hides: infinities, and signs of the smallest results.
TEST(Elementary, the_ends_of_the_range_are_those_of_C) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_NEAR(elementary(Op::exp, 709.78271289338397) / 1e308, 1.7976931348622732, 1e-15);
  EXPECT_EQ(elementary(Op::exp, 709.78271289338409), infinity);
  EXPECT_EQ(power(largest, 1), largest);
  EXPECT_EQ(power(-largest, 1), -largest);
  EXPECT_EQ(power(2, 1024), infinity);
  for (const double a : special) {
    if (std::isnan(a)) continue;
    EXPECT_EQ(std::signbit(elementary(Op::sin, a)), std::signbit(std::sin(a))) << a;
    EXPECT_EQ(std::signbit(elementary(Op::tan, a)), std::signbit(std::tan(a))) << a;
    EXPECT_EQ(std::isinf(elementary(Op::exp, a)), std::isinf(std::exp(a))) << a;
    EXPECT_EQ(std::signbit(arc_tangent(a)), std::signbit(std::atan(a))) << a;
    for (const double b : special) {
      if (std::isnan(b)) continue;
      const double mine = power(a, b);
      const double theirs = std::pow(a, b);
      EXPECT_EQ(std::isinf(mine), std::isinf(theirs)) << a << " ^ " << b;
      if (std::isnan(theirs)) continue;
      EXPECT_EQ(std::signbit(mine), std::signbit(theirs)) << a << " ^ " << b;
      EXPECT_EQ(std::signbit(arc_tangent(a, b)), std::signbit(std::atan2(a, b))) << a << ", " << b;
    }
  }
  EXPECT_EQ(elementary(Op::tan, -smallest), -smallest);
}

TEST(Elementary, power_is_within_a_unit_of_the_last_place) {
  const std::vector<double> bases = mixed_values(200'000, 2);
  const std::vector<double> exponents = mixed_values(200'000, 3);
  double worst = 0;
  std::string at;
  const auto look = [&](double base, double exponent) {
    const double error = ulps(power(base, exponent), std::pow(static_cast<long double>(base),
                                                              static_cast<long double>(exponent)));
    if (error <= worst) return;
    worst = error;
    at = testing::PrintToString(base) + " ^ " + testing::PrintToString(exponent);
  };
  for (std::size_t i = 0; i < bases.size(); ++i) {
    look(bases[i], exponents[i]);
    look(std::abs(bases[i]), exponents[i] / 10);
    look(bases[i], std::round(exponents[i] / 4));
  }
  for (const double base : special) {
    for (const double exponent : special) look(base, exponent);
  }
  EXPECT_LE(worst, 1.0) << at;
}

// What people know by heart.
TEST(Elementary, round_results_are_exact) {
  EXPECT_EQ(elementary(Op::exp, 0), 1);
  EXPECT_EQ(elementary(Op::log, 1), 0);
  EXPECT_EQ(elementary(Op::cos, 0), 1);
  double ten = 1;
  for (int i = 0; i <= 22; ++i) {
    EXPECT_EQ(power(10, i), ten);
    EXPECT_EQ(elementary(Op::log10, ten), i);
    ten *= 10;
  }
  for (int base = -20; base <= 20; ++base) {
    double product = 1;
    for (int exponent = 0; std::abs(product) < 9e15 && exponent < 60; ++exponent) {
      EXPECT_EQ(power(base, exponent), product) << base << " ^ " << exponent;
      product *= base;
    }
  }
  for (int i = 1; i < 1000; ++i) {
    EXPECT_EQ(power(i * i, 0.5), i);
    EXPECT_EQ(power(i, 1), i);
  }
  for (int i = -1074; i < 1024; ++i) EXPECT_EQ(power(2, i), std::ldexp(1.0, i)) << i;
}

/// One form against numbers one by one: runs of any length, at any address, in place.
void compare(const VectorForm& form, const std::vector<double>& a, const std::vector<double>& b) {
  std::mt19937 random(4);
  std::vector<double> to(a.size() + 8);
  for (std::size_t first = 0; first < a.size();) {
    const std::size_t count = std::min<std::size_t>(random() % 11, a.size() - first);
    const auto length = static_cast<std::int64_t>(count);
    const std::size_t place = first + random() % 4;
    for (const Op op : ops) {
      to[place + count] = -7;
      form.elementary(op, a.data() + first, to.data() + place, length);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_TRUE(same_bits(to[place + i], elementary(op, a[first + i])))
            << form.name << ": " << name(op) << " of " << testing::PrintToString(a[first + i]);
      }
      ASSERT_EQ(to[place + count], -7) << form.name << " writes behind its run";
    }
    std::copy_n(a.data() + first, count, to.data() + place);
    form.power(to.data() + place, b.data() + first, to.data() + place, length);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_TRUE(same_bits(to[place + i], power(a[first + i], b[first + i])))
          << form.name << ": " << testing::PrintToString(a[first + i]) << " ^ "
          << testing::PrintToString(b[first + i]);
    }
    first += std::max<std::size_t>(count, 1);
  }
}

TEST(Elementary, forms_have_the_same_bits) {
  const std::vector<double> a = mixed_values(60'000, 5);
  const std::vector<double> b = mixed_values(60'000, 6);
  for (const VectorForm& form : vector_forms()) compare(form, a, b);
}

TEST(Elementary, arrays_take_one_of_the_forms) {
  const std::vector<double> a = mixed_values(1000, 7);
  std::vector<double> to(a.size());
  for (const Op op : ops) {
    elementary(op, a.data(), to.data(), static_cast<std::int64_t>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_TRUE(same_bits(to[i], elementary(op, a[i])));
  }
  EXPECT_TRUE(std::isnan(elementary(Op::sqrt, 4)));
}

}  // namespace
}  // namespace epios::config::elementary_test
