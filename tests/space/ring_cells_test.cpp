// Where the ring around a domain lies.
#include "elements/ring_cells.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "config/model.hpp"

namespace epios::io::ring_cells_test {
namespace {

using config::DomainAttributes;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using Numbers = std::vector<double>;

config::value::reals list(Numbers values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return {std::move(values), {size}};
}

DomainAttributes lists(Numbers lon, Numbers lat, Numbers bounds_lon = {}, Numbers bounds_lat = {}) {
  DomainAttributes out;
  out.lonvalue_1d = list(std::move(lon));
  out.latvalue_1d = list(std::move(lat));
  if (!bounds_lon.empty()) out.bounds_lon_1d = list(std::move(bounds_lon));
  if (!bounds_lat.empty()) out.bounds_lat_1d = list(std::move(bounds_lat));
  return out;
}

TEST(RingCells, centres_alone_go_on_by_their_distance) {
  DomainAttributes ring = lists({10, 40}, {5, 5});
  move_beyond_edge({0, 1}, lists({13, 36}, {5, 7}), true, Surface::sphere, ring);
  EXPECT_EQ(ring.lonvalue_1d->values, (Numbers{7, 44}));
  EXPECT_EQ(ring.latvalue_1d->values, (Numbers{5, 3}));
  EXPECT_FALSE(ring.bounds_lon_1d);
}

TEST(RingCells, what_is_no_part_of_the_ring_stays) {
  DomainAttributes ring = lists({10, 40}, {5, 5});
  move_beyond_edge({1}, lists({10, 36}, {5, 5}), true, Surface::sphere, ring);
  EXPECT_EQ(ring.lonvalue_1d->values, (Numbers{10, 44}));
}

// Columns of 2 and 4 degrees, rows of 1 and 3.
TEST(RingCells, sides_have_the_width_of_the_last_cell_and_touch_it) {
  DomainAttributes ring =
      lists({11, 11, 11}, {0.5, 0.5, 0.5}, {10, 12, 10, 12, 10, 12}, {0, 1, 0, 1, 0, 1});
  // To the left, below, at the corner.
  const DomainAttributes before =
      lists({14, 11, 14}, {0.5, 2.5, 2.5}, {12, 16, 10, 12, 12, 16}, {0, 1, 1, 4, 1, 4});
  move_beyond_edge({0, 1, 2}, before, true, Surface::sphere, ring);
  EXPECT_EQ(ring.lonvalue_1d->values, (Numbers{9, 11, 9}));
  EXPECT_EQ(ring.latvalue_1d->values, (Numbers{0.5, -0.5, -0.5}));
  EXPECT_EQ(ring.bounds_lon_1d->values, (Numbers{8, 10, 10, 12, 8, 10}));
  EXPECT_EQ(ring.bounds_lat_1d->values, (Numbers{0, 1, -1, 0, -1, 0}));
}

TEST(RingCells, latitudes_end_at_poles_and_lengths_do_not) {
  DomainAttributes ring = lists({10}, {89.5}, {9, 11}, {89, 90});
  move_beyond_edge({0}, lists({10}, {88.5}, {9, 11}, {88, 89}), true, Surface::sphere, ring);
  EXPECT_EQ(ring.latvalue_1d->values, Numbers{90});
  EXPECT_EQ(ring.bounds_lat_1d->values, (Numbers{90, 90}));
  DomainAttributes plane = lists({500}, {500});
  EXPECT_TRUE(has_lengths(plane));
  EXPECT_FALSE(has_lengths(ring));
  move_beyond_edge({0}, lists({250}, {250}), true, Surface::plane, plane);
  EXPECT_EQ(plane.lonvalue_1d->values, Numbers{750});
  EXPECT_EQ(plane.latvalue_1d->values, Numbers{750});
}

TEST(RingCells, longitudes_go_on_over_the_end_of_the_turn) {
  DomainAttributes ring = lists({359}, {0}, {358, 0}, {-1, 1});
  move_beyond_edge({0}, lists({1}, {0}, {0, 2}, {-1, 1}), true, Surface::sphere, ring);
  EXPECT_EQ(ring.lonvalue_1d->values, Numbers{357});
  EXPECT_EQ(ring.bounds_lon_1d->values, (Numbers{356, 358}));
}

/// Corners of cell (i, j) of a bent grid, counterclockwise from the lower left.
double lon_at(int i, int j) { return 2 * i + 0.5 * j; }
double lat_at(int i, int j) { return 3 * j - 0.25 * i; }
template <class At>
Numbers corners(int i, int j, At at) {
  return {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)};
}

// An even grid goes on to the last bit: whatever the side, the ring is the cells that would be
// there.
TEST(RingCells, bent_cells_go_on_as_they_lie) {
  for (int di = -1; di <= 1; ++di) {
    for (int dj = -1; dj <= 1; ++dj) {
      if (di == 0 && dj == 0) continue;
      DomainAttributes ring = lists({lon_at(0, 0) + 1}, {lat_at(0, 0) + 1}, corners(0, 0, lon_at),
                                    corners(0, 0, lat_at));
      const DomainAttributes before = lists({lon_at(-di, -dj) + 1}, {lat_at(-di, -dj) + 1},
                                            corners(-di, -dj, lon_at), corners(-di, -dj, lat_at));
      move_beyond_edge({0}, before, false, Surface::sphere, ring);
      EXPECT_EQ(ring.bounds_lon_1d->values, corners(di, dj, lon_at)) << di << " " << dj;
      EXPECT_EQ(ring.bounds_lat_1d->values, corners(di, dj, lat_at)) << di << " " << dj;
      EXPECT_THAT(ring.lonvalue_1d->values, ElementsAre(DoubleEq(lon_at(di, dj) + 1)));
      EXPECT_THAT(ring.latvalue_1d->values, ElementsAre(DoubleEq(lat_at(di, dj) + 1)));
    }
  }
}

TEST(RingCells, what_nobody_has_stays_unknown) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  DomainAttributes ring = lists({10, none}, {5, none});
  move_beyond_edge({0, 1}, lists({none, 12}, {none, 5}), true, Surface::sphere, ring);
  EXPECT_EQ(ring.lonvalue_1d->values[0], 10);
  EXPECT_TRUE(std::isnan(ring.lonvalue_1d->values[1]));
  DomainAttributes nothing;
  move_beyond_edge({}, nothing, true, Surface::sphere, nothing);
  EXPECT_FALSE(nothing.lonvalue_1d);
}

}  // namespace
}  // namespace epios::io::ring_cells_test
