// Cells as nobody draws them: slivers, double corners, poles inside, half the sphere, random
// points.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "space/cells.hpp"
#include "space/weights.hpp"
#include "sphere_grids.hpp"

namespace epios::remap_degenerate_test {
namespace {

using epios::io::Cells;
using epios::io::Edges;
using epios::io::RemapOptions;
using epios::io::Weights;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double sphere = 4 * std::numbers::pi;

Cells one_cell(const std::vector<std::pair<double, double>>& corners,
               Edges edges = Edges::great_circles) {
  Cells cells;
  cells.edges = edges;
  for (const auto& [lon, lat] : corners) {
    cells.lon.push_back(lon);
    cells.lat.push_back(lat);
  }
  cells.offsets = {0, static_cast<std::int64_t>(corners.size())};
  return cells;
}

void append(Cells& cells, const Cells& more) {
  if (cells.offsets.empty()) cells.offsets.push_back(0);
  const std::int64_t before = cells.offsets.back();
  cells.lon.insert(cells.lon.end(), more.lon.begin(), more.lon.end());
  cells.lat.insert(cells.lat.end(), more.lat.begin(), more.lat.end());
  for (std::size_t c = 1; c < more.offsets.size(); ++c) {
    cells.offsets.push_back(before + more.offsets[c]);
  }
}

/// Sum of all overlaps.
double shared(const Cells& source, const Cells& target) {
  RemapOptions options;
  options.order = 1;
  options.quantity = true;
  const Weights weights = make_weights(source, target, options);
  const std::vector<double> areas = areas_of(source);
  long double sum = 0;
  for (std::size_t k = 0; k < weights.weight.size(); ++k) {
    EXPECT_TRUE(std::isfinite(weights.weight[k]));
    EXPECT_GT(weights.weight[k], 0);
    sum += static_cast<long double>(weights.weight[k]) *
           areas[static_cast<std::size_t>(weights.source[k])];
  }
  for (const double covered : weights.covered) {
    EXPECT_GE(covered, 0);
    EXPECT_LE(covered, 1);
  }
  return static_cast<double>(sum);
}

TEST(DegenerateCells, GridOntoItselfIsTheIdentity) {
  for (const auto& [name, cells] : sphere_grids::all(6)) {
    SCOPED_TRACE(name);
    RemapOptions options;
    options.order = 1;
    const Weights weights = make_weights(cells, cells, options);
    ASSERT_EQ(weights.source.size(), cells.size());
    for (std::size_t r = 0; r < weights.rows(); ++r) {
      EXPECT_EQ(weights.source[r], static_cast<std::int64_t>(r));
      EXPECT_EQ(weights.weight[r], 1);
    }
  }
}

TEST(DegenerateCells, ParallelsOfHalfATurnGoTheWayOfTheirLongitudes) {
  // Halves of a cap around a pole, which is one corner.
  const double cap = 2 * std::numbers::pi * (1 - std::sin(75 * std::numbers::pi / 180));
  for (const double pole : {-90.0, 90.0}) {
    const double lat = pole * 75 / 90;
    Cells halves = one_cell({{-90, pole}, {-180, lat}, {0, lat}}, Edges::parallels);
    append(halves, one_cell({{90, pole}, {0, lat}, {180, lat}}, Edges::parallels));
    for (const double area : areas_of(halves)) EXPECT_NEAR(area, cap / 2, 1e-15);
    EXPECT_NEAR(shared(halves, sphere_grids::regular(24, 12)), cap, 1e-14);
  }
}

TEST(DegenerateCells, GridsThatNearlyMeetCoverEachOther) {
  for (const double shift : {1e-16, 1e-15, 3e-14, 1e-13, 1e-12, 1e-10, 1e-7, 1e-4}) {
    SCOPED_TRACE(shift);
    const Cells plain = sphere_grids::cubed(6);
    Cells moved = plain;
    for (double& lon : moved.lon) lon += shift;
    for (double& lat : moved.lat) lat *= 1 - shift / 90;
    EXPECT_NEAR(shared(plain, moved) / sphere, 1, 1e-13);
    const Cells boxes = sphere_grids::regular(24, 12);
    EXPECT_NEAR(shared(boxes, sphere_grids::regular(24, 12, shift)) / sphere, 1, 1e-13);
    // Boxes and the same as polygons, whose meridians are the same great circles.
    EXPECT_NEAR(shared(plain, sphere_grids::regular(24, 12, shift)) / sphere, 1, 1e-13);
    RemapOptions options;
    options.order = 1;
    const Weights weights = make_weights(plain, moved, options);
    for (std::size_t r = 0; r < weights.rows(); ++r) {
      EXPECT_GT(weights.offsets[r + 1], weights.offsets[r]);
    }
  }
}

TEST(DegenerateCells, ChordsAndParallelsBetweenTheSameCorners) {
  const Cells plain = sphere_grids::plain(36, 18);
  const double ulp = std::nextafter(40.0, 90.0) - 40.0;
  for (const auto& [ni, nj] : std::vector<std::pair<int, int>>{{36, 18}, {72, 36}, {18, 9}}) {
    for (const double west : {0.0, -5.0, 3.0}) {
      for (const double shift : {0.0, ulp, -ulp, 2 * ulp, -2 * ulp, 1e-12, -1e-9}) {
        SCOPED_TRACE(fmt::format("{} x {} from {}, {}", ni, nj, west, shift));
        Cells boxes = sphere_grids::regular(ni, nj, west);
        for (double& lat : boxes.lat) lat += std::abs(lat) < 90 ? shift : 0;
        EXPECT_NEAR(shared(plain, boxes) / sphere, 1, 1e-13);
        EXPECT_NEAR(shared(boxes, plain) / sphere, 1, 1e-13);
        for (const bool back : {false, true}) {
          const Weights weights = make_weights(back ? boxes : plain, back ? plain : boxes, {});
          for (const double covered : weights.covered) ASSERT_EQ(covered, 1);
          EXPECT_TRUE(weights.overfull.empty());
        }
      }
    }
  }
}

TEST(DegenerateCells, LensesBetweenChordsAndParallels) {
  // A box and a triangle to the pole over the same corners: the lens between them by its formula.
  for (const double hemisphere : {1.0, -1.0}) {
    for (const double lat : {1e-3, 10.0, 45.0, 80.0}) {
      for (const double width : {1e-3, 1.0, 30.0}) {
        SCOPED_TRACE(fmt::format("{} {} {}", hemisphere, lat, width));
        const double z = std::sin(lat * std::numbers::pi / 180);
        const double t = std::tan(width * std::numbers::pi / 360);
        const double lens = 2 * (std::atan(z * t) - z * std::atan(t));
        const double rim = hemisphere * lat;
        const std::vector<double> lon{20, 20 + width};
        const Cells chord = one_cell({{lon[0], rim}, {lon[1], rim}, {20, hemisphere * 90}});
        const Cells above = epios::io::rectilinear_cells(lon, std::vector{rim, hemisphere * 90});
        const Cells below = epios::io::rectilinear_cells(lon, std::vector{rim, -hemisphere * 90});
        const double cap = areas_of(chord)[0];
        EXPECT_NEAR(areas_of(above)[0] - cap, lens, 1e-15);
        EXPECT_NEAR(shared(chord, above), cap, 1e-15);
        EXPECT_NEAR(shared(above, chord), cap, 1e-15);
        EXPECT_NEAR(shared(chord, below), 0, 1e-15);
        EXPECT_NEAR(shared(below, chord), 0, 1e-15);
        const Cells under = one_cell({{lon[0], rim}, {lon[1], rim}, {20, -hemisphere * 90}});
        EXPECT_NEAR(shared(under, above), lens, 1e-15);
        EXPECT_NEAR(shared(above, under), lens, 1e-15);
        EXPECT_NEAR(shared(under, below), areas_of(below)[0], 1e-15);
        EXPECT_NEAR(shared(below, under), areas_of(below)[0], 1e-15);
      }
    }
  }
}

TEST(DegenerateCells, CellsOfOneSideAreNoWiderThanTheirRounding) {
  // Between the columns of a grid, slivers of ever smaller width.
  std::vector<double> lon;
  double west = 0;
  for (const double width : {90.0, 1e-3, 1e-6, 1e-9, 1e-11, 89.0, 1e-4}) {
    lon.insert(lon.end(), {west, west + width});
    west += width;
  }
  lon.insert(lon.end(), {west, 360});
  const std::vector<double> lat{-90, -89.999999, -89.999999, 0, 0, 1e-9, 1e-9, 90};
  const Cells slivers = epios::io::rectilinear_cells(lon, lat);
  for (const auto& [name, cells] : sphere_grids::all(5)) {
    SCOPED_TRACE(name);
    EXPECT_NEAR(shared(slivers, cells) / sphere, 1, 1e-13);
    EXPECT_NEAR(shared(cells, slivers) / sphere, 1, 1e-13);
  }
}

TEST(DegenerateCells, FewHugeBoxes) {
  const std::vector<std::pair<int, int>> sizes{{1, 1}, {2, 1}, {1, 2}, {3, 2}, {1, 18}, {7, 1}};
  for (const auto& [ni, nj] : sizes) {
    const Cells huge = sphere_grids::regular(ni, nj, -77.7);
    for (const auto& [name, cells] : sphere_grids::all(4)) {
      SCOPED_TRACE(std::to_string(ni) + " x " + std::to_string(nj) + ", " + name);
      EXPECT_NEAR(shared(huge, cells) / sphere, 1, 1e-13);
      EXPECT_NEAR(shared(cells, huge) / sphere, 1, 1e-13);
    }
  }
}

TEST(DegenerateCells, BoxesAreTheSameInBothDirections) {
  const Cells grid = sphere_grids::hexagons(4);
  const std::vector<std::pair<double, double>> bands{{0, 360}, {10, 30}, {-70, 100}};
  for (const auto& [west, east] : bands) {
    const Cells left = one_cell({{west, 20}, {east, 20}, {east, 50}, {west, 50}}, Edges::parallels);
    EXPECT_NEAR(shared(left, grid), areas_of(left)[0], 1e-14);
    EXPECT_GT(areas_of(left)[0], 0);
    const Cells right =
        one_cell({{west, 50}, {east, 50}, {east, 20}, {west, 20}}, Edges::parallels);
    EXPECT_NEAR(areas_of(right)[0], areas_of(left)[0], 1e-15);
  }
  // Across the date line, as bounds in (-180, 180] have it.
  const Cells across = one_cell({{179, 0}, {-179, 0}, {-179, 1}, {179, 1}}, Edges::parallels);
  EXPECT_NEAR(areas_of(across)[0], areas_of(sphere_grids::regular(180, 180))[90 * 180], 1e-15);
  EXPECT_EQ(inspect(across).clockwise.count, 0U);
}

TEST(DegenerateCells, HalfTheSphereAsAPolygon) {
  // Corners around a great circle: the smaller side is neither, until they leave it a little.
  const Cells grid = sphere_grids::hexagons(5);
  const auto ring = [](double lat) {
    std::vector<std::pair<double, double>> corners;
    for (int k = 0; k < 12; ++k) corners.emplace_back(30.0 * k, lat);
    return one_cell(corners);
  };
  for (const double lat : {0.0, 1e-9, -1e-6, 5e-3}) {
    SCOPED_TRACE(lat);
    EXPECT_EQ(inspect(ring(lat)).half_sphere.count, 1U);
    EXPECT_EQ(shared(ring(lat), grid), 0);
    EXPECT_EQ(shared(grid, ring(lat)), 0);
  }
  for (const double lat : {6e-3, -0.01, 0.1, -40.0}) {
    SCOPED_TRACE(lat);
    EXPECT_EQ(inspect(ring(lat)).half_sphere.count, 0U);
    const double area = areas_of(ring(lat))[0];
    EXPECT_LT(area, sphere / 2);
    const double rounding = std::abs(lat) > 1 ? 1e-13 : 1e-11;
    EXPECT_NEAR(shared(ring(lat), grid), area, rounding);
    EXPECT_NEAR(shared(grid, ring(lat)), area, rounding);
    EXPECT_NEAR(shared(ring(lat), sphere_grids::regular(20, 10)), area, rounding);
  }
}

/// A half of the sphere with all corners is not that around their mean.
TEST(DegenerateCells, WideCellsAreThereWhereverTheirCornersLie) {
  const Cells grid = sphere_grids::regular(30, 15);
  const std::vector<std::vector<std::pair<double, double>>> wide{
      {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {170, 1}, {90, 40}},
      {{0, 0}, {60, 1}, {120, 1}, {179, 0}, {90, 89}},
      {{0, -5}, {120, -5}, {240, -5}},
      {{10, 0}, {100, -30}, {185, 0}, {100, 30}}};
  for (const auto& corners : wide) {
    const Cells cell = one_cell(corners);
    EXPECT_TRUE(inspect(cell).sentences().empty()) << inspect(cell).sentences().front();
    EXPECT_GT(areas_of(cell)[0], 0);
    EXPECT_NEAR(shared(cell, grid), areas_of(cell)[0], 1e-12);
    EXPECT_NEAR(shared(grid, cell), areas_of(cell)[0], 1e-12);
  }
}

TEST(DegenerateCells, PoleInsideAndOnTheRim) {
  for (const double lat : {90.0, -90.0}) {
    const double rim = lat > 0 ? 70 : -70;
    const std::vector<Cells> cells{one_cell({{0, rim}, {90, rim}, {180, rim}, {270, rim}}),
                                   one_cell({{0, rim}, {120, rim}, {240, rim}}),
                                   one_cell({{0, lat}, {10, rim}, {50, rim}}),
                                   one_cell({{0, lat}, {33, lat}, {10, rim}, {50, rim}, {70, lat}}),
                                   one_cell({{200, rim}, {200, lat}, {20, rim}, {100, rim}})};
    for (const Cells& cell : cells) {
      for (const auto& [name, grid] : sphere_grids::all(5)) {
        SCOPED_TRACE(name);
        EXPECT_NEAR(shared(cell, grid), areas_of(cell)[0], 1e-14);
        EXPECT_NEAR(shared(grid, cell), areas_of(cell)[0], 1e-14);
      }
    }
  }
}

/// Found by cells_fuzz: great circles that go beyond a parallel and come back; and a cell on one
/// side of the pole alone, whose sides meet on the other one.
TEST(DegenerateCells, ParallelsThatAreNoSideOfTheirCell) {
  const Cells crossed = one_cell({{-60, -15}, {-60, -60}, {180, -60}}, Edges::parallels);
  EXPECT_EQ(inspect(crossed).bent.count, 1U);
  const Cells beside = one_cell({{150, -60}, {180, -60.001}, {180, -15}}, Edges::parallels);
  EXPECT_NEAR(shared(crossed, beside), shared(beside, crossed), 1e-15);
  const Cells wedge = one_cell({{-120, -15}, {90, -15}, {60, -90}}, Edges::parallels);
  const Cells other = one_cell({{0, -15}, {-60, -60}, {0.001, -60}}, Edges::parallels);
  EXPECT_EQ(shared(wedge, other), 0);
  EXPECT_EQ(shared(other, wedge), 0);
  const Cells grid = sphere_grids::regular(24, 12);
  for (const Cells& cell : {crossed, beside, wedge, other}) {
    EXPECT_NEAR(shared(cell, grid), areas_of(cell)[0], 1e-14);
    EXPECT_NEAR(shared(grid, cell), areas_of(cell)[0], 1e-14);
  }
}

/// Found by cells_fuzz: a part of a cap may have the longer way of its parallel.
TEST(DegenerateCells, CapsThatParallelsGoAroundAreBoxes) {
  const Cells wide = one_cell({{-180, -60}, {30, -30}, {240, 60}});
  for (const double pole : {-90.0, 90.0}) {
    const double lat = pole / 2;
    const Cells box = epios::io::rectilinear_cells(std::vector{0.0, 360.0}, std::vector{lat, pole});
    const double area = areas_of(box)[0];
    for (const std::vector<double>& lons :
         {std::vector<double>{-150, 60, 330}, {0, 90, 180, 270}, {270, 180, 90, 0}}) {
      std::vector<std::pair<double, double>> corners;
      for (const double lon : lons) corners.emplace_back(lon, lat);
      const Cells cap = one_cell(corners, Edges::parallels);
      EXPECT_NEAR(areas_of(cap)[0], area, 1e-15);
      EXPECT_TRUE(inspect(cap).sentences().empty());
      EXPECT_NEAR(shared(cap, wide), shared(wide, cap), 1e-14);
      EXPECT_NEAR(shared(cap, wide), shared(box, wide), 1e-14);
      // Out and back before it begins: to the pole, to another latitude, over the equator.
      for (const double spike : {pole, lat * 1.1, -lat / 4}) {
        std::vector<std::pair<double, double>> spiked{{lons[0], spike}};
        spiked.insert(spiked.end(), corners.begin(), corners.end());
        spiked.emplace_back(lons[0], lat);
        const Cells with_spike = one_cell(spiked, Edges::parallels);
        EXPECT_NEAR(areas_of(with_spike)[0], area, 1e-15) << spike;
        EXPECT_NEAR(shared(with_spike, wide), shared(box, wide), 1e-14);
      }
      // Not all of it along the parallel: great circles.
      corners.insert(corners.begin(), {lons[0] + 1, lat * 0.9});
      const Cells dented = one_cell(corners, Edges::parallels);
      EXPECT_EQ(inspect(dented).bent.count, 1U);
      EXPECT_NEAR(shared(dented, wide), shared(wide, dented), 1e-14);
    }
  }
}

TEST(DegenerateCells, CapsThatParallelsGoAroundTwiceAreNamed) {
  std::vector<std::pair<double, double>> corners;
  for (const double lon : {0, 120, 240, 60, 180, 300}) corners.emplace_back(lon, 45);
  EXPECT_EQ(inspect(one_cell(corners, Edges::parallels)).crossed.count, 1U);
}

/// Found by cells_fuzz: the slope between two cells whose centres differ by rounding is any number.
TEST(DegenerateCells, CellsThatAreThereTwiceHaveNoSlopeBetweenThem) {
  Cells cells = sphere_grids::cubed(6);
  Cells twice = cells;
  append(twice, cells);
  for (std::size_t v = cells.lon.size(); v < twice.lon.size(); ++v) twice.lon[v] += 1e-14;
  const Cells grid = sphere_grids::regular(20, 10);
  const Weights wanted = make_weights(cells, grid, {});
  const Weights found = make_weights(twice, grid, {});
  ASSERT_EQ(found.rows(), wanted.rows());
  const auto value = [&](const Weights& weights, std::size_t row) {
    double sum = 0;
    for (std::int64_t k = weights.offsets[row]; k < weights.offsets[row + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const auto of = static_cast<double>(weights.source[at] % static_cast<long>(cells.size()));
      sum += weights.weight[at] * std::sin(of);
      EXPECT_LT(std::abs(weights.weight[at]), 2);
    }
    return sum;
  };
  for (std::size_t row = 0; row < found.rows(); ++row) {
    EXPECT_NEAR(value(found, row), value(wanted, row), 1e-9);
  }
}

TEST(DegenerateCells, KnownOverlaps) {
  // An octant and a box: the box's own area, as a third of it lies inside.
  const Cells octant = one_cell({{0, 0}, {90, 0}, {0, 90}});
  EXPECT_NEAR(areas_of(octant)[0], std::numbers::pi / 2, 1e-15);
  const Cells box =
      epios::io::rectilinear_cells(std::vector<double>{-20, 10}, std::vector<double>{20, 60});
  const double degrees = std::numbers::pi / 180;
  EXPECT_NEAR(shared(octant, box), 10 * degrees * (std::sin(60 * degrees) - std::sin(20 * degrees)),
              1e-15);
  // A box and a band around the pole, whose edge is a parallel.
  const Cells cap =
      epios::io::rectilinear_cells(std::vector<double>{0, 360}, std::vector<double>{45, 90});
  EXPECT_NEAR(shared(octant, cap), std::numbers::pi / 2 * (1 - std::sin(45 * degrees)), 1e-15);
}

TEST(DegenerateCells, DirectionAndDoubleCornersMakeNoDifference) {
  const Cells grid = sphere_grids::regular(30, 15);
  const std::vector<std::pair<double, double>> corners{{10, 10}, {40, 5}, {50, 40}, {20, 30}};
  const double area = areas_of(one_cell(corners))[0];
  std::vector<std::pair<double, double>> other(corners.rbegin(), corners.rend());
  EXPECT_NEAR(shared(one_cell(other), grid), area, 1e-15);
  other = {{10, 10}, {10, 10}, {40, 5}, {400, 5}, {50, 40}, {20, 30}, {20, 30}, {10, 10}};
  EXPECT_NEAR(shared(one_cell(other), grid), area, 1e-15);
  // A spike: out and back.
  other = {{10, 10}, {40, 5}, {60, 0}, {40, 5}, {50, 40}, {20, 30}};
  EXPECT_NEAR(shared(one_cell(other), grid), area, 1e-14);
}

TEST(DegenerateCells, AreNamedAndCounted) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Cells cells = one_cell({{0, 0}, {1, 0}, {1, 1}});
  append(cells, one_cell({{0, 0}, {1, 0}, {0, 0}, {1, 0}}));
  append(cells, one_cell({{0, 0}, {5, 0}, {9, 0}}));
  append(cells, one_cell({{0, 0}, {nan, 0}, {9, 1}}));
  append(cells, one_cell({{0, 0}, {1, 95}, {9, 1}}));
  append(cells, one_cell({{0, 0}, {2, 2}, {3, 0}, {0, 2}}));
  append(cells, one_cell({{0, 0}, {0, 1}, {1, 1}, {1, 0}}));
  append(cells, one_cell({{0, 0}, {360, 0}, {0, 1e-16}}));
  append(cells, one_cell({{0, 0}, {120, 1e-7}, {240, 0}}));
  append(cells, one_cell({{0, 60}, {90, -20}, {180, 60}, {270, -20}}));
  append(cells, one_cell({{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}}));
  cells.index = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
  const epios::io::CellReport report = inspect(cells);
  EXPECT_EQ(report.few_corners.count, 2U);
  EXPECT_EQ(report.no_area.count, 1U);
  EXPECT_EQ(report.not_finite.count, 2U);
  EXPECT_EQ(report.not_finite.first, 13);
  EXPECT_EQ(report.clockwise.first, 16);
  EXPECT_THAT(
      report.sentences(),
      ElementsAre("2 cells have fewer than 3 different corners (the first is cell 11)",
                  "2 cells have corners that are no points of the sphere (the first is cell 13)",
                  "cell 12 has no area: its corners lie on one line, or its halves cross over",
                  "2 cells have corners around half of the sphere or more: nothing tells their "
                  "inside (the first is cell 18)",
                  "2 cells have edges that cross or touch each other (the first is cell 15)",
                  "cell 16 goes round clockwise, unlike most: its smaller side is taken"));
  const Weights weights = make_weights(sphere_grids::regular(36, 18), cells, {});
  EXPECT_EQ(weights.offsets[1], weights.offsets[5]);  // those four have nothing
  EXPECT_EQ(weights.offsets[8], weights.offsets[10]);
}

TEST(DegenerateCells, ThatGoRoundTwiceAreOnceThere) {
  const Cells once = one_cell({{0, 0}, {9, 1}, {3, 8}});
  const Cells twice = one_cell({{0, 0}, {9, 1}, {3, 8}, {0, 0}, {9, 1}, {3, 8}});
  EXPECT_EQ(areas_of(twice), areas_of(once));
  EXPECT_EQ(inspect(twice).crossed.count, 1U);
  EXPECT_EQ(inspect(once).crossed.count, 0U);
  const Cells boxes = sphere_grids::regular(36, 18);
  EXPECT_EQ(shared(boxes, twice), shared(boxes, once));
}

/// Found by cells_fuzz: rounds that miss each other by rounding have twice the area.
TEST(DegenerateCells, ThatTouchThemselvesAreNamed) {
  for (const double shift : {0.0, 1e-15, 9e-14, 1e-9}) {
    SCOPED_TRACE(shift);
    const std::vector<std::pair<double, double>> corners{
        {0, 0}, {60, 0}, {30, 60}, {shift, shift}, {60, -shift}, {30 + shift, 60}};
    EXPECT_EQ(inspect(one_cell(corners)).crossed.count, 1U);
  }
  // Two halves of one cell, which meet in a point.
  EXPECT_EQ(inspect(one_cell({{0, 0}, {9, 0}, {5, 5}, {9, 9}, {0, 9}, {5, 5}})).crossed.count, 1U);
}

/// Three quarters of a box; a hanging corner.
TEST(DegenerateCells, BentInwardsOnParallelsAreNamed) {
  const std::vector<std::pair<double, double>> corners{{0, 40},  {20, 40}, {20, 50},
                                                       {10, 50}, {10, 60}, {0, 60}};
  EXPECT_THAT(inspect(one_cell(corners, Edges::parallels)).sentences(),
              ElementsAre("cell 0 is bent inwards: its edges along parallels are taken for great "
                          "circles"));
  EXPECT_TRUE(inspect(one_cell(corners)).sentences().empty());
}

TEST(DegenerateCells, HaveGivenAreasThatAreNamed) {
  Cells cells = sphere_grids::regular(4, 2);
  EXPECT_EQ(inspect(cells).odd_area.count, 0U);
  cells.area.assign(8, 1e13);
  cells.area[3] = 0;
  cells.area[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(inspect(cells).sentences(),
              ElementsAre("2 cells have areas that are no numbers above 0: those on the sphere are "
                          "taken (the first is cell 3)"));
}

TEST(DegenerateCells, OrdersThatAreNotKnownAreRefused) {
  RemapOptions options;
  options.order = 3;
  const Cells cells = sphere_grids::regular(4, 2);
  EXPECT_THROW(make_weights(cells, cells, options), std::exception);
}

/// A ring of triangles around the pole above boxes of other columns: gradients in both directions.
TEST(DegenerateCells, PolygonsOnParallelsAreNeighboursOfBoxes) {
  Cells cells;
  cells.edges = Edges::parallels;
  for (int i = 0; i < 7; ++i) {
    const double w = 360.0 * i / 7;
    const double e = 360.0 * (i + 1) / 7;
    append(cells, one_cell({{w, 70}, {e, 70}, {0.5 * (w + e), 90}}));
  }
  const std::size_t caps = cells.size();
  for (int j = 0; j < 16; ++j) {
    for (int i = 0; i < 36; ++i) {
      const double s = 60.0 - 10 * j;
      append(cells,
             one_cell(
                 {{10.0 * i, s}, {10.0 * i + 10, s}, {10.0 * i + 10, s + 10}, {10.0 * i, s + 10}}));
    }
  }
  // The height above the equator falls towards the boxes: second order must know of it.
  const Cells target = sphere_grids::regular(36, 36);
  const Weights weights = make_weights(cells, target, {});
  std::size_t with_boxes = 0;
  for (std::size_t r = 0; r < weights.rows(); ++r) {
    bool has_cap = false;
    bool has_box = false;
    for (auto k = weights.offsets[r]; k < weights.offsets[r + 1]; ++k) {
      const auto source = static_cast<std::size_t>(weights.source[static_cast<std::size_t>(k)]);
      (source < caps ? has_cap : has_box) = true;
    }
    if (r / 36 > 32) {  // in the caps alone
      EXPECT_TRUE(has_cap);
      with_boxes += has_box ? 1 : 0;
    }
  }
  EXPECT_EQ(with_boxes, 3U * 36U);
}

TEST(DegenerateCells, ThatLieOverEachOtherAreCountedAndAveraged) {
  Cells source = sphere_grids::regular(8, 4);
  append(source, sphere_grids::regular(8, 4));
  const Cells target = sphere_grids::hexagons(3);
  RemapOptions options;
  options.order = 1;
  const Weights weights = make_weights(source, target, options);
  ASSERT_EQ(weights.overfull.size(), target.size());
  EXPECT_EQ(weights.overfull.front(), 0);
  for (std::size_t r = 0; r < weights.rows(); ++r) {
    double sum = 0;
    for (auto k = weights.offsets[r]; k < weights.offsets[r + 1]; ++k) {
      sum += weights.weight[static_cast<std::size_t>(k)];
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
  EXPECT_TRUE(make_weights(sphere_grids::regular(8, 4), target, options).overfull.empty());
}

TEST(DegenerateCells, MaskedOnesDoNotCount) {
  Cells source = sphere_grids::regular(8, 4);
  source.mask.assign(source.size(), 1);
  for (std::size_t c = 0; c < source.size(); c += 2) source.mask[c] = 0;
  Cells target = sphere_grids::regular(4, 2);
  target.mask.assign(target.size(), 1);
  target.mask[3] = 0;
  RemapOptions options;
  for (const bool renormalize : {false, true}) {
    options.renormalize = renormalize;
    const Weights weights = make_weights(source, target, options);
    for (std::size_t r = 0; r < weights.rows(); ++r) {
      double sum = 0;
      for (auto k = weights.offsets[r]; k < weights.offsets[r + 1]; ++k) {
        sum += weights.weight[static_cast<std::size_t>(k)];
        EXPECT_EQ(weights.source[static_cast<std::size_t>(k)] % 2, 1);
      }
      EXPECT_NEAR(sum, r == 3 ? 0 : (renormalize ? 1 : 0.5), 1e-14);
      EXPECT_NEAR(weights.covered[r], r == 3 ? 0 : 0.5, 1e-14);
    }
  }
}

TEST(DegenerateCells, QuantitiesAndGivenAreasKeepTotals) {
  std::mt19937 random(17);
  std::uniform_real_distribution<double> real(0.5, 1.5);
  Cells source = sphere_grids::hexagons(5);
  Cells target = sphere_grids::uneven(20, 10);
  std::vector<double> values;
  for (std::size_t c = 0; c < source.size(); ++c) values.push_back(real(random));
  for (Cells* cells : {&source, &target}) {
    for (const double area : areas_of(*cells)) cells->area.push_back(area * real(random));
  }
  for (const int order : {1, 2}) {
    for (const bool use_area : {false, true}) {
      for (const bool quantity : {false, true}) {
        RemapOptions options;
        options.order = order;
        options.use_area = use_area;
        options.quantity = quantity;
        options.radius = 1;
        const Weights weights = make_weights(source, target, options);
        double before = 0;
        double after = 0;
        const std::vector<double> source_areas = areas_of(source);
        const std::vector<double> target_areas = areas_of(target);
        for (std::size_t c = 0; c < source.size(); ++c) {
          before += values[c] * (quantity ? 1 : use_area ? source.area[c] : source_areas[c]);
        }
        for (std::size_t r = 0; r < target.size(); ++r) {
          const auto first = static_cast<std::size_t>(weights.offsets[r]);
          const auto count = static_cast<std::size_t>(weights.offsets[r + 1]) - first;
          const double value =
              epios::io::apply_row(std::span(weights.weight).subspan(first, count),
                                   std::span(weights.source).subspan(first, count), values.data())
                  .value;
          after += value * (quantity ? 1 : use_area ? target.area[r] : target_areas[r]);
        }
        EXPECT_NEAR(after / before, 1, 1e-13) << order << use_area << quantity;
      }
    }
  }
  target.area.pop_back();
  RemapOptions options;
  options.use_area = true;
  try {
    make_weights(source, target, options);
    ADD_FAILURE() << "no error";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("use_area needs the areas of all target cells"));
  }
}

/// Second order with masks: what counts is shared out, nothing more and nothing less.
TEST(Masks, KeepTheIntegralOfWhatCounts) {
  std::mt19937 random(11);
  for (const auto& [name, all] : sphere_grids::all(6)) {
    SCOPED_TRACE(name);
    Cells source = all;
    for (std::size_t c = 0; c < source.size(); ++c)
      source.mask.push_back(random() % 3 == 0 ? 0 : 1);
    const Cells target = sphere_grids::hexagons(4);
    const Weights weights = make_weights(source, target, {});
    std::vector<double> values;
    for (std::size_t c = 0; c < source.size(); ++c) {
      values.push_back(source.counts(c) ? 1 + 0.1 * static_cast<double>(random() % 10) : 1e30);
    }
    const std::vector<double> from = areas_of(all);
    const std::vector<double> to = areas_of(target);
    long double before = 0;
    long double after = 0;
    for (std::size_t c = 0; c < source.size(); ++c) {
      if (source.counts(c)) before += static_cast<long double>(from[c]) * values[c];
    }
    for (std::size_t r = 0; r < weights.rows(); ++r) {
      for (auto k = weights.offsets[r]; k < weights.offsets[r + 1]; ++k) {
        const auto e = static_cast<std::size_t>(k);
        const auto c = static_cast<std::size_t>(weights.source[e]);
        ASSERT_TRUE(source.counts(c));
        after += static_cast<long double>(to[r]) * weights.weight[e] * values[c];
      }
    }
    EXPECT_NEAR(static_cast<double>(after / before), 1, 1e-13);
    // Renormalized, a constant is the constant.
    RemapOptions options;
    options.renormalize = true;
    const Weights means = make_weights(source, target, options);
    const std::vector<double> constant(source.size(), 273.15);
    std::vector<double> results(target.size());
    apply_with_missing(means, constant, results, 1);
    for (const double result : results) EXPECT_TRUE(result == 273.15 || std::isnan(result));
  }
}

TEST(MissingValues, AreLeftOutOfTheMean) {
  const Cells source = sphere_grids::regular(8, 4);
  const Cells target = sphere_grids::regular(4, 2);
  RemapOptions options;
  options.for_missing = true;
  const Weights weights = make_weights(source, target, options);
  std::vector<double> values(source.size());
  for (std::size_t c = 0; c < values.size(); ++c) values[c] = static_cast<double>(c % 2);
  values[0] = std::numeric_limits<double>::quiet_NaN();
  const auto row = [&](std::size_t r) {
    const auto first = static_cast<std::size_t>(weights.offsets[r]);
    const auto count = static_cast<std::size_t>(weights.offsets[r + 1]) - first;
    return epios::io::apply_row_with_missing(std::span(weights.weight).subspan(first, count),
                                             std::span(weights.first_order).subspan(first, count),
                                             std::span(weights.source).subspan(first, count),
                                             values.data());
  };
  const std::vector<double> areas = areas_of(source);
  EXPECT_NEAR(row(0).value, (areas[1] + areas[9]) / (areas[1] + areas[8] + areas[9]), 1e-14);
  values.assign(values.size(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(row(0).is_missing);
  values.assign(values.size(), 7.7);
  EXPECT_EQ(row(0).value, 7.7);
  values[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(row(0).value, 7.7);
}

TEST(MissingValues, OfSecondOrderAloneLeaveTheMeanOfWhatIsPositive) {
  const std::vector<double> weight{-0.4, 0.9, 0.4999999, -0.5, 0.5000001};
  const std::vector<std::int64_t> position{0, 1, 2, 3, 4};
  for (std::size_t gone = 0; gone < weight.size(); ++gone) {
    std::vector<double> values{5, 1, 4, 3, 2};
    values[gone] = std::numeric_limits<double>::quiet_NaN();
    const auto result = epios::io::apply_row_with_missing(weight, {}, position, values.data());
    EXPECT_FALSE(result.is_missing);
    EXPECT_GE(result.value, 1);
    EXPECT_LE(result.value, 4);
  }
}

TEST(Rows, WithoutNegativeWeightsStayWithinTheirValues) {
  std::mt19937 random(4714);
  std::uniform_real_distribution<double> part(0, 1);
  constexpr int rounds = 20'000;
  for (int round = 0; round < rounds; ++round) {
    const std::size_t count = 1 + random() % 9;
    std::vector<double> weight(count);
    std::vector<double> values(count);
    std::vector<std::int64_t> position(count);
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) {
      weight[k] = std::pow(10.0, -20 * part(random));
      values[k] = static_cast<double>(random() % 2);
      position[k] = static_cast<std::int64_t>(k);
      sum += weight[k];
    }
    for (double& w : weight) w /= sum;
    double result = epios::io::apply_row(weight, position, values.data()).value;
    ASSERT_GE(result, 0);
    ASSERT_LE(result, 1);
    values[random() % count] = std::numeric_limits<double>::quiet_NaN();
    const auto rest = epios::io::apply_row_with_missing(weight, {}, position, values.data());
    if (rest.is_missing) continue;
    ASSERT_GE(rest.value, 0);
    ASSERT_LE(rest.value, 1);
  }
}

/// Corners around a point, as a polygon that turns left everywhere.
Cells convex(std::mt19937& random) {
  std::uniform_real_distribution<double> part(0, 1);
  const double lon = 720 * part(random) - 360;
  const double lat = 180 * part(random) - 90;
  const double size = std::pow(10.0, -9 * part(random) * part(random));
  std::vector<double> angles(3 + random() % 6);
  for (double& angle : angles) angle = 2 * std::numbers::pi * part(random);
  std::sort(angles.begin(), angles.end());
  const sphere_grids::Point up = sphere_grids::point_at(lon, lat);
  const sphere_grids::Point east = sphere_grids::point_at(lon + 90, 0);
  const sphere_grids::Point north = sphere_grids::point_at(lon, lat + 90);
  std::vector<std::pair<double, double>> corners;
  for (const double angle : angles) {
    sphere_grids::Point p{};
    for (std::size_t k = 0; k < 3; ++k) {
      p[k] = up[k] + size * (std::cos(angle) * east[k] + std::sin(angle) * north[k]);
    }
    constexpr double degrees = 180 / std::numbers::pi;
    corners.emplace_back(std::atan2(p[1], p[0]) * degrees,
                         std::atan2(p[2], std::hypot(p[0], p[1])) * degrees);
  }
  return one_cell(corners);
}

TEST(RandomCells, AreWhatGridsHaveOfThem) {
  std::mt19937 random(4711);
  const auto grids = sphere_grids::all(7);
  constexpr int rounds = 300;
  for (int round = 0; round < rounds; ++round) {
    const Cells cell = convex(random);
    if (inspect(cell).unusable() > 0) continue;
    const double area = areas_of(cell)[0];
    const auto& [name, grid] = grids[random() % grids.size()];
    SCOPED_TRACE(name + ", round " + std::to_string(round));
    EXPECT_NEAR(shared(cell, grid), area, 1e-14 * std::max(1e-2, std::sqrt(area)));
    EXPECT_NEAR(shared(grid, cell), area, 1e-14 * std::max(1e-2, std::sqrt(area)));
  }
}

TEST(RandomCells, HaveOverlapsThatAreSymmetric) {
  std::mt19937 random(4712);
  constexpr int rounds = 400;
  for (int round = 0; round < rounds; ++round) {
    const Cells a = convex(random);
    Cells b = convex(random);
    // Often near each other, often with a common corner.
    const double lon = a.lon[0] - b.lon[0];
    const double lat = a.lat[0] - b.lat[0];
    for (double& x : b.lon) x += lon;
    for (double& y : b.lat) y = std::clamp(y + lat, -90.0, 90.0);
    if (inspect(a).unusable() + inspect(b).unusable() > 0) continue;
    SCOPED_TRACE(round);
    const double smaller = std::min(areas_of(a)[0], areas_of(b)[0]);
    EXPECT_NEAR(shared(a, b), shared(b, a), 1e-14 * std::max(1e-3, std::sqrt(smaller)));
  }
}

TEST(RandomCells, OfAnyPointsMakeFiniteWeights) {
  std::mt19937 random(4713);
  std::uniform_real_distribution<double> part(0, 1);
  constexpr int rounds = 300;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    std::array<Cells, 2> grids;
    for (Cells& cells : grids) {
      cells.edges = random() % 2 == 0 ? Edges::parallels : Edges::great_circles;
      const int count = 1 + static_cast<int>(random() % 12);
      const double size = std::pow(10.0, -12 * part(random) * part(random));
      for (int c = 0; c < count; ++c) {
        std::vector<std::pair<double, double>> corners;
        const int n = static_cast<int>(random() % 9);
        for (int k = 0; k < n; ++k) {
          // Few different values: corners coincide, lie in line, and on poles.
          const double lon = static_cast<double>(random() % 5) * 90 * size;
          const double lat = static_cast<double>(static_cast<int>(random() % 5) - 2) * 45 *
                             (random() % 3 == 0 ? 1 : size);
          corners.emplace_back(lon, lat);
          if (random() % 500 == 0) corners.back().first = std::numeric_limits<double>::infinity();
        }
        append(cells, one_cell(corners));
        const std::array<double, 4> odd{0, -1, std::numeric_limits<double>::infinity(),
                                        std::numeric_limits<double>::quiet_NaN()};
        cells.area.push_back(random() % 9 == 0 ? odd.at(random() % 4) : 1e12 * part(random));
      }
    }
    for (const int order : {1, 2}) {
      for (const auto method :
           {epios::io::RemapMethod::conservative, epios::io::RemapMethod::bilinear,
            epios::io::RemapMethod::nearest}) {
        RemapOptions options;
        options.order = order;
        options.method = method;
        options.quantity = random() % 2 == 0;
        options.renormalize = random() % 2 == 0;
        options.for_missing = random() % 2 == 0;
        options.use_area = random() % 2 == 0;
        const Weights weights = make_weights(grids[0], grids[1], options);
        for (const double weight : weights.weight) {
          ASSERT_TRUE(std::isfinite(weight)) << order << static_cast<int>(method);
        }
        for (const double weight : weights.first_order) ASSERT_TRUE(weight >= 0);
        for (const double covered : weights.covered) ASSERT_TRUE(covered >= 0 && covered <= 1);
      }
    }
    boxes_around(grids[0], 3);
    cells_in(grids[0], boxes_around(grids[1], 3));
  }
}

// A fuzzer's: along parallels, what is added and taken away differs by rounding.
TEST(RandomCells, WithoutInsideHaveNoAreaAndNotLess) {
  Cells cells;
  cells.edges = Edges::parallels;
  cells.lon = {360, 60, 9.0000000000000008e-14, 360, -180, -180};
  cells.lat = {-75, -75, -74.999999999999915, -90, -90, -90};
  cells.offsets = {0, 6};
  const double area = areas_of(cells)[0];
  EXPECT_GE(area, 0);
  EXPECT_LE(area, 1e-15);
}

}  // namespace
}  // namespace epios::remap_degenerate_test
