// Conservative weights of curvilinear domains that have centres alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "space/cells.hpp"
#include "space/weights.hpp"
#include "sphere_grids.hpp"

namespace epios::io::amid_centres_test {
namespace {

constexpr double degrees_per_radian = 180 / std::numbers::pi;
constexpr double sphere = 4 * std::numbers::pi;

struct Centres {
  std::int64_t ni = 0, nj = 0;
  std::vector<double> lon, lat;
  Cells cells() const { return curvilinear_cells(ni, nj, lon, lat); }
  std::size_t at(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(j * ni + i);
  }
};

/// Rows and columns around a pole that lies `tilt` degrees beside that of the sphere; `first` and
/// `last`: of the rows, from pole to pole.
Centres turned(std::int64_t ni, std::int64_t nj, double tilt, double first = -90, double last = 90,
               double width = 360) {
  Centres out{ni, nj, {}, {}};
  const double s = std::sin(tilt / degrees_per_radian);
  const double c = std::cos(tilt / degrees_per_radian);
  for (std::int64_t j = 0; j < nj; ++j) {
    const double row = static_cast<double>(j) + 0.5;
    const double lat =
        (first + (last - first) * row / static_cast<double>(nj)) / degrees_per_radian;
    for (std::int64_t i = 0; i < ni; ++i) {
      const double column = static_cast<double>(i) + 0.5;
      const double lon = width * column / static_cast<double>(ni) / degrees_per_radian;
      const double x = std::cos(lat) * std::cos(lon);
      const double y = std::cos(lat) * std::sin(lon);
      const double z = std::sin(lat);
      out.lon.push_back(std::atan2(y, c * x + s * z) * degrees_per_radian);
      out.lat.push_back(std::asin(c * z - s * x) * degrees_per_radian);
    }
  }
  return out;
}

double total(const Cells& cells) {
  const std::vector<double> areas = areas_of(cells);
  return std::accumulate(areas.begin(), areas.end(), 0.0);
}

Weights weights(const Cells& from, const Cells& to) {
  RemapOptions options;
  options.order = 1;
  return make_weights(from, to, options);
}

// All around, across the date line and over both poles, corners meet: no gap, nothing twice.
TEST(AmidCentres, cells_of_a_whole_sphere_cover_it_once) {
  for (const double tilt : {0.0, 1e-3, 37.0, 90.0}) {
    const Cells cells = turned(36, 18, tilt).cells();
    ASSERT_EQ(cells.size(), 648U);
    EXPECT_TRUE(cells.has_made_corners);
    EXPECT_NEAR(total(cells) / sphere, 1, 1e-12) << tilt;
    const CellReport report = inspect(cells);
    EXPECT_EQ(report.unusable(), 0U) << tilt;
    EXPECT_EQ(report.crossed.count, 0U) << tilt;
    const Weights onto = weights(cells, sphere_grids::regular(24, 10));
    EXPECT_TRUE(onto.overfull.empty()) << tilt;
    for (std::size_t r = 0; r < onto.rows(); ++r) {
      const auto first = onto.weight.begin() + onto.offsets[r];
      EXPECT_NEAR(std::accumulate(first, onto.weight.begin() + onto.offsets[r + 1], 0.0), 1, 1e-12);
    }
  }
}

// The corners of an even grid are those that it had.
TEST(AmidCentres, corners_of_even_cells_are_their_own) {
  const Centres part = turned(20, 10, 30, -40, 40, 100);
  const std::vector<double> found = areas_of(part.cells());
  const std::vector<double> fine = areas_of(turned(40, 20, 30, -40, 40, 100).cells());
  for (std::int64_t j = 0; j < 10; ++j) {
    for (std::int64_t i = 0; i < 20; ++i) {
      const auto at = [&](std::int64_t k, std::int64_t l) {
        return fine[static_cast<std::size_t>((2 * j + l) * 40 + 2 * i + k)];
      };
      const double four = at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1);
      EXPECT_NEAR(found[part.at(i, j)] / four, 1, 0.02) << i << ", " << j << ": also at the rim";
    }
  }
}

// Grids of straight rows are what they are without two dimensions, with edges along parallels.
TEST(AmidCentres, straight_rows_follow_parallels) {
  Centres rows{12, 6, {}, {}};
  std::vector<double> lons;
  std::vector<double> lats;
  for (int i = 0; i < 12; ++i) lons.push_back(i < 6 ? 15 + 30 * i : 30 * i - 345);
  for (int j = 0; j < 6; ++j) lats.push_back(75 - 30 * j);
  for (const double lat : lats) {
    for (const double lon : lons) {
      rows.lon.push_back(lon);
      rows.lat.push_back(lat);
    }
  }
  const Cells found = rows.cells();
  const Cells expected = rectilinear_cells(bounds_between(lons, false), bounds_between(lats, true));
  EXPECT_EQ(found.edges, Edges::parallels);
  EXPECT_EQ(found.lon, expected.lon);
  EXPECT_EQ(found.lat, expected.lat);
  EXPECT_NEAR(total(found) / sphere, 1, 1e-12);
}

// Beside centres that nobody knows cells end where they would end beside the next one.
TEST(AmidCentres, of_cells_beside_unknown_ones_go_on) {
  const Centres whole = turned(20, 10, 30, -40, 40, 100);
  const std::vector<double> expected = areas_of(whole.cells());
  Centres holes = whole;
  for (const auto& [i, j] : std::vector<std::pair<int, int>>{{5, 5}, {6, 5}, {12, 3}, {19, 9}}) {
    holes.lon[holes.at(i, j)] = std::nan("");
  }
  holes.lat[holes.at(0, 4)] = 1e20;
  const Cells cells = holes.cells();
  const std::vector<double> areas = areas_of(cells);
  std::size_t none = 0;
  for (std::size_t c = 0; c < areas.size(); ++c) {
    if (areas[c] == 0) {
      ++none;
    } else {
      EXPECT_NEAR(areas[c] / expected[c], 1, 0.02) << "cell " << c;
    }
  }
  EXPECT_EQ(none, 5U);
  const CellReport report = inspect(cells);
  EXPECT_EQ(report.few_corners.count, 5U);
  EXPECT_EQ(report.crossed.count, 0U);
  EXPECT_TRUE(weights(cells, whole.cells()).overfull.empty());
}

TEST(AmidCentres, doubt_is_how_much_sizes_bend) {
  // Columns of 1, 1, 3, 3 ... degrees along the equator.
  Centres uneven{8, 3, {}, {}};
  for (int j = 0; j < 3; ++j) {
    double west = 0;
    for (int i = 0; i < 8; ++i) {
      const double width = i / 2 % 2 == 0 ? 1 : 3;
      uneven.lon.push_back(west + width / 2 + 1e-4 * j);
      uneven.lat.push_back(j - 1 + 1e-4 * i);
      west += width;
    }
  }
  const Cells cells = uneven.cells();
  ASSERT_EQ(cells.edges, Edges::great_circles);
  const std::vector<double> areas = areas_of(cells);
  std::vector<std::array<double, 4>> beside;
  for (std::size_t c = 0; c < areas.size(); ++c) {
    beside.push_back({c % 8 > 0 ? areas[c - 1] : 0, c % 8 < 7 ? areas[c + 1] : 0, 0, 0});
  }
  const AreaDoubt doubt = area_doubt(cells, areas, beside, false, 1);
  EXPECT_GT(doubt.share, 0.1);
  EXPECT_LT(doubt.share, 0.4);
  EXPECT_THAT(doubt.sentence(),
              ::testing::MatchesRegex(
                  R"(areas may be off by up to [0-9.]+ %, judged by neighbours \(cell [0-9]+\))"));
  Cells given = cells;
  for (const double area : areas) given.area.push_back(4 * area);
  given.area[9] *= 1.25;
  const AreaDoubt known = area_doubt(given, areas, beside, true, 2);
  EXPECT_NEAR(known.share, 0.2, 1e-12);
  EXPECT_EQ(known.sentence(), "areas differ from those given by up to 20 % (cell 9)");
}

}  // namespace
}  // namespace epios::io::amid_centres_test
