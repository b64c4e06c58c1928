// Values between points, against the plainest way to work them out: each target looks at
// everything.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ep/ep.hpp>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/model.hpp"
#include "space/steps.hpp"
#include "space/weights.hpp"
#include "sphere_grids.hpp"

namespace epios::io::between_test {
namespace {

using sphere_grids::Point;

/// Of places all around the sphere, as targets without corners.
Cells places(std::size_t count, unsigned seed, double most_lat) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> longitude(-180, 360);
  std::uniform_real_distribution<double> latitude(-most_lat, most_lat);
  Cells out;
  for (std::size_t c = 0; c < count; ++c) {
    out.centre_lon.push_back(longitude(random));
    out.centre_lat.push_back(latitude(random));
  }
  out.offsets.assign(count + 1, 0);
  return out;
}

/// As a row says: weights by source.
std::vector<double> dense(const Weights& weights, std::size_t row, std::size_t sources) {
  std::vector<double> out(sources);
  for (auto k = static_cast<std::size_t>(weights.offsets[row]);
       k < static_cast<std::size_t>(weights.offsets[row + 1]); ++k) {
    out[static_cast<std::size_t>(weights.source[k])] += weights.weight[k];
  }
  return out;
}

TEST(Bilinear, of_rows_and_columns_is_the_formula_of_rows_and_columns) {
  constexpr std::size_t ni = 17;
  constexpr std::size_t nj = 11;
  Cells source = sphere_grids::regular(ni, nj, 23);
  const auto lat_of = [](std::size_t j) {
    return -90 + (static_cast<double>(j) + 0.5) * 180 / static_cast<double>(nj);
  };
  for (std::size_t c = 0; c < source.size(); ++c) {
    source.centre_lon.push_back(23 + (static_cast<double>(c % ni) + 0.5) * 360 / ni);
    source.centre_lat.push_back(lat_of(c / ni));
  }
  const Cells target = places(400, 7, 80);  // between the outermost rows, which are at 82 degrees
  RemapOptions options;
  options.method = RemapMethod::bilinear;
  const Weights weights = make_weights(source, target, options);
  ASSERT_EQ(weights.rows(), target.size());
  for (std::size_t r = 0; r < target.size(); ++r) {
    std::vector<double> wanted(ni * nj);
    double column = (target.centre_lon[r] - 23) * ni / 360 - 0.5;
    column -= std::floor(column / ni) * ni;
    const auto i = static_cast<std::size_t>(column);
    const double x = column - static_cast<double>(i);
    std::size_t j = 0;
    while (lat_of(j + 1) < target.centre_lat[r]) ++j;
    const double y = (target.centre_lat[r] - lat_of(j)) / (lat_of(j + 1) - lat_of(j));
    wanted[j * ni + i] += (1 - x) * (1 - y);
    wanted[j * ni + (i + 1) % ni] += x * (1 - y);
    wanted[(j + 1) * ni + i] += (1 - x) * y;
    wanted[(j + 1) * ni + (i + 1) % ni] += x * y;
    const std::vector<double> got = dense(weights, r, ni * nj);
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      EXPECT_NEAR(got[c], wanted[c], 1e-11) << "row " << r << ", cell " << c;
    }
  }
}

