// Bounds that are worked out, or stored with few digits: the grid still covers the sphere once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "space/cells.hpp"
#include "space/weights.hpp"
#include "sphere_grids.hpp"

namespace epios::remap_bounds_test {
namespace {

using epios::io::bounds_between;
using epios::io::Cells;
using epios::io::Edges;
using epios::io::rectilinear_cells;
using epios::io::Weights;
using ::testing::Each;
using ::testing::ElementsAre;

constexpr double sphere = 4 * std::numbers::pi;

double covered(const Cells& cells) {
  const std::vector<double> areas = areas_of(cells);
  return std::accumulate(areas.begin(), areas.end(), 0.0) / sphere;
}

/// Zeros of the Legendre polynomial of degree n, as latitudes from north to south.
std::vector<double> gaussian(int n) {
  std::vector<double> latitudes;
  for (int k = 0; k < n; ++k) {
    double x = std::cos(std::numbers::pi * (k + 0.75) / (n + 0.5));
    for (int step = 0; step < 10; ++step) {
      double before = 1;
      double value = x;
      for (int m = 2; m <= n; ++m) {
        const double next = ((2 * m - 1) * x * value - (m - 1) * before) / m;
        before = value;
        value = next;
      }
      x -= value * (x * x - 1) / (n * (x * value - before));
    }
    latitudes.push_back(std::asin(x) * 180 / std::numbers::pi);
  }
  return latitudes;
}

TEST(Bounds, OfGaussianRowsReachThePoles) {
  const std::vector<double> columns = bounds_between(std::vector<double>{0, 90, 180, 270}, false);
  for (const int n : {2, 4, 32, 64, 160, 320}) {
    SCOPED_TRACE(n);
    std::vector<double> centres = gaussian(n);
    for (const bool is_turned : {false, true}) {
      const std::vector<double> rows = bounds_between(centres, true);
      EXPECT_EQ(rows.front(), is_turned ? -90 : 90);
      EXPECT_EQ(rows.back(), is_turned ? 90 : -90);
      EXPECT_NEAR(covered(rectilinear_cells(columns, rows)), 1, 1e-13);
      std::reverse(centres.begin(), centres.end());
    }
  }
}

TEST(Bounds, OfRowsOnAndNearThePoles) {
  EXPECT_THAT(bounds_between(std::vector<double>{-90, 0, 90}, true),
              ElementsAre(-90, -45, -45, 45, 45, 90));
  EXPECT_THAT(bounds_between(std::vector<double>{-89.5, -88.5}, true),
              ElementsAre(-90, -89, -89, -88));
  // A further row would fit.
  EXPECT_THAT(bounds_between(std::vector<double>{87, 88}, true),
              ElementsAre(86.5, 87.5, 87.5, 88.5));
  EXPECT_THAT(bounds_between(std::vector<double>{10, 20}, true), ElementsAre(5, 15, 15, 25));
}

/// Columns that only single precision has.
std::vector<double> float_columns(int n, double first) {
  std::vector<double> centres;
  for (int k = 0; k < n; ++k) {
    centres.push_back(static_cast<float>(first + 360.0 * k / n));
  }
  return centres;
}

void expect_once(const Cells& cells) {
  EXPECT_NEAR(covered(cells), 1, 1e-13);
  epios::io::RemapOptions options;
  options.order = 1;  // of second order, thousands of cells around a pole are all neighbours
  for (const Cells& target : {sphere_grids::regular(1200, 2), sphere_grids::regular(36, 18)}) {
    const Weights weights = make_weights(cells, target, options);
    EXPECT_THAT(weights.covered, Each(1));
    EXPECT_TRUE(weights.overfull.empty());
  }
}

TEST(Bounds, OfColumnsInSinglePrecisionMeet) {
  const std::vector<double> rows{-90, 0, 0, 90};
  for (const double first : {0.0, 1.0 / 24, -180.0, 73.0 + 1.0 / 24}) {
    SCOPED_TRACE(first);
    std::vector<double> centres = float_columns(1200, first);
    expect_once(rectilinear_cells(bounds_between(centres, false), rows));
    std::reverse(centres.begin(), centres.end());
    expect_once(rectilinear_cells(bounds_between(centres, false), rows));
    for (double& centre : centres) centre = std::remainder(centre, 360);
    expect_once(rectilinear_cells(bounds_between(centres, false), rows));
  }
}

TEST(Bounds, StoredInSinglePrecisionMeet) {
  std::vector<double> columns;
  constexpr int n = 1200;
  for (int k = 0; k < n; ++k) {
    columns.push_back(static_cast<float>(360.0 * (k - 0.5) / n));
    columns.push_back(static_cast<float>(360.0 * (k + 0.5) / n));
  }
  expect_once(rectilinear_cells(columns, std::vector<double>{-90, 0, 0, 90}));
}

TEST(Bounds, OfPartsOfTheSphereStayWhatTheyAre) {
  EXPECT_THAT(bounds_between(std::vector<double>{0, 10, 20}, false),
              ElementsAre(-5, 5, 5, 15, 15, 25));
  // All but one column.
  std::vector<double> centres;
  for (int k = 0; k < 35; ++k) centres.push_back(10 * k);
  const std::vector<double> bounds = bounds_between(centres, false);
  EXPECT_EQ(bounds.front(), -5);
  EXPECT_EQ(bounds.back(), 345);
  const std::vector<double> rows{-90, 90};
  EXPECT_NEAR(covered(rectilinear_cells(bounds, rows)), 35.0 / 36, 1e-14);
}

/// Would have found that two columns from east to west changed places: of 360 and 180 alone,
/// nothing says on which side the column lies.
TEST(Bounds, OfHalvesOfTheSphereLieAroundTheirCentres) {
  const std::vector<double> rows{-90, 90};
  const auto longitudes = [&rows](const std::vector<double>& bounds,
                                  const std::vector<double>& centres) {
    return rectilinear_cells(bounds, rows, centres).lon;
  };
  EXPECT_THAT(longitudes({360, 180, 180, 0}, {270, 90}),
              ElementsAre(180, 360, 360, 180, 0, 180, 180, 0));
  EXPECT_THAT(longitudes({360, 180, 180, 0}, {-90, 450}),
              ElementsAre(180, 360, 360, 180, 0, 180, 180, 0));
  EXPECT_THAT(longitudes({270, 90, 90, 270}, {0, 180}),
              ElementsAre(270, 450, 450, 270, 90, 270, 270, 90));
  EXPECT_THAT(longitudes({360, 100, 100, 0}, {230, 50}),
              ElementsAre(100, 360, 360, 100, 0, 100, 100, 0));
  EXPECT_THAT(longitudes({350, 10}, {10}), ElementsAre(350, 370, 370, 350)) << "not in its middle";
  EXPECT_THAT(longitudes(bounds_between(std::vector<double>{270, 90}, false), {}),
              ElementsAre(180, 360, 360, 180, 0, 180, 180, 0));
}

/// Would have found that a fill value among longitudes was turned by 360 degrees for ever, which
/// changes nothing of a number that large.
TEST(Bounds, OfFillValuesComeToAnEnd) {
  for (const double fill : {1e20, -1e20, 9.96921e36}) {
    const std::vector<double> bounds = bounds_between(std::vector<double>{0, 10, fill}, false);
    ASSERT_EQ(bounds.size(), 6U);
    EXPECT_EQ(bounds[1], 5);
  }
  // As often as needed.
  EXPECT_THAT(bounds_between(std::vector<double>{0, 730, -700}, false),
              ElementsAre(-5, 5, 5, 15, 15, 25));
}

TEST(Bounds, OfZonalBandsMayPassTheWholeCircleByTheirRounding) {
  Cells band;
  band.edges = Edges::parallels;
  for (const double turn : {360.0, 360.00003}) {
    band.lon = {-179.99998, -179.99998 + turn, -179.99998 + turn, -179.99998};
    band.lat = {0, 0, 90, 90};
    band.offsets = {0, 4};
    EXPECT_NEAR(covered(band), 0.5, 1e-14);
    EXPECT_EQ(inspect(band).clockwise.count, 0U);
  }
}

}  // namespace
}  // namespace epios::remap_bounds_test
