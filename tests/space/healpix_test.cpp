// Pixels of HEALPix: numbers and centres as the library healpy has them, areas and edges, and
// weights from and to them.
#include "sphere/healpix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>
#include <vector>

#include "space/cells.hpp"
#include "space/weights.hpp"
#include "sphere_grids.hpp"

namespace epios::io::healpix_test {
namespace {

using Order = HealpixGrid::Order;
using ::testing::IsEmpty;

Cells cells_of(std::int64_t nside, Order order) {
  const HealpixGrid grid(nside, order);
  Cells cells;
  cells.offsets.push_back(0);
  for (std::int64_t pixel = 0; pixel < grid.size(); ++pixel) {
    grid.add_corners(pixel, cells.lon, cells.lat);
    cells.offsets.push_back(static_cast<std::int64_t>(cells.lon.size()));
  }
  return cells;
}

/// A pixel by its number in both orders, and its centre in degrees.
struct Pixel {
  std::int64_t nside, nested, ring;
  double lon, lat;
};

// Made by healpy 1.16.1 (Debian 12): pix2ang(nside, nested, nest=True, lonlat=True), nest2ring().
const std::vector<Pixel> pixels{
    {1, 0, 0, 45, 41.8103148957786},
    {1, 1, 1, 135, 41.8103148957786},
    {1, 2, 2, 225, 41.8103148957786},
    {1, 3, 3, 315, 41.8103148957786},
    {1, 4, 4, 0, 0},
    {1, 5, 5, 90, 0},
    {1, 6, 6, 180, 0},
    {1, 7, 7, 270, 0},
    {1, 8, 8, 45, -41.8103148957786},
    {1, 9, 9, 135, -41.8103148957786},
    {1, 10, 10, 225, -41.8103148957786},
    {1, 11, 11, 315, -41.8103148957786},
    {8, 0, 340, 45, 4.78019184719916},
    {8, 1, 308, 50.625, 9.59406822686046},
    {8, 63, 0, 45, 84.1497329362967},
    {8, 64, 348, 135, 4.78019184719916},
    {8, 200, 299, 303.75, 14.4775121859299},
    {8, 255, 3, 315, 84.1497329362967},
    {8, 256, 592, 0, -35.6853347126521},
    {8, 300, 366, 337.5, 4.78019184719916},
    {8, 400, 482, 202.5, -14.4775121859299},
    {8, 511, 168, 270, 35.685334712652},
    {8, 512, 764, 45, -84.1497329362967},
    {8, 640, 766, 225, -84.1497329362967},
    {8, 700, 484, 225, -14.4775121859299},
    {8, 767, 428, 315, -4.78019184719916},
    {1024, 0, 6285824, 45, 0.0373019424222747},
    {1024, 1048575, 0, 45, 89.9543146393425},
    {1024, 1048576, 6286848, 135, 0.0373019424222747},
    {1024, 3500000, 2013952, 353.584247258225, 42.8591448775133},
    {1024, 5000000, 5466164, 4.5703125, 7.5192551199936},
    {1024, 9000000, 10577396, 43.9210789210789, -42.9588137226936},
    {1024, 12582911, 6297088, 315, -0.0373019424222747},
};

TEST(Healpix, has_the_numbers_and_centres_of_healpy) {
  for (const Pixel& pixel : pixels) {
    const HealpixGrid nested(pixel.nside, Order::nested);
    const HealpixGrid ring(pixel.nside, Order::ring);
    EXPECT_EQ(nested.in_other_order(pixel.nested), pixel.ring);
    EXPECT_EQ(ring.in_other_order(pixel.ring), pixel.nested);
    EXPECT_NEAR(nested.centre(pixel.nested).lon, pixel.lon, 1e-12) << pixel.nested;
    EXPECT_NEAR(nested.centre(pixel.nested).lat, pixel.lat, 1e-12) << pixel.nested;
    EXPECT_EQ(ring.centre(pixel.ring).lon, nested.centre(pixel.nested).lon);
    EXPECT_EQ(ring.centre(pixel.ring).lat, nested.centre(pixel.nested).lat);
  }
}

TEST(Healpix, orders_are_permutations_of_each_other) {
  for (const std::int64_t nside : {1, 2, 4, 16, 64}) {
    const HealpixGrid nested(nside, Order::nested);
    const HealpixGrid ring(nside, Order::ring);
    std::set<std::int64_t> seen;
    for (std::int64_t pixel = 0; pixel < nested.size(); ++pixel) {
      const std::int64_t other = nested.in_other_order(pixel);
      ASSERT_EQ(ring.in_other_order(other), pixel) << nside;
      seen.insert(other);
    }
    EXPECT_EQ(*seen.begin(), 0);
    EXPECT_EQ(*seen.rbegin(), nested.size() - 1);
    EXPECT_EQ(static_cast<std::int64_t>(seen.size()), nested.size());
  }
}

TEST(Healpix, rings_go_from_north_to_south_and_eastwards) {
  const HealpixGrid ring(8, Order::ring);
  for (std::int64_t pixel = 1; pixel < ring.size(); ++pixel) {
    const auto before = ring.centre(pixel - 1);
    const auto here = ring.centre(pixel);
    if (here.lat == before.lat) {
      EXPECT_GT(here.lon, before.lon) << pixel;
    } else {
      EXPECT_LT(here.lat, before.lat) << pixel;
    }
  }
}

// Edges are no great circles: with four corners, areas would be wrong by 15 % for nside 1 and by
// 0.1 % for nside 64.
TEST(Healpix, areas_of_all_pixels_are_equal_to_1e_10) {
  for (const std::int64_t nside : {1, 2, 8, 32, 128}) {
    const Cells cells = cells_of(nside, Order::nested);
    EXPECT_THAT(inspect(cells).sentences(), IsEmpty()) << nside;
    const std::vector<double> areas = areas_of(cells);
    const double each = 4 * std::numbers::pi / static_cast<double>(areas.size());
    for (const double area : areas) ASSERT_NEAR(area / each, 1, 1e-10) << nside;
    EXPECT_NEAR(std::accumulate(areas.begin(), areas.end(), 0.0), 4 * std::numbers::pi, 1e-10);
  }
}

/// Integral of values in a grid.
double integral(const Cells& cells, const std::vector<double>& values) {
  const std::vector<double> areas = areas_of(cells);
  return std::inner_product(areas.begin(), areas.end(), values.begin(), 0.0);
}

std::vector<double> smooth_values(const Cells& cells) {
  const CellCentres centres = centres_of(cells);
  std::vector<double> out;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto [x, y, z] = sphere_grids::point_at(centres.lon[c], centres.lat[c]);
    out.push_back(2 + x * y + z * z * z);
  }
  return out;
}

void expect_conservative(const Cells& from, const Cells& to, int order) {
  RemapOptions options;
  options.order = order;
  const Weights weights = make_weights(from, to, options);
  ASSERT_EQ(weights.rows(), to.size());
  EXPECT_THAT(weights.overfull, IsEmpty());
  const std::vector<double> values = smooth_values(from);
  std::vector<double> results(to.size());
  apply_with_missing(weights, values, results, 1);
  for (const double covered : weights.covered) EXPECT_NEAR(covered, 1, 1e-10);
  EXPECT_NEAR(integral(to, results), integral(from, values), 1e-10);
  // With equal areas, the plain mean is the mean over the sphere.
  const std::vector<double> exact = smooth_values(to);
  double worst = 0;
  for (std::size_t c = 0; c < to.size(); ++c) {
    worst = std::max(worst, std::abs(results[c] - exact[c]));
  }
  EXPECT_LT(worst, order == 2 ? 0.02 : 0.12);
}

TEST(Healpix, conservative_weights_from_and_to_it_preserve_integrals) {
  const Cells pixels_of_8 = cells_of(8, Order::nested);
  for (const int order : {1, 2}) {
    expect_conservative(sphere_grids::regular(36, 18), pixels_of_8, order);
    expect_conservative(pixels_of_8, sphere_grids::hexagons(6), order);
    expect_conservative(sphere_grids::cubed(8), cells_of(16, Order::ring), order);
  }
}

// Corners of children lie on the edges of their parents.
TEST(Healpix, a_child_lies_in_its_parent) {
  RemapOptions options;
  options.order = 1;
  const Weights weights =
      make_weights(cells_of(4, Order::nested), cells_of(8, Order::nested), options);
  ASSERT_EQ(weights.rows(), 768U);
  for (std::size_t row = 0; row < weights.rows(); ++row) {
    double of_parent = 0;
    for (auto k = weights.offsets[row]; k < weights.offsets[row + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      if (weights.source[entry] == weights.target[row] / 4) of_parent = weights.weight[entry];
    }
    EXPECT_NEAR(of_parent, 1, 1e-10) << row;
  }
}

}  // namespace
}  // namespace epios::io::healpix_test
