// Pieces of grids make the rows of the whole, by the recipe of space/cells.hpp, with every method;
// the nearest centre is the nearest one; values between centres are what they should be.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "space/cells.hpp"
#include "space/weights.hpp"
#include "sphere_grids.hpp"

namespace epios::remap_pieces_test {
namespace {

using epios::io::CellIndex;
using epios::io::Cells;
using epios::io::RemapMethod;
using epios::io::RemapOptions;
using epios::io::SpaceBox;
using epios::io::Weights;

using Row = std::pair<std::vector<std::int64_t>, std::vector<double>>;
Row row(const Weights& weights, std::size_t r) {
  const auto first = weights.offsets[r];
  const auto last = weights.offsets[r + 1];
  return {{weights.source.begin() + first, weights.source.begin() + last},
          {weights.weight.begin() + first, weights.weight.begin() + last}};
}

/// Reversed, as it may come from anywhere.
Cells taken(const Cells& source, std::vector<std::size_t> which) {
  std::reverse(which.begin(), which.end());
  return selected(source, which);
}

/// What an endpoint gets that asks for what its targets need. `pieces`: where sources are.
Cells around(const Cells& source, const Cells& own, const RemapOptions& options) {
  constexpr std::size_t boxes = 16;
  if (options.method == RemapMethod::nearest) {
    const CellIndex centres(source, CellIndex::Of::centres);
    return taken(source, centres.in(boxes_to_nearest(own, centres.boxes(boxes), boxes)));
  }
  const CellIndex sources(source, CellIndex::Of::cells);
  const bool is_bilinear = options.method == RemapMethod::bilinear;
  const CellIndex targets(own, is_bilinear ? CellIndex::Of::centres : CellIndex::Of::cells);
  const std::vector<std::size_t> touching = sources.in(targets.boxes(boxes));
  if (!is_bilinear && options.order == 1) return taken(source, touching);
  const CellIndex inner(selected(source, touching), CellIndex::Of::cells);
  return taken(source, sources.in(inner.boxes(boxes, 2e-6)));
}

void expect_pieces(const std::string& name, const Cells& source, const Cells& target) {
  for (const RemapMethod method :
       {RemapMethod::conservative, RemapMethod::bilinear, RemapMethod::nearest}) {
    for (const int order : {1, 2}) {
      if (method != RemapMethod::conservative && (order == 2 || source.lon.empty())) {
        if (method != RemapMethod::nearest || order == 2) continue;
      }
      if (method == RemapMethod::conservative && source.lon.empty()) continue;
      SCOPED_TRACE(name + " " + std::to_string(static_cast<int>(method)) + " " +
                   std::to_string(order));
      RemapOptions options;
      options.method = method;
      options.order = order;
      const Weights whole = make_weights(source, target, options);
      options.threads = 3;
      const Weights by_three = make_weights(source, target, options);
      EXPECT_EQ(by_three.weight, whole.weight);
      EXPECT_EQ(by_three.source, whole.source);
      options.threads = 1;
      for (std::size_t part = 0; part < 5; ++part) {
        std::vector<std::size_t> mine;
        for (std::size_t c = part * 7; c < target.size(); c += part < 3 ? 11 : 36) {
          mine.push_back(c);  // scattered cells, or a column
        }
        const Cells own = selected(target, mine);
        const Weights piece = make_weights(around(source, own, options), own, options);
        for (std::size_t r = 0; r < piece.rows(); ++r) {
          ASSERT_EQ(row(piece, r), row(whole, mine[r])) << mine[r];
        }
      }
    }
  }
}

/// Longitudes from -180 on.
Cells from_the_date_line(Cells cells) {
  for (double& lon : cells.lon) lon = lon > 180 ? lon - 360 : lon;
  return cells;
}

Cells clockwise(Cells cells) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    std::reverse(cells.lon.begin() + cells.offsets[c], cells.lon.begin() + cells.offsets[c + 1]);
    std::reverse(cells.lat.begin() + cells.offsets[c], cells.lat.begin() + cells.offsets[c + 1]);
  }
  return cells;
}

/// Centres alone.
Cells cloud(std::size_t count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> part(-1, 1);
  Cells cells;
  cells.offsets.assign(count + 1, 0);
  for (std::size_t c = 0; c < count; ++c) {
    cells.centre_lon.push_back(180 * part(random));
    cells.centre_lat.push_back(std::asin(part(random)) * 180 / std::acos(-1.0));
    cells.mask.push_back(random() % 5 == 0 ? 0 : 1);
  }
  return cells;
}

