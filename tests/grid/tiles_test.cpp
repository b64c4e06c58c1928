#include "grid/tiles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "models.hpp"

namespace epios::io::tiles_test {
namespace {

using config::value::integers;

integers numbers(const std::vector<std::int64_t>& values) {
  return {values, {static_cast<std::int64_t>(values.size())}};
}

TEST(Tiles, AGridWithoutThemHasNone) {
  config::Model model;
  const int d = test::add_domain(model, 4, 3);
  EXPECT_EQ(Tiles(model, test::add_grid(model, {test::domain(d)})).count(), 0);
  EXPECT_EQ(Tiles(model, test::add_grid(model, {})).count(), 0);
}

/// Each value of a tile says which cell it is of; whatever the halos of tiles and of the whole
/// array, every cell arrives at its place and nothing else is touched.
TEST(Tiles, FillTheArrayOfTheWholePart) {
  std::mt19937 random(4711);
  const auto any = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int round = 0; round < 2'000; ++round) {
    config::Model model;
    const int ni = any(1, 7);
    const int nj = any(1, 6);
    const int d = test::add_domain(model, ni, nj);
    auto& a = model.domains[0].attributes;
    a.ni = ni, a.nj = nj, a.data_dim = 2;
    a.data_ibegin = any(-2, 1), a.data_ni = any(1, ni + 3);
    a.data_jbegin = any(-2, 1), a.data_nj = any(1, nj + 3);
    // Columns by rows of tiles.
    const int cut_i = any(0, ni);
    const int cut_j = any(0, nj);
    a.ntiles = 4;
    a.tile_ibegin = numbers({0, cut_i, 0, cut_i});
    a.tile_ni = numbers({cut_i, ni - cut_i, cut_i, ni - cut_i});
    a.tile_jbegin = numbers({0, 0, cut_j, cut_j});
    a.tile_nj = numbers({cut_j, cut_j, nj - cut_j, nj - cut_j});
    const int halo = any(0, 2);
    a.tile_data_ibegin = numbers({-halo, -halo, -halo, -halo});
    a.tile_data_jbegin = a.tile_data_ibegin;
    a.tile_data_ni = a.tile_ni;
    a.tile_data_nj = a.tile_nj;
    for (auto* sizes : {&a.tile_data_ni, &a.tile_data_nj}) {
      for (std::int64_t& size : (*sizes)->values) size += 2 * halo;
    }
    const int before = test::add_axis(model, any(1, 3));
    const int after = test::add_axis(model, any(1, 3));
    const std::int64_t inner = *nth(model.axes, before).attributes.n_glo;
    const std::int64_t outer = *nth(model.axes, after).attributes.n_glo;
    const int grid =
        test::add_grid(model, {test::axis(before), test::domain(d), test::axis(after)});
    const Tiles tiles(model, grid);
    ASSERT_EQ(tiles.count(), 4);
    const auto value = [&](std::int64_t x, std::int64_t i, std::int64_t j, std::int64_t y) {
      return static_cast<double>(x + 10 * (i + 10 * (j + 10 * y)));
    };
    const double untouched = -1;
    std::vector<double> whole(static_cast<std::size_t>(inner * *a.data_ni * *a.data_nj * outer),
                              untouched);
    for (int t = 0; t < 4; ++t) {
      const auto at = [t](const std::optional<integers>& list) {
        return list->values[static_cast<std::size_t>(t)];
      };
      std::vector<double> tile;
      for (std::int64_t y = 0; y < outer; ++y) {
        for (std::int64_t j = 0; j < at(a.tile_data_nj); ++j) {
          for (std::int64_t i = 0; i < at(a.tile_data_ni); ++i) {
            const bool is_halo = i < halo || j < halo || i >= at(a.tile_data_ni) - halo ||
                                 j >= at(a.tile_data_nj) - halo;
            for (std::int64_t x = 0; x < inner; ++x) {
              tile.push_back(is_halo ? 1e9
                                     : value(x, at(a.tile_ibegin) + i - halo,
                                             at(a.tile_jbegin) + j - halo, y));
            }
          }
        }
      }
      ASSERT_EQ(tiles.size(t), static_cast<std::int64_t>(tile.size()));
      tiles.place<double>(t, tile, whole);
    }
    std::size_t place = 0;
    for (std::int64_t y = 0; y < outer; ++y) {
      for (std::int64_t j = *a.data_jbegin; j < *a.data_jbegin + *a.data_nj; ++j) {
        for (std::int64_t i = *a.data_ibegin; i < *a.data_ibegin + *a.data_ni; ++i) {
          const bool is_cell = i >= 0 && j >= 0 && i < ni && j < nj;
          for (std::int64_t x = 0; x < inner; ++x) {
            ASSERT_EQ(whole[place++], is_cell ? value(x, i, j, y) : untouched)
                << "round " << round << " at " << i << " " << j;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace epios::io::tiles_test
