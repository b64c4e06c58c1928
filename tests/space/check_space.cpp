// What files have of fields on grids that are made of others, compared bit by bit with what the
// same run wrote of the grids that they are made of. Both are read by the distribution's serial
// NetCDF.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "../grids/random_case.hpp"
#include "../integration/netcdf_file.hpp"
#include "space_case.hpp"

namespace {

using toy::NetcdfFile;

int failures = 0;
std::string where;

void fail(const std::string& what) {
  if (++failures <= 20) std::fprintf(stderr, "check_space: %s: %s\n", where.c_str(), what.c_str());
}

bool is_same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// `may_lack`: values that nobody has any more are missing.
void compare(const std::string& name, const std::vector<double>& got,
             const std::vector<double>& expected, bool may_lack = false) {
  if (got.size() != expected.size()) {
    return fail(name + " has " + std::to_string(got.size()) + " values instead of " +
                std::to_string(expected.size()));
  }
  for (std::size_t k = 0; k < got.size(); ++k) {
    if (is_same(got[k], expected[k]) || (may_lack && std::isnan(got[k]))) continue;
    return fail(name + ": value " + std::to_string(k) + " is " + std::to_string(got[k]) +
                " instead of " + std::to_string(expected[k]));
  }
}

/// The points of a product of lists, first one fastest, as places in an array of `sizes`.
std::vector<std::size_t> product(const std::vector<const std::vector<std::int64_t>*>& lists,
                                 const std::vector<std::int64_t>& sizes) {
  std::vector<std::size_t> out{0};
  std::int64_t stride = 1;
  for (std::size_t e = 0; e < lists.size(); ++e) {
    std::vector<std::size_t> next;
    for (const std::int64_t point : *lists[e]) {
      for (const std::size_t before : out) {
        next.push_back(before + static_cast<std::size_t>(point * stride));
      }
    }
    out = std::move(next);
    stride *= sizes[e];
  }
  return out;
}

bool has(const NetcdfFile& file, const std::string& name) {
  for (int v = 0; v < file.variable_count(); ++v) {
    if (file.variable_name(v) == name) return true;
  }
  return false;
}

/// Of a list with `each` values per point.
std::vector<double> picked(const std::vector<double>& all, const std::vector<std::int64_t>& points,
                           std::size_t each) {
  std::vector<double> out;
  for (const std::int64_t point : points) {
    for (std::size_t v = 0; v < each; ++v) {
      out.push_back(all.at(static_cast<std::size_t>(point) * each + v));
    }
  }
  return out;
}

/// Values and bounds of an axis that is made of one.
void check_axis(const NetcdfFile& raw, const NetcdfFile& made, const grids::Element& source,
                const space::Target& target) {
  if (!has(raw, source.id) || source.has_labels) return;  // texts stand instead of values
  if (target.points.size() > 1 || has(made, target.id)) {
    compare(target.id, made.values(target.id), picked(raw.values(source.id), target.points, 1));
  }
}

/// Coordinates per cell, and along the sides of what has such.
void check_domain(const NetcdfFile& raw, const NetcdfFile& made, const grids::Element& source,
                  const space::Target& target) {
  std::vector<std::int64_t> columns;
  std::vector<std::int64_t> rows;
  const auto row_size = static_cast<std::size_t>(target.ni);
  for (std::size_t k = 0; k < row_size; ++k) columns.push_back(target.points[k] % source.ni);
  for (std::size_t k = 0; k < target.points.size(); k += row_size) {
    rows.push_back(target.points[k] / source.ni);
  }
  // A column that some client has outside of the window alone has no longitude in it.
  const bool may_lack =
      source.dealing == grids::Dealing::boxes || source.dealing == grids::Dealing::lists;
  const bool has_sides = source.kind == grids::Kind::rectilinear;
  const auto vertices = static_cast<std::size_t>(has_sides ? 2 : source.vertices);
  for (const char* lon : {"lon", "nav_lon"}) {
    if (!has(raw, lon)) continue;
    compare(lon, made.values(lon), picked(raw.values(lon), has_sides ? columns : target.points, 1),
            may_lack);
    const std::string bounds = std::string("bounds_") + lon;
    if (!has(raw, bounds)) continue;
    compare(bounds, made.values(bounds),
            picked(raw.values(bounds), has_sides ? columns : target.points, vertices), may_lack);
  }
  for (const char* lat : {"lat", "nav_lat"}) {
    if (!has(raw, lat)) continue;
    compare(lat, made.values(lat), picked(raw.values(lat), has_sides ? rows : target.points, 1),
            may_lack);
    const std::string bounds = std::string("bounds_") + lat;
    if (!has(raw, bounds)) continue;
    compare(bounds, made.values(bounds),
            picked(raw.values(bounds), has_sides ? rows : target.points, vertices), may_lack);
  }
  if (has(raw, "area")) {
    compare("area", made.values("area"), picked(raw.values("area"), target.points, 1));
  }
}

/// The double next to the sum without rounding (J. Shewchuk, 1997, as in Python's fsum).
double exact_sum(const std::vector<double>& values) {
  std::vector<double> partials;
  for (double x : values) {
    std::size_t used = 0;
    for (double y : partials) {
      if (std::abs(x) < std::abs(y)) std::swap(x, y);
      const double high = x + y;
      const double low = y - (high - x);
      if (low != 0) partials[used++] = low;
      x = high;
    }
    partials.resize(used);
    partials.push_back(x);
  }
  double high = 0;
  double low = 0;
  std::size_t n = partials.size();
  if (n > 0) high = partials[--n];
  while (n > 0 && low == 0) {
    const double x = high;
    const double y = partials[--n];
    high = x + y;
    low = y - (high - x);
  }
  if (n > 0 && ((low < 0 && partials[n - 1] < 0) || (low > 0 && partials[n - 1] > 0))) {
    const double y = low * 2;
    const double x = high + y;
    if (y == x - high) high = x;
  }
  return high;
}

double combined(const std::vector<double>& values, const std::string& operation) {
  std::vector<double> valid;
  for (const double value : values) {
    if (!std::isnan(value)) valid.push_back(value);
  }
  if (operation.empty()) return values.empty() ? std::nan("") : values.front();
  if (valid.empty()) return std::nan("");
  if (operation == "min") return *std::min_element(valid.begin(), valid.end());
  if (operation == "max") return *std::max_element(valid.begin(), valid.end());
  const double sum = exact_sum(valid);
  return operation == "sum" ? sum : sum / static_cast<double>(valid.size());
}

/// What one element of an array becomes; it has `before` values in front of it.
std::vector<double> transformed(const std::vector<double>& values, std::int64_t before,
                                std::int64_t size, const space::Target& target) {
  std::vector<std::vector<std::int64_t>> sources = target.sources;
  if (!target.is_moved) {
    for (const std::int64_t point : target.points) sources.push_back({point});
  }
  std::vector<double> out;
  const auto behind = static_cast<std::int64_t>(values.size()) / (before * size);
  for (std::int64_t b = 0; b < behind; ++b) {
    for (const auto& list : sources) {
      for (std::int64_t a = 0; a < before; ++a) {
        std::vector<double> those;
        for (const std::int64_t point : list) {
          those.push_back(values[static_cast<std::size_t>(a + before * (point + size * b))]);
        }
        out.push_back(combined(those, target.operation));
      }
    }
  }
  return out;
}

/// Of fields whose values are new.
void check_moved(const grids::Case& of, const space::Made& made) {
  const grids::Field& field = of.fields[static_cast<std::size_t>(made.field)];
  const grids::Grid& grid = of.grids[static_cast<std::size_t>(field.grid)];
  const double fill = field.default_value.value_or(space::filled);
  std::vector<double> all = NetcdfFile(of.id + "_" + made.id + "_raw.nc").values("data");
  for (double& value : all) value = value == fill ? std::nan("") : value;
  std::size_t points = 1;
  for (const int e : grid.elements) {
    points *= static_cast<std::size_t>(of.elements[static_cast<std::size_t>(e)].points());
  }
  std::vector<std::vector<double>> steps;
  for (std::size_t first = 0; first < all.size(); first += points) {
    std::vector<double> values(all.begin() + static_cast<std::ptrdiff_t>(first),
                               all.begin() + static_cast<std::ptrdiff_t>(first + points));
    std::int64_t before = 1;
    for (std::size_t e = 0; e < made.elements.size(); ++e) {
      const space::Target& target = made.elements[e];
      const auto& source = of.elements[static_cast<std::size_t>(grid.elements[e])];
      values = transformed(values, before, source.points(), target);
      before *=
          static_cast<std::int64_t>(target.is_moved ? target.sources.size() : target.points.size());
    }
    steps.push_back(values);
  }
  std::vector<double> expected;
  for (std::size_t s = 0; s < steps.size(); s += field.is_average ? 2 : 1) {
    for (std::size_t k = 0; k < steps[s].size(); ++k) {
      double value = steps[s][k];
      if (field.is_average) {
        const double other = steps[s + 1][k];
        const bool leaves_out = field.default_value.has_value();
        value = leaves_out && std::isnan(value)   ? other
                : leaves_out && std::isnan(other) ? value
                                                  : (value + other) / 2;
      }
      expected.push_back(std::isnan(value) ? fill : value);
    }
  }
  for (const space::Target& target : made.elements) {
    for (const space::Step& step : target.steps) {
      where += " " + target.id + ": " + step.tag;
      for (const auto& [attribute, text] : step.attributes) where += " " + attribute + "=" + text;
    }
  }
  compare("data", NetcdfFile(of.id + "_" + made.id + ".nc").values("data"), expected);
}

void check_made(const grids::Case& of, const space::Made& made) {
  const grids::Field& field = of.fields[static_cast<std::size_t>(made.field)];
  const grids::Grid& grid = of.grids[static_cast<std::size_t>(field.grid)];
  where = of.id + " " + made.id;
  if (made.is_moved()) return check_moved(of, made);
  const NetcdfFile raw(of.id + "_" + made.id + "_raw.nc");
  const NetcdfFile file(of.id + "_" + made.id + ".nc");
  std::vector<const std::vector<std::int64_t>*> lists;
  std::vector<std::int64_t> sizes;
  std::int64_t points = 1;
  int domains = 0;
  for (std::size_t e = 0; e < made.elements.size(); ++e) {
    const auto& source = of.elements[static_cast<std::size_t>(grid.elements[e])];
    lists.push_back(&made.elements[e].points);
    sizes.push_back(source.points());
    points *= source.points();
    domains += source.is_domain() ? 1 : 0;
  }
  const std::vector<std::size_t> places = product(lists, sizes);
  const std::vector<double> all = raw.values("data");
  std::vector<double> expected;
  for (std::size_t first = 0; first < all.size(); first += static_cast<std::size_t>(points)) {
    for (const std::size_t place : places) expected.push_back(all[first + place]);
  }
  compare("data", file.values("data"), expected);
  for (std::size_t e = 0; e < made.elements.size(); ++e) {
    const auto& source = of.elements[static_cast<std::size_t>(grid.elements[e])];
    const space::Target& target = made.elements[e];
    if (target.steps.empty()) continue;
    if (source.kind == grids::Kind::axis && target.tag == "axis") {
      check_axis(raw, file, source, target);
    }
    if (source.is_domain() && target.tag == "domain" && domains == 1) {
      check_domain(raw, file, source, target);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr,
                 "usage: check_space <seed> <first case> <last case> <processes> <threads>\n");
    return 2;
  }
  const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10);
  try {
    for (int number = std::atoi(argv[2]); number <= std::atoi(argv[3]); ++number) {
      const grids::Case of = grids::make_case(seed, number);
      for (const space::Made& made : space::make_targets(of)) check_made(of, made);
    }
  } catch (const std::exception& error) {
    fail(error.what());
  }
  if (failures > 0) std::fprintf(stderr, "check_space: %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