TEST(Pieces, MakeTheRowsOfTheWhole) {
  const Cells target = sphere_grids::regular(36, 18);
  expect_pieces("hexagons", sphere_grids::hexagons(8), target);
  expect_pieces("reduced", from_the_date_line(sphere_grids::reduced(16)), target);
  expect_pieces("clockwise", clockwise(from_the_date_line(sphere_grids::reduced(16))), target);
  expect_pieces("rotated", sphere_grids::rotated(24, 12), target);
  expect_pieces("cloud", cloud(400), target);
  expect_pieces("one", cloud(2), target);
}

/// Of a column near the date line most cells look clockwise in the plane.
TEST(Pieces, TurnAsTheWholeDoes) {
  for (const bool is_turned : {false, true}) {
    Cells all = from_the_date_line(sphere_grids::regular(36, 18, -5));
    if (is_turned) all = clockwise(all);
    EXPECT_EQ(clockwise_votes(all) < 0, is_turned);
    std::vector<std::size_t> column;
    for (std::size_t c = 18; c < all.size(); c += 36) column.push_back(c);
    const Cells piece = selected(all, column);
    const std::vector<double> areas = areas_of(piece);
    const std::vector<double> whole = areas_of(all);
    for (std::size_t r = 0; r < column.size(); ++r) EXPECT_EQ(areas[r], whole[column[r]]);
  }
}

TEST(Nearest, IsTheNearest) {
  const Cells target = sphere_grids::hexagons(5);
  const epios::io::CellCentres centres = centres_of(target);
  for (const std::size_t count : std::array<std::size_t, 4>{1, 2, 30, 500}) {
    const Cells source = cloud(count);
    RemapOptions options;
    options.method = RemapMethod::nearest;
    const Weights weights = make_weights(source, target, options);
    for (std::size_t r = 0; r < target.size(); ++r) {
      const auto point = sphere_grids::point_at(centres.lon[r], centres.lat[r]);
      std::int64_t best = -1;
      double least = 10;
      for (std::size_t c = 0; c < source.size(); ++c) {
        if (!source.counts(c)) continue;
        const auto p = sphere_grids::point_at(source.centre_lon[c], source.centre_lat[c]);
        double square = 0;
        for (std::size_t d = 0; d < 3; ++d) square += (p[d] - point[d]) * (p[d] - point[d]);
        if (square < least - 1e-14) best = static_cast<std::int64_t>(c);
        least = std::min(least, square);
      }
      const Row found = row(weights, r);
      ASSERT_EQ(found.first.size(), best < 0 ? 0U : 1U);
      if (best >= 0) {
        EXPECT_EQ(found.first.front(), best);
      }
    }
  }
}

TEST(Bilinear, WeightsAreMeansThatKeepValuesAtCentres) {
  for (const auto& [name, source] : sphere_grids::all(6)) {
    SCOPED_TRACE(name);
    // Its own centres, and many points.
    Cells target;
    const epios::io::CellCentres own = centres_of(source);
    target.centre_lon = own.lon;
    target.centre_lat = own.lat;
    const Cells more = cloud(500);
    target.centre_lon.insert(target.centre_lon.end(), more.centre_lon.begin(),
                             more.centre_lon.end());
    target.centre_lat.insert(target.centre_lat.end(), more.centre_lat.begin(),
                             more.centre_lat.end());
    target.offsets.assign(target.centre_lon.size() + 1, 0);
    RemapOptions options;
    options.method = RemapMethod::bilinear;
    const Weights weights = make_weights(source, target, options);
    for (std::size_t r = 0; r < target.size(); ++r) {
      const auto [sources, list] = row(weights, r);
      ASSERT_FALSE(list.empty());
      double sum = 0;
      for (const double weight : list) {
        EXPECT_GE(weight, -1e-12);
        sum += weight;
      }
      EXPECT_NEAR(sum, 1, 1e-15);
      if (r >= source.size()) continue;
      // The cell itself.
      for (std::size_t k = 0; k < list.size(); ++k) {
        EXPECT_NEAR(list[k], sources[k] == source.number(r) ? 1 : 0, 1e-7) << r;
      }
    }
  }
}

}  // namespace
}  // namespace epios::remap_pieces_test
