#include "grid/box.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "config/error.hpp"
#include "random.hpp"

namespace epios::io::box_test {
namespace {

using test::for_each_point;
using test::Random;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Box, TextHasExclusiveEnds) {
  EXPECT_EQ((Box{{0, 20}, {10, 20}}.text()), "[0:10, 20:40]");
  EXPECT_EQ(Box{}.text(), "[]");
}

TEST(Box, WithoutDimensionsHoldsOnePoint) {
  const Box scalar = whole({});
  EXPECT_EQ(scalar.volume(), 1);
  EXPECT_EQ(intersect(scalar, scalar), scalar);
  EXPECT_TRUE(contains(scalar, scalar));
  EXPECT_EQ(contiguous_offset(scalar, scalar), 0);
}

TEST(Box, NothingIsEmptyInEveryRank) {
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const Box none = nothing(rank);
    EXPECT_TRUE(none.is_empty());
    const Box all = whole(Extents(rank, 5));
    EXPECT_EQ(intersect(none, all), std::nullopt);
    EXPECT_TRUE(contains(all, none));
    EXPECT_FALSE(contains(none, all));
  }
}

TEST(Box, BoxesOfDifferentRankAreABug) {
  EXPECT_THROW(intersect(whole({2}), whole({2, 2})), Error);
}

TEST(Box, IntersectAndContainsAgreeWithPoints) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Extents shape = random.shape(3, 5);
    const Box a = random.box(shape, true);
    const Box b = random.box(shape, true);
    std::int64_t common = 0;
    for_each_point(a, [&](const Extents& point, std::int64_t) {
      if (test::has_point(b, point)) ++common;
    });
    const auto both = intersect(a, b);
    EXPECT_EQ(both ? both->volume() : 0, common);
    if (both) {
      for_each_point(*both, [&](const Extents& point, std::int64_t) {
        EXPECT_TRUE(test::has_point(a, point) && test::has_point(b, point));
      });
    }
    EXPECT_EQ(contains(a, b), common == b.volume());
  }
}

TEST(Box, ContiguousOffsetAgreesWithPoints) {
  int contiguous = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Extents shape = random.shape(4, 4);
    const Box box = random.box(shape);
    Box part = random.box(box.size);
    for (std::size_t d = 0; d < part.rank(); ++d) part.begin[d] += box.begin[d];
    std::map<Extents, std::int64_t> place;
    for_each_point(box, [&](const Extents& point, std::int64_t n) { place[point] = n; });
    const std::int64_t first = place.at(part.begin);
    bool is_run = true;
    for_each_point(part, [&](const Extents& point, std::int64_t n) {
      is_run = is_run && place.at(point) == first + n;
    });
    EXPECT_EQ(contiguous_offset(box, part), is_run ? std::optional(first) : std::nullopt);
    contiguous += is_run ? 1 : 0;
  }
  EXPECT_GT(contiguous, 50);
  EXPECT_LT(contiguous, 450);
  EXPECT_EQ(contiguous_offset(Box{{2}, {3}}, Box{{1}, {2}}), std::nullopt);
}

/// The plain statement of copy_region.
template <class From, class To>
void copy_by_points(const std::vector<From>& from, const Box& from_box, std::vector<To>& to,
                    const Box& to_box, const Box& region) {
  std::map<Extents, std::int64_t> source;
  for_each_point(from_box, [&](const Extents& point, std::int64_t n) { source[point] = n; });
  for_each_point(to_box, [&](const Extents& point, std::int64_t n) {
    if (test::has_point(region, point)) {
      to[static_cast<std::size_t>(n)] =
          static_cast<To>(from[static_cast<std::size_t>(source.at(point))]);
    }
  });
}

template <class From, class To>
void check_copies(unsigned first_seed) {
  for (unsigned seed = first_seed; seed < first_seed + 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Extents shape = random.shape(5, 4);
    const Box from_box = random.box(shape);
    const Box to_box = random.box(shape);
    auto region = intersect(from_box, to_box);
    if (!region) continue;
    for (std::size_t d = 0; d < region->rank(); ++d) {
      if (random.flip()) region->size[d] = random.pick(1, region->size[d]);
    }
    std::vector<From> from(static_cast<std::size_t>(from_box.volume()));
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<From>(0.1) + From(i);
    std::vector<To> to(static_cast<std::size_t>(to_box.volume()), To(-1));
    std::vector<To> wanted = to;
    copy_by_points(from, from_box, wanted, to_box, *region);
    copy_region(std::span<const From>(from), from_box, std::span<To>(to), to_box, *region);
    EXPECT_EQ(to, wanted);
  }
}

TEST(CopyRegion, AgreesWithPoints) {
  check_copies<double, double>(0);
  check_copies<double, float>(1000);
  check_copies<float, float>(2000);
}

TEST(CopyRegion, RoundsToNearestAndKeepsNan) {
  const std::vector<double> from = {0.1, 1.0 + 1e-9, nan, -0.0, 1e300};
  std::vector<float> to(from.size());
  const Box box = whole({static_cast<std::int64_t>(from.size())});
  copy_region(std::span<const double>(from), box, std::span<float>(to), box, box);
  EXPECT_EQ(to[0], 0.1F);
  EXPECT_EQ(to[1], 1.0F);
  EXPECT_TRUE(std::isnan(to[2]));
  EXPECT_TRUE(std::signbit(to[3]));
  EXPECT_TRUE(std::isinf(to[4]));
}

TEST(CopyRegion, RegionOutsideIsABug) {
  std::vector<double> values(4);
  const Box box = whole({4});
  EXPECT_THROW(copy_region(std::span<const double>(values), box, std::span<double>(values), box,
                           Box{{2}, {3}}),
               Error);
  EXPECT_THROW(
      copy_region(std::span<const double>(values), box, std::span<double>(values), whole({5}), box),
      Error);
}

TEST(FillMissing, ReplacesOnlyNan) {
  std::vector<double> doubles = {1, nan, std::numeric_limits<double>::infinity(), nan};
  fill_missing(doubles, -9.0);
  EXPECT_EQ(doubles, (std::vector<double>{1, -9, std::numeric_limits<double>::infinity(), -9}));
  std::vector<float> floats = {std::numeric_limits<float>::quiet_NaN(), 2};
  fill_missing(floats, 1e20F);
  EXPECT_EQ(floats, (std::vector<float>{1e20F, 2}));
}

}  // namespace
}  // namespace epios::io::box_test
