#include "grid/remark.hpp"

#include <gtest/gtest.h>

namespace epios::io::remark_test {
namespace {

using Texts = std::vector<std::string>;

Remark gaps(const std::string& file, std::int64_t points, Texts examples) {
  return {file, "nobody gives 'lon'", points, std::move(examples), "Why?"};
}

TEST(Remark, points_of_several_servers_add_up) {
  EXPECT_EQ(sentences({gaps("a.nc", 2, {"(0)", "(1)"}), gaps("a.nc", 4, {"(5)", "(6)", "(7)"})}),
            Texts{"file 'a.nc': nobody gives 'lon' at 6 points (among them (0), (1), (5)). Why?"});
}

TEST(Remark, examples_that_are_all_say_so) {
  EXPECT_EQ(sentences({gaps("", 1, {"(0)"})}), Texts{"nobody gives 'lon' at 1 point ((0)). Why?"});
}

TEST(Remark, files_with_the_same_are_named_together) {
  EXPECT_EQ(sentences({gaps("a.nc", 1, {"(0)"}), gaps("b.nc", 1, {"(0)"}), gaps("c.nc", 2, {})}),
            (Texts{"file 'a.nc' and 1 other: nobody gives 'lon' at 1 point ((0)). Why?",
                   "file 'c.nc': nobody gives 'lon' at 2 points. Why?"}));
  EXPECT_EQ(sentences({gaps("b.nc", 1, {}), gaps("c.nc", 1, {}), gaps("a.nc", 1, {})}),
            Texts{"file 'a.nc' and 2 others: nobody gives 'lon' at 1 point. Why?"});
}

TEST(Remark, without_a_number_of_points) {
  const Remark remark{"a.nc", "axis 'z' has bounds", 0, {}, "Give values?"};
  EXPECT_EQ(sentences({remark, remark}), Texts{"file 'a.nc': axis 'z' has bounds. Give values?"});
}

TEST(Remark, points_are_named_by_global_indices) {
  const Box box{{3, 10, 0}, {2, 4, 5}};
  EXPECT_EQ(point_text(box, 0), "(0, 10, 3)");
  EXPECT_EQ(point_text(box, 7), "(2, 11, 3)");
  EXPECT_EQ(point_text(box, 39), "(4, 13, 4)");
  EXPECT_EQ(point_text({}, 0), "()");
}

}  // namespace
}  // namespace epios::io::remark_test
