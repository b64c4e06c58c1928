#include "grid/pattern.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "random.hpp"

namespace epios::io::pattern_test {
namespace {

using test::Random;

/// Places of a pattern by its definition: all combinations, the last element slowest.
std::vector<std::int64_t> expected_places(const std::vector<PatternFactor>& factors) {
  std::vector<std::int64_t> out = {0};
  std::int64_t stride = 1;
  for (const PatternFactor& factor : factors) {
    std::vector<std::int64_t> next;
    for (const PlaceRun& run : factor.runs) {
      for (std::int64_t k = 0; k < run.count; ++k) {
        for (const std::int64_t faster : out) next.push_back(faster + (run.place + k) * stride);
      }
    }
    out = std::move(next);
    stride *= factor.places;
  }
  return out;
}

std::vector<PatternFactor> random_factors(Random& random) {
  std::vector<PatternFactor> factors(static_cast<std::size_t>(random.pick(0, 4)));
  for (auto& factor : factors) {
    factor.places = random.pick(1, 6);
    switch (random.pick(0, 3)) {
      case 0:
        factor.runs = {{0, factor.places}};
        break;
      case 1:
        factor.runs = {{random.pick(0, factor.places - 1), 1}};
        break;
      default:
        for (std::int64_t runs = random.pick(0, 4); runs > 0; --runs) {
          const std::int64_t count = random.pick(0, factor.places);
          factor.runs.push_back({random.pick(0, factor.places - count), count});
        }
    }
  }
  return factors;
}

TEST(Pattern, GathersAndScattersTheProductOfItsFactors) {
  for (unsigned seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const std::vector<PatternFactor> factors = random_factors(random);
    const std::vector<std::int64_t> places = expected_places(factors);
    const Pattern pattern(factors);
    ASSERT_EQ(pattern.count(), static_cast<std::int64_t>(places.size()));

    std::vector<double> array(static_cast<std::size_t>(pattern.array_size()));
    std::iota(array.begin(), array.end(), 0.0);
    std::vector<float> packed(places.size(), -1);
    std::vector<double> same(places.size(), -1);
    std::vector<double> shifted(places.size(), -1);
    pattern.gather(array.data(), packed.data());
    pattern.gather(array.data(), same.data());
    pattern.gather(array.data(), shifted.data(), [](double value, std::int64_t place) {
      EXPECT_EQ(value, static_cast<double>(place));
      return value + 0.5;
    });
    std::vector<double> back(array.size(), -1);
    std::vector<double> some(array.size(), -1);
    pattern.scatter(packed.data(), back.data());
    pattern.scatter_if(packed.data(), some.data(), [](std::int64_t k) { return k % 3 == 0; });
    std::vector<double> expected_back(array.size(), -1);
    std::vector<double> expected_some(array.size(), -1);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto place = static_cast<std::size_t>(places[k]);
      ASSERT_EQ(packed[k], static_cast<float>(places[k]));
      ASSERT_EQ(same[k], static_cast<double>(places[k]));
      ASSERT_EQ(shifted[k], static_cast<double>(places[k]) + 0.5);
      expected_back[place] = static_cast<double>(places[k]);
      if (k % 3 == 0) expected_some[place] = static_cast<double>(places[k]);
    }
    ASSERT_EQ(back, expected_back);
    ASSERT_EQ(some, expected_some);

    std::vector<std::int64_t> all(array.size());
    std::iota(all.begin(), all.end(), 0);
    if (pattern.is_whole()) {
      ASSERT_EQ(places, all);
    }
  }
}

TEST(Pattern, GathersSlicesThatTogetherAreTheWhole) {
  for (unsigned seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pattern pattern(random_factors(random));
    std::vector<double> array(static_cast<std::size_t>(pattern.array_size()));
    std::iota(array.begin(), array.end(), 0.0);
    const auto twice = [](double value, std::int64_t place) {
      EXPECT_EQ(value, static_cast<double>(place));
      return 2 * value;
    };
    std::vector<double> whole(static_cast<std::size_t>(pattern.count()), -1);
    std::vector<float> whole_twice(whole.size(), -1);
    pattern.gather(array.data(), whole.data());
    pattern.gather(array.data(), whole_twice.data(), twice);
    std::vector<double> slices(whole.size(), -1);
    std::vector<float> slices_twice(whole.size(), -1);
    for (std::int64_t first = 0; first < pattern.count();) {
      const std::int64_t last = std::min(pattern.count(), first + random.pick(0, 9));
      pattern.gather_slice(array.data(), first, last, slices.data() + first);
      pattern.gather_slice(array.data(), first, last, slices_twice.data() + first, twice);
      first = last;
    }
    ASSERT_EQ(slices, whole);
    ASSERT_EQ(slices_twice, whole_twice);
  }
}

TEST(Pattern, PacksASliceAsThePlacesOfTheWhole) {
  const std::vector<PatternFactor> factors = {{5, {{1, 3}}}, {4, {{0, 1}, {2, 2}}}};
  const Pattern pattern(factors);
  std::vector<float> array(20);
  std::iota(array.begin(), array.end(), 0.0F);
  std::vector<double> whole(9);
  pack(pattern, std::span<const float>(array), 12.0, std::span(whole));
  std::vector<double> slice(4);
  pack_slice(pattern, std::span<const float>(array), 12.0, 2, std::span(slice));
  EXPECT_EQ(slice[0], 3);
  EXPECT_EQ(slice[1], 11);
  EXPECT_TRUE(std::isnan(slice[2]));
  EXPECT_EQ(slice[3], 13);
  EXPECT_TRUE(std::isnan(whole[4]));
  pack_slice(pattern, std::span<const float>(array), std::nullopt, 2, std::span(slice));
  EXPECT_EQ(slice[2], 12);
}

TEST(Pattern, KnowsTheWholeArray) {
  EXPECT_TRUE(Pattern({}).is_whole());
  const std::vector<PatternFactor> whole = {{4, {{0, 2}, {2, 2}}}, {3, {{0, 3}}}};
  EXPECT_TRUE(Pattern(whole).is_whole());
  const std::vector<PatternFactor> swapped = {{4, {{2, 2}, {0, 2}}}, {3, {{0, 3}}}};
  EXPECT_FALSE(Pattern(swapped).is_whole());
  const std::vector<PatternFactor> less = {{4, {{0, 4}}}, {3, {{0, 2}}}};
  EXPECT_FALSE(Pattern(less).is_whole());
  const std::vector<PatternFactor> none = {{4, {}}, {3, {{0, 3}}}};
  EXPECT_FALSE(Pattern(none).is_whole());
  EXPECT_EQ(Pattern(none).count(), 0);
}

}  // namespace
}  // namespace epios::io::pattern_test
