// Values of the cells of a domain one by one, from what models give for cells, columns and rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "config/model_elements.hpp"
#include "elements/element_views.hpp"
#include "elements/local_cells.hpp"

namespace epios::domain_views_test {
namespace {

using config::DomainAttributes;
using ::testing::ElementsAre;

std::optional<config::value::reals> reals(std::vector<double> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return config::value::reals{std::move(values), {size}};
}

/// Two columns around the meridian where longitudes begin anew, and two rows.
DomainAttributes block() {
  DomainAttributes out;
  out.type = "rectilinear";
  out.ni_glo = out.ni = 2;
  out.nj_glo = out.nj = 2;
  out.lonvalue_1d = reals({175, 185});
  out.latvalue_1d = reals({-45, 45});
  return out;
}
const std::vector<double> corners_lon{170, 180, 180, 170, 180, -170, -170, 180,
                                      170, 180, 180, 170, 180, -170, -170, 180};
const std::vector<double> corners_lat{-90, -90, 0, 0, -90, -90, 0, 0, 0, 0, 90, 90, 0, 0, 90, 90};

DomainAttributes values_of(const DomainAttributes& domain) {
  return io::values_of_cells(domain, io::local_cells(domain));
}

// Would have found that longitudes of corners were ignored without latitudes of them.
TEST(ValuesOfCells, corners_in_one_direction_are_bounds_of_columns_or_rows) {
  DomainAttributes domain = block();
  domain.nvertex = 4;
  domain.bounds_lon_2d = reals(corners_lon);
  const DomainAttributes columns = values_of(domain);
  EXPECT_EQ(columns.nvertex, 2);
  EXPECT_FALSE(columns.bounds_lat_1d);
  ASSERT_TRUE(columns.bounds_lon_1d);
  EXPECT_THAT(columns.bounds_lon_1d->values, ElementsAre(170, 180, 180, 190, 170, 180, 180, 190));
  domain.bounds_lon_2d.reset();
  domain.bounds_lat_2d = reals(corners_lat);
  const DomainAttributes rows = values_of(domain);
  ASSERT_TRUE(rows.bounds_lat_1d);
  EXPECT_THAT(rows.bounds_lat_1d->values, ElementsAre(-90, 0, -90, 0, 0, 90, 0, 90));
}

// Would have found that corners were read as if they were bounds of rows.
TEST(ValuesOfCells, bounds_of_columns_go_with_corners_of_cells) {
  DomainAttributes domain = block();
  domain.nvertex = 4;
  domain.bounds_lon_1d = reals({170, 180, 180, 190});
  domain.bounds_lat_2d = reals(corners_lat);
  const DomainAttributes block_values = values_of(domain);
  EXPECT_EQ(block_values.nvertex, 2);
  EXPECT_THAT(block_values.bounds_lon_1d->values,
              ElementsAre(170, 180, 180, 190, 170, 180, 180, 190));
  EXPECT_THAT(block_values.bounds_lat_1d->values, ElementsAre(-90, 0, -90, 0, 0, 90, 0, 90));
  // Listed in another order: corners are those of the cells in it.
  domain.i_index = config::value::integers{{1, 0, 1, 0}, {4}};
  domain.j_index = config::value::integers{{0, 0, 1, 1}, {4}};
  domain.bounds_lon_1d = reals({180, 190, 170, 180, 180, 190, 170, 180});
  const DomainAttributes listed = values_of(domain);
  EXPECT_EQ(listed.nvertex, 2);
  EXPECT_THAT(listed.bounds_lon_1d->values, ElementsAre(180, 190, 170, 180, 180, 190, 170, 180));
  EXPECT_THAT(listed.bounds_lat_1d->values, ElementsAre(-90, 0, -90, 0, 0, 90, 0, 90));
}

TEST(ValuesOfCells, corners_in_both_directions_stay_corners) {
  DomainAttributes domain = block();
  domain.nvertex = 4;
  domain.bounds_lon_2d = reals(corners_lon);
  domain.bounds_lat_2d = reals(corners_lat);
  const DomainAttributes values = values_of(domain);
  EXPECT_EQ(values.nvertex, 4);
  EXPECT_EQ(values.bounds_lon_1d->values, corners_lon);
  EXPECT_EQ(values.bounds_lat_1d->values, corners_lat);
}

// Would have found that latitudes of cells were read as if they were those of rows.
TEST(ValuesOfCells, longitudes_of_columns_go_with_latitudes_of_cells) {
  DomainAttributes domain = block();
  domain.latvalue_1d.reset();
  domain.latvalue_2d = reals({-45, -45, 45, 45});
  const DomainAttributes values = values_of(domain);
  EXPECT_THAT(values.lonvalue_1d->values, ElementsAre(175, 185, 175, 185));
  EXPECT_THAT(values.latvalue_1d->values, ElementsAre(-45, -45, 45, 45));
}

}  // namespace
}  // namespace epios::domain_views_test
