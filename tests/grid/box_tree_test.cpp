#include "box_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "random.hpp"

namespace epios::io::box_tree_test {
namespace {

using test::Random;

std::vector<std::size_t> not_inside_earlier(const std::vector<Box>& boxes) {
  const BoxTree tree(boxes);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!tree.is_inside_earlier(i)) out.push_back(i);
  }
  return out;
}

TEST(BoxTree, TheFirstOfEqualBoxesIsInsideOfNone) {
  EXPECT_EQ(not_inside_earlier(std::vector<Box>(100, whole({3, 4}))),
            (std::vector<std::size_t>{0}));
  EXPECT_EQ(not_inside_earlier(std::vector<Box>(100)), (std::vector<std::size_t>{0})) << "scalars";
}

TEST(BoxTree, AnEarlierBoxMattersAndALaterOneDoesNot) {
  const Box large = whole({10, 10});
  const Box small{{2, 2}, {3, 3}};
  EXPECT_EQ(not_inside_earlier({large, small}), (std::vector<std::size_t>{0}));
  EXPECT_EQ(not_inside_earlier({small, large}), (std::vector<std::size_t>{0, 1}));
}

TEST(BoxTree, AgreesWithTheDefinition) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Extents shape = random.shape(3, 5);
    std::vector<Box> boxes;
    for (std::int64_t n = random.pick(1, 60); n > 0; --n) boxes.push_back(random.box(shape));
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const bool is_inside =
          std::any_of(boxes.begin(), boxes.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const Box& earlier) { return contains(earlier, boxes[i]); });
      if (!is_inside) wanted.push_back(i);
    }
    EXPECT_EQ(not_inside_earlier(boxes), wanted);
  }
}

}  // namespace
}  // namespace epios::io::box_tree_test
