// Weights between grids of all kinds that cover the sphere: conservation, constants, order.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "space/cells.hpp"
#include "space/weights.hpp"
#include "sphere_grids.hpp"

namespace epios::remap_test {
namespace {

using epios::io::Cells;
using epios::io::RemapMethod;
using epios::io::RemapOptions;
using epios::io::Weights;
using sphere_grids::Named;
using sphere_grids::Point;

std::vector<double> applied(const Weights& weights, const std::vector<double>& values) {
  std::vector<double> result(weights.rows());
  for (std::size_t r = 0; r < weights.rows(); ++r) {
    const auto first = static_cast<std::size_t>(weights.offsets[r]);
    const std::size_t count = static_cast<std::size_t>(weights.offsets[r + 1]) - first;
    result[r] = epios::io::apply_row(std::span(weights.weight).subspan(first, count),
                                     std::span(weights.source).subspan(first, count), values.data())
                    .value;
  }
  return result;
}

double integral(const std::vector<double>& areas, const std::vector<double>& values) {
  long double sum = 0;
  for (std::size_t c = 0; c < areas.size(); ++c)
    sum += static_cast<long double>(areas[c]) * values[c];
  return static_cast<double>(sum);
}

using Field = std::function<double(const Point&)>;

/// Mean of a field over a cell, by triangles around its middle, cut into 16 each.
double mean(const Cells& cells, std::size_t cell, const Field& field) {
  const auto first = static_cast<std::size_t>(cells.offsets[cell]);
  const std::size_t n = static_cast<std::size_t>(cells.offsets[cell + 1]) - first;
  if (cells.edges == epios::io::Edges::parallels) {
    constexpr int parts = 4;
    double sum = 0;
    double area = 0;
    const double west = cells.lon[first];
    const double width = cells.lon[first + 1] - west;
    const double south = cells.lat[first];
    const double height = cells.lat[first + 2] - south;
    for (int i = 0; i < parts; ++i) {
      for (int j = 0; j < parts; ++j) {
        const double lat = south + (j + 0.5) * height / parts;
        const double weight = std::cos(lat * std::numbers::pi / 180);
        sum += weight * field(sphere_grids::point_at(west + (i + 0.5) * width / parts, lat));
        area += weight;
      }
    }
    return sum / area;
  }
  std::vector<Point> corners;
  Point middle{0, 0, 0};
  for (std::size_t k = 0; k < n; ++k) {
    corners.push_back(sphere_grids::point_at(cells.lon[first + k], cells.lat[first + k]));
    for (std::size_t d = 0; d < 3; ++d) middle[d] += corners.back()[d] / static_cast<double>(n);
  }
  constexpr int parts = 4;
  double sum = 0;
  double area = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Point& a = corners[k];
    const Point& b = corners[(k + 1) % n];
    const Point c{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    const double size = middle[0] * c[0] + middle[1] * c[1] + middle[2] * c[2];
    for (int i = 0; i < parts; ++i) {
      for (int j = 0; i + j < parts; ++j) {
        for (const int up : {0, 1}) {
          if (up == 1 && i + j + 1 >= parts) continue;
          const double u = (i + (up == 1 ? 2.0 : 1.0) / 3) / parts;
          const double v = (j + (up == 1 ? 2.0 : 1.0) / 3) / parts;
          Point p{};
          for (std::size_t d = 0; d < 3; ++d) {
            p[d] = (1 - u - v) * middle[d] + u * a[d] + v * b[d];
          }
          const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
          for (double& d : p) d /= length;
          sum += size * field(p);
          area += size;
        }
      }
    }
  }
  return sum / area;
}

std::vector<double> means(const Cells& cells, const Field& field) {
  std::vector<double> values(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) values[c] = mean(cells, c, field);
  return values;
}

double smooth(const Point& p) { return 2 + p[0] * p[1] + p[2] * p[2] * p[0] - 0.5 * p[2]; }

/// Root mean square of the error of remapped means, weighted by area.
double error_of(const Cells& source, const Cells& target, const RemapOptions& options,
                const Field& field) {
  const std::vector<double> result =
      applied(make_weights(source, target, options), means(source, field));
  const std::vector<double> truth = means(target, field);
  const std::vector<double> areas = areas_of(target);
  double sum = 0;
  for (std::size_t c = 0; c < result.size(); ++c) {
    sum += areas[c] * (result[c] - truth[c]) * (result[c] - truth[c]);
  }
  return std::sqrt(sum / (4 * std::numbers::pi));
}

class AllPairs : public ::testing::TestWithParam<int> {};

TEST_P(AllPairs, OverlapsCoverTheSphereOnce) {
  const std::vector<Named> grids = sphere_grids::all(GetParam());
  for (const Named& source : grids) {
    for (const Named& target : grids) {
      SCOPED_TRACE(source.name + " to " + target.name);
      RemapOptions options;
      options.order = 1;
      options.quantity = true;  // overlap over the source's area
      const Weights weights = make_weights(source.cells, target.cells, options);
      const std::vector<double> areas = areas_of(source.cells);
      long double sum = 0;
      for (std::size_t k = 0; k < weights.weight.size(); ++k) {
        EXPECT_GT(weights.weight[k], 0);
        sum += static_cast<long double>(weights.weight[k]) *
               areas[static_cast<std::size_t>(weights.source[k])];
      }
      EXPECT_NEAR(static_cast<double>(sum / (4 * std::numbers::pi_v<long double>)), 1, 1e-13);
      for (const double covered : weights.covered) EXPECT_EQ(covered, 1);
    }
  }
}

TEST_P(AllPairs, IntegralsStayAndConstantsAreExact) {
  const std::vector<Named> grids = sphere_grids::all(GetParam());
  for (const Named& source : grids) {
    const std::vector<double> values = means(source.cells, smooth);
    const std::vector<double> constant(source.cells.size(), 0.1);
    const double before = integral(areas_of(source.cells), values);
    for (const Named& target : grids) {
      for (const int order : {1, 2}) {
        SCOPED_TRACE(source.name + " to " + target.name + ", order " + std::to_string(order));
        RemapOptions options;
        options.order = order;
        const Weights weights = make_weights(source.cells, target.cells, options);
        const double after = integral(areas_of(target.cells), applied(weights, values));
        EXPECT_NEAR(after / before, 1, 1e-13);
        for (const double value : applied(weights, constant)) EXPECT_EQ(value, 0.1);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, AllPairs, ::testing::Values(5, 8));

TEST(Remap, OneThreadOrThreeMakeTheSameBits) {
  const Cells source = sphere_grids::hexagons(9);
  const Cells target = sphere_grids::uneven(40, 20);
  RemapOptions options;
  const Weights one = make_weights(source, target, options);
  options.threads = 3;
  const Weights three = make_weights(source, target, options);
  EXPECT_EQ(one.offsets, three.offsets);
  EXPECT_EQ(one.source, three.source);
  EXPECT_EQ(one.weight, three.weight);
}

/// Slope of the error against the resolution, from a grid to one twice as fine, by halving both.
double slope(const std::function<std::pair<Cells, Cells>(int)>& grids, const Field& field,
             const RemapOptions& options) {
  const auto [a, b] = grids(1);
  const auto [c, d] = grids(2);
  return std::log2(error_of(a, b, options, field) / error_of(c, d, options, field));
}

double wavy(
    const Point& p) {  // of the kind of Y(32, 16), with wavelengths that small grids resolve
  const double lon = std::atan2(p[1], p[0]);
  const double cosine = std::hypot(p[0], p[1]);
  return 2 + std::pow(cosine, 8) * std::cos(8 * lon) * p[2];
}
/// Nair and Machenhauer 2002, doi:10.1175/1520-0493(2002)130<0649:TMCCIS>2.0.CO;2, around a place
/// of its own.
double vortex(const Point& p) {
  const auto along = [&](const Point& axis) {
    return p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2];
  };
  const double north = along(sphere_grids::point_at(40, 35));
  const double east = along(sphere_grids::point_at(130, 0));
  const double ahead = along(sphere_grids::point_at(220, 55));
  const double radius = 3 * std::sqrt(std::max(0.0, 1 - north * north));
  if (radius == 0) return 1;
  const double speed =
      1.5 * std::sqrt(3.0) * std::tanh(radius) / (radius * std::cosh(radius) * std::cosh(radius));
  const double time = 3;
  return 1 - std::tanh(radius / 5 * std::sin(std::atan2(ahead, east) - speed * time));
}

TEST(Remap, SecondOrderConvergesAsItsNameSays) {
  const std::vector<std::pair<const char*, std::function<std::pair<Cells, Cells>(int)>>> pairs{
      {"regular to hexagons",
       [](int f) {
         return std::pair(sphere_grids::regular(64 * f, 32 * f), sphere_grids::hexagons(11 * f));
       }},
      {"hexagons to regular",
       [](int f) {
         return std::pair(sphere_grids::hexagons(16 * f), sphere_grids::regular(90 * f, 45 * f));
       }},
      {"cubed to rotated",
       [](int f) {
         return std::pair(sphere_grids::cubed(24 * f), sphere_grids::rotated(96 * f, 48 * f));
       }},
      {"reduced to triangles",
       [](int f) {
         return std::pair(sphere_grids::reduced(48 * f), sphere_grids::triangles(16 * f));
       }},
  };
  for (const auto& [name, grids] : pairs) {
    SCOPED_TRACE(name);
    RemapOptions options;
    EXPECT_GE(slope(grids, wavy, options), 1.9);
    EXPECT_GE(slope(grids, smooth, options), 1.9);
    options.order = 1;
    EXPECT_LT(slope(grids, smooth, options), 1.5);  // else the test says nothing
  }
}

TEST(Remap, VortexConvergesInSecondOrder) {
  const auto grids = [](int f) {
    return std::pair(sphere_grids::rotated(100 * f, 50 * f), sphere_grids::hexagons(22 * f));
  };
  EXPECT_GE(slope(grids, vortex, {}), 1.9);
}

TEST(Remap, BilinearAndNearestConvergeToo) {
  const auto grids = [](int f) {
    return std::pair(sphere_grids::regular(64 * f, 32 * f), sphere_grids::hexagons(12 * f));
  };
  RemapOptions options;
  options.method = RemapMethod::bilinear;
  EXPECT_GE(slope(grids, smooth, options), 1.8);
  options.method = RemapMethod::nearest;
  EXPECT_GE(slope(grids, smooth, options), 0.8);
}

TEST(Remap, BilinearBetweenRowsIsWhatLongitudesAndLatitudesSay) {
  Cells source = sphere_grids::regular(72, 36, -2.5);
  for (std::size_t c = 0; c < source.size(); ++c) {
    source.centre_lon.push_back(5.0 * static_cast<double>(c % 72));
    source.centre_lat.push_back(-87.5 + 5.0 * static_cast<double>(c / 72));
  }
  std::vector<double> values;  // linear in both inside of 10 and 350 degrees
  for (std::size_t c = 0; c < source.size(); ++c) {
    values.push_back(source.centre_lon[c] * 3 + source.centre_lat[c] * source.centre_lon[c]);
  }
  Cells target = sphere_grids::regular(50, 41, -2.2);
  RemapOptions options;
  options.method = RemapMethod::bilinear;
  const std::vector<double> result = applied(make_weights(source, target, options), values);
  const epios::io::CellCentres centres = centres_of(target);
  int compared = 0;
  for (std::size_t r = 0; r < result.size(); ++r) {
    const double lon = centres.lon[r] < 0 ? centres.lon[r] + 360 : centres.lon[r];
    if (lon < 10 || lon > 350 || std::abs(centres.lat[r]) > 87.5) continue;
    EXPECT_NEAR(result[r], lon * 3 + centres.lat[r] * lon, 1e-8) << lon << " " << centres.lat[r];
    ++compared;
  }
  EXPECT_GT(compared, 1500);
}

TEST(Remap, PiecesMakeTheRowsOfTheWhole) {
  const Cells source = sphere_grids::hexagons(8);
  const Cells target = sphere_grids::regular(36, 18);
  const Weights whole = make_weights(source, target, {});
  for (std::size_t part = 0; part < 5; ++part) {
    std::vector<std::size_t> mine;
    for (std::size_t c = part * 7; c < target.size(); c += 11) mine.push_back(c);
    const Cells own = selected(target, mine);
    const Cells over = selected(source, cells_in(source, boxes_around(own, 16)));
    // In another order than the whole grid's.
    std::vector<std::size_t> around = cells_in(source, boxes_around(over, 16));
    std::reverse(around.begin(), around.end());
    const Weights piece = make_weights(selected(source, around), own, {});
    for (std::size_t r = 0; r < piece.rows(); ++r) {
      const auto row = [](const Weights& weights, std::size_t r2) {
        const auto first = weights.offsets[r2];
        const auto last = weights.offsets[r2 + 1];
        return std::pair(
            std::vector<std::int64_t>(weights.source.begin() + first,
                                      weights.source.begin() + last),
            std::vector<double>(weights.weight.begin() + first, weights.weight.begin() + last));
      };
      ASSERT_EQ(row(piece, r), row(whole, mine[r]));
    }
  }
}

}  // namespace
}  // namespace epios::remap_test
