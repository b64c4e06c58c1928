#include "grid/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models.hpp"

namespace epios::io::layout_test {
namespace {

TEST(GlobalShape, IsInFileOrder) {
  config::Model model;
  const int d = test::add_domain(model, 360, 180);
  const int z = test::add_axis(model, 30);
  EXPECT_EQ(global_shape(model, test::add_grid(model, {test::domain(d), test::axis(z)})),
            (Extents{30, 180, 360}));
  EXPECT_EQ(global_shape(model, test::add_grid(model, {test::axis(z), test::domain(d)})),
            (Extents{180, 360, 30}));
  model.domains.push_back(model.domains[0]);
  model.domains[1].attributes.type = "unstructured";
  model.domains[1].attributes.nj_glo = 1;
  const int cells = test::add_grid(model, {test::domain(1), test::axis(z)});
  EXPECT_EQ(global_shape(model, cells), (Extents{30, 360}));
  EXPECT_EQ(global_shape(model, test::add_grid(model, {test::scalar()})), Extents{});
  EXPECT_EQ(global_shape(model, test::add_grid(model, {})), Extents{});
}

/// Which places of the array are visited, one digit each.
std::string visited(const ArrayLayout& layout) {
  std::string out(static_cast<std::size_t>(layout.size()), '0');
  layout.for_each_piece([&](std::int64_t place, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) ++out[static_cast<std::size_t>(place + k)];
  });
  return out;
}

TEST(ArrayLayout, HasTheSizesOfTheModelsArray) {
  config::Model model;
  const int d = test::add_domain(model, 4, 3);
  const int z = test::add_axis(model, 2);
  auto& a = model.domains[0].attributes;
  a.data_dim = 2, a.data_ibegin = -1, a.data_ni = 6, a.data_jbegin = 0, a.data_nj = 3;
  const int grid = test::add_grid(model, {test::domain(d), test::axis(z), test::scalar()});
  const ArrayLayout layout(model, LocalParts(model), grid);
  EXPECT_EQ(layout.size(), 36);
  EXPECT_EQ(layout.text(), "18 x 2");
  const ArrayLayout scalar(model, LocalParts(model), test::add_grid(model, {}));
  EXPECT_EQ(scalar.size(), 1);
  EXPECT_EQ(scalar.text(), "1");
  EXPECT_EQ(visited(scalar), "1");
}

TEST(ArrayLayout, VisitsEveryValueOnceAndLeavesHalosOut) {
  config::Model model;
  const int z = test::add_axis(model, 40);
  auto& a = model.axes[0].attributes;
  const int grid = test::add_grid(model, {test::axis(z)});
  const auto now = [&] { return visited(ArrayLayout(model, LocalParts(model), grid)); };
  EXPECT_EQ(now(), std::string(40, '1'));
  a.data_begin = -3;
  a.data_n = 45;
  EXPECT_EQ(now(), "000" + std::string(40, '1') + "00");
  // Short gaps are cheaper to compute than to step over, long ones are not.
  std::vector<std::uint8_t> mask(40, 1);
  mask[5] = mask[6] = 0;
  std::fill(mask.begin() + 10, mask.begin() + 30, std::uint8_t{0});
  a.mask = test::mask(mask);
  EXPECT_EQ(now(),
            "000" + std::string(10, '1') + std::string(20, '0') + std::string(10, '1') + "00");
}

}  // namespace
}  // namespace epios::io::layout_test
