// Arrays of the model that have a point more than once: columns that close a circle, in the middle
// of values that are kept.
#include "data/array_places.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "../../grid/models.hpp"

namespace epios::client::array_places_test {
namespace {

/// Two rows of 4 columns, of which the last one is the first one again, on 2 levels.
config::Model closed() {
  config::Model model;
  const int globe = io::test::add_domain(model, 3, 2);
  config::DomainAttributes& domain = model.domains[0].attributes;
  domain.type = "curvilinear";
  domain.ni = 4;
  domain.nj = 2;
  domain.i_index = config::value::integers{{0, 1, 2, 0, 0, 1, 2, 0}, {8}};
  domain.j_index = config::value::integers{{0, 0, 0, 0, 1, 1, 1, 1}, {8}};
  const int levels = io::test::add_axis(model, 2);
  model.axes[0].attributes.begin = 0;
  model.axes[0].attributes.n = 2;
  io::test::add_grid(model, {io::test::domain(globe), io::test::axis(levels)});
  return model;
}

TEST(ArrayPlaces, give_a_point_that_occurs_twice_its_value_at_both_places) {
  const config::Model model = closed();
  const io::LocalParts parts(model);
  ArrayPlaces array(model, parts, 0);
  ASSERT_EQ(array.size(), 16U);
  std::iota(array.values().begin(), array.values().end(), 1.0);
  array.values()[0] = std::numeric_limits<double>::quiet_NaN();
  // Only what comes to the places that count is a value.
  for (const std::size_t repeat : {3U, 7U, 11U, 15U}) array.values()[repeat] = -1;
  std::vector<double> out(16, -5);
  array.copy(-9, -7, std::span(out));
  EXPECT_EQ(out, (std::vector<double>{-7, 2, 3, -7, 5, 6, 7, 5, 9, 10, 11, 9, 13, 14, 15, 13}));
}

TEST(ArrayPlaces, do_so_with_a_mask_of_the_grid_where_it_has_both) {
  config::Model model = closed();
  config::value::booleans mask{{}, {4, 2, 2}};
  mask.values.assign(16, 1);
  mask.values[0] = 0;   // the first place of a point of the first level
  mask.values[15] = 0;  // the second one of one of the second level
  model.grids[0].mask = mask;
  const io::LocalParts parts(model);
  ArrayPlaces array(model, parts, 0);
  std::iota(array.values().begin(), array.values().end(), 1.0);
  std::vector<double> out(16, -5);
  array.copy(-9, {}, std::span(out));
  EXPECT_EQ(out, (std::vector<double>{-9, 2, 3, -9, 5, 6, 7, 5, 9, 10, 11, 9, 13, 14, 15, -9}));
}

}  // namespace
}  // namespace epios::client::array_places_test