double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double det(const Point& a, const Point& b, const Point& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// Of hexagons whose centres are the corners of triangles: each target lies in one of those, whose
/// plane it is on as seen from the sphere's centre.
TEST(Bilinear, between_three_centres_is_the_plane_through_them) {
  constexpr int n = 4;
  Cells source = sphere_grids::hexagons(n);
  const Cells triangles = sphere_grids::triangles(n);
  const auto corner = [&](std::size_t k) {
    return sphere_grids::point_at(triangles.lon[k], triangles.lat[k]);
  };
  // Each hexagon's centre is the corner of a triangle that its own corners are nearest to.
  std::vector<Point> centres(source.size());
  for (std::size_t c = 0; c < source.size(); ++c) {
    Point sum{};
    for (auto k = source.offsets[c]; k < source.offsets[c + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const Point p = sphere_grids::point_at(source.lon[at], source.lat[at]);
      for (std::size_t d = 0; d < 3; ++d) sum[d] += p[d];
    }
    std::size_t best = 0;
    for (std::size_t k = 0; k < triangles.lon.size(); ++k) {
      if (dot(corner(k), sum) > dot(corner(best), sum)) best = k;
    }
    centres[c] = corner(best);
    source.centre_lon.push_back(triangles.lon[best]);
    source.centre_lat.push_back(triangles.lat[best]);
  }
  const auto cell_at = [&](const Point& p) {
    std::size_t best = 0;
    for (std::size_t c = 0; c < centres.size(); ++c) {
      if (dot(centres[c], p) > dot(centres[best], p)) best = c;
    }
    return best;
  };
  const Cells target = places(300, 3, 89);
  RemapOptions options;
  options.method = RemapMethod::bilinear;
  const Weights weights = make_weights(source, target, options);
  for (std::size_t r = 0; r < target.size(); ++r) {
    SCOPED_TRACE(r);
    const Point t = sphere_grids::point_at(target.centre_lon[r], target.centre_lat[r]);
    std::vector<double> wanted(source.size());
    double least_of_best = -1;
    for (std::size_t triangle = 0; triangle < triangles.size(); ++triangle) {
      const std::array<Point, 3> p{corner(3 * triangle), corner(3 * triangle + 1),
                                   corner(3 * triangle + 2)};
      if (dot(p[0], t) < 0.8) continue;  // sides are of 0.3 at most
      std::array<double, 3> share{};
      for (std::size_t k = 0; k < 3; ++k) {
        share[k] = det(t, p[(k + 1) % 3], p[(k + 2) % 3]) * dot(p[k], t);
      }
      const double sum = share[0] + share[1] + share[2];
      for (double& one : share) one /= sum;
      const double least = *std::min_element(share.begin(), share.end());
      if (least <= least_of_best) continue;
      least_of_best = least;
      std::fill(wanted.begin(), wanted.end(), 0.0);
      for (std::size_t k = 0; k < 3; ++k) wanted[cell_at(p[k])] = share[k];
    }
    ASSERT_GE(least_of_best, -1e-12);
    const std::vector<double> got = dense(weights, r, source.size());
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      EXPECT_NEAR(got[c], wanted[c], 1e-9) << "target " << r << ", cell " << c;
    }
  }
}

/// Nobody hears.
class Silent final : public StepWatch {
 public:
  void begin(const std::string& /*what*/) override {}
  void check(const StepRun& /*waiting*/) override {}
  void end() override {}
};

/// A field along an axis that is dealt out, in any order of values, to an axis that all have.
std::vector<double> along_axis(const ep::Comm& world, const std::vector<double>& at,
                               const std::vector<bool>& mask, const std::vector<double>& field,
                               const std::vector<double>& to, int order) {
  const config::SourceTexts texts{{"iodef.xml", R"(<simulation><context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="z"/><axis id="to"><interpolate_axis order=")" +
                                                    std::to_string(order) +
                                                    R"("/></axis></axis_definition>
    <field_definition operation="instant"><field id="t" axis_ref="z"/></field_definition>
    <file_definition><file id="f" output_freq="1h"><field field_ref="t" axis_ref="to"/></file></file_definition>
    </context></simulation>)"}};
  config::Definitions definitions{config::Document(texts)};
  const auto set = [&](const char* axis, const char* name, config::Value value) {
    definitions.set("c", config::ElementKind::axis, axis, name, std::move(value), "test");
  };
  const auto size = static_cast<std::int64_t>(at.size());
  const std::int64_t first = size * world.rank() / world.size();
  const std::int64_t n = size * (world.rank() + 1) / world.size() - first;
  const auto begin = static_cast<std::ptrdiff_t>(first);
  const auto end = static_cast<std::ptrdiff_t>(first + n);
  set("z", "n_glo", size);
  set("z", "begin", first);
  set("z", "n", n);
  set("z", "value", config::value::reals{{at.begin() + begin, at.begin() + end}, {n}});
  set("z", "mask", config::value::booleans{{mask.begin() + begin, mask.begin() + end}, {n}});
  set("to", "n_glo", static_cast<std::int64_t>(to.size()));
  set("to", "value", config::value::reals{to, {static_cast<std::int64_t>(to.size())}});
  config::Model model = definitions.resolve("c");
  Silent watch;
  shape_elements(model, world);
  const LocalParts parts(model);
  StepPlans plans(model, parts, world, nullptr, watch);
  const auto run = plans.run(0);
  const std::vector<double> own(field.begin() + begin, field.begin() + end);
  run->take(std::array{std::span<const double>(own)}, 0);
  const std::span<const double> result = run->deliver();
  return {result.begin(), result.end()};
}

/// The two points around, and those nearest to it beside them; through all of them one polynomial.
double by_hand(const std::vector<double>& at, const std::vector<bool>& mask,
               const std::vector<double>& field, double to, int order, double& scale) {
  std::vector<std::pair<long double, long double>> left;
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (mask[k]) left.emplace_back(at[k], field[k]);
  }
  std::sort(left.begin(), left.end());
  if (to < left.front().first || to > left.back().first) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  std::vector<std::pair<long double, long double>> taken;
  std::size_t above = 1;
  while (left[above].first < to) ++above;
  for (int k = 0; k < 2; ++k) {
    taken.push_back(left[above - 1]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(above) - 1);
  }
  while (static_cast<int>(taken.size()) <= order) {
    const auto nearest = std::min_element(left.begin(), left.end(), [to](auto& a, auto& b) {
      return std::abs(a.first - to) < std::abs(b.first - to);
    });
    taken.push_back(*nearest);
    left.erase(nearest);
  }
  long double sum = 0;
  scale = 1;
  for (const auto& [x, f] : taken) {
    long double weight = 1;
    for (const auto& other : taken) {
      if (other.first != x) weight *= (to - other.first) / (x - other.first);
    }
    sum += weight * f;
    scale += static_cast<double>(std::abs(weight * f));
  }
  return static_cast<double>(sum);
}

TEST(InterpolatedAxis, is_the_polynomial_through_the_nearest_points) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);  // the same on all
    std::uniform_real_distribution<double> number(-5, 5);
    const int order = 1 + static_cast<int>(seed % 4);
    std::vector<double> at(7 + random() % 6);
    std::vector<double> field(at.size());
    std::vector<bool> mask(at.size(), true);
    for (double& one : at) one = number(random);
    for (double& one : field) one = number(random);
    mask[random() % mask.size()] = false;
    std::vector<double> to(9);
    for (double& one : to) one = number(random);
    to[0] = at[0];
    to[1] = *std::max_element(at.begin(), at.end()) + 1;
    const std::vector<double> got = along_axis(world, at, mask, field, to, order);
    ASSERT_EQ(got.size(), to.size());
    for (std::size_t k = 0; k < to.size(); ++k) {
      double scale = 1;
      const double wanted = by_hand(at, mask, field, to[k], order, scale);
      ASSERT_EQ(std::isnan(got[k]), std::isnan(wanted)) << "seed " << seed << ", to " << to[k];
      if (!std::isnan(wanted)) {
        EXPECT_NEAR(got[k], wanted, 1e-13 * scale) << "seed " << seed << ", to " << to[k];
      }
    }
  }
}

}  // namespace
}  // namespace epios::io::between_test
