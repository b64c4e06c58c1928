// Values of points that are dealt out over ranks.
#include "coupling/dealt_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ep/ep.hpp>
#include <vector>

namespace epios::io::dealt_values_test {
namespace {

double value_of(std::int64_t point, std::int64_t v) {
  return static_cast<double>(100 * point + v) + 0.5;
}

class DealtValues : public ::testing::TestWithParam<std::int64_t> {};

/// Each rank has every point whose number leaves its rank, and the one behind it, too; the last two
/// points nobody has.
TEST_P(DealtValues, are_those_that_any_rank_has) {
  const ep::Comm comm = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const std::int64_t size = GetParam();
  constexpr std::int64_t width = 3;
  std::vector<std::int64_t> points;
  std::vector<double> values;
  for (std::int64_t p = size - 3; p >= 0; --p) {  // in no order
    if (p % comm.size() != comm.rank() && p % comm.size() != (comm.rank() + 1) % comm.size()) {
      continue;
    }
    points.push_back(p);
    for (std::int64_t v = 0; v < width; ++v) values.push_back(value_of(p, v));
  }
  const std::vector<double> stretch = deal(comm, size, width, points, values);
  const Dealing dealing{size, comm.size()};
  ASSERT_EQ(static_cast<std::int64_t>(stretch.size()),
            width * (dealing.end(comm.rank()) - dealing.begin(comm.rank())));
  std::vector<std::int64_t> wanted;
  for (std::int64_t p = comm.rank(); p < size; p += 2) wanted.push_back(p);
  wanted.push_back(0);
  wanted.push_back(size);  // outside
  const std::vector<double> got = look_up(comm, size, width, stretch, wanted);
  ASSERT_EQ(got.size(), wanted.size() * width);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    for (std::size_t v = 0; v < width; ++v) {
      const double value = got[k * width + v];
      if (wanted[k] >= size - 2) {
        EXPECT_TRUE(std::isnan(value)) << wanted[k];
      } else {
        EXPECT_EQ(value, value_of(wanted[k], static_cast<std::int64_t>(v)));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, DealtValues, ::testing::Values(3, 4, 7, 64));

TEST(Dealing, stretches_are_all_of_the_points) {
  for (const int ranks : {1, 2, 3, 5}) {
    for (const std::int64_t size : {1, 2, 3, 9, 10}) {
      const Dealing dealing{size, ranks};
      std::int64_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        EXPECT_EQ(dealing.begin(rank), next);
        next = dealing.end(rank);
      }
      EXPECT_EQ(next, size);
    }
  }
}

}  // namespace
}  // namespace epios::io::dealt_values_test
