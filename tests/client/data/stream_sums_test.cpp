#include "data/stream_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ep/ep.hpp>

namespace epios::client::stream_sums_test {
namespace {

std::vector<StreamFigures> figures(int rank) {
  const double of = rank + 1;
  return {{10 * of, of, 2 * of, 2 * of, 3 * of}, {1, 0, 0, 0, 0}};
}

ep::Comm clients() { return ep::Comm::from_mpi(MPI_COMM_WORLD).dup(); }

TEST(StreamSums, are_of_all_clients_on_the_first_one) {
  const ep::Comm all = clients();
  for (std::uint32_t number = 1; number <= 3; ++number) {
    const StreamSums sums = sum_of_streams(all, number, figures(all.rank()), 60);
    if (all.rank() != 0) continue;
    const int size = all.size();
    const double ranks = size * (size + 1) / 2.0;
    EXPECT_EQ(sums.clients, size);
    ASSERT_EQ(sums.streams.size(), 2);
    EXPECT_EQ(sums.streams[0].bytes, 10 * ranks);
    EXPECT_EQ(sums.streams[0].waits, ranks);
    EXPECT_EQ(sums.streams[0].blocked_s, 2 * ranks);
    EXPECT_EQ(sums.streams[0].most_blocked_s, 2 * size);
    EXPECT_EQ(sums.streams[0].packing_s, 3 * ranks);
    EXPECT_EQ(sums.streams[1].bytes, size);
  }
}

// As clients do whose wait has been ended by give_up_s.
TEST(StreamSums, wait_for_nobody_for_ever) {
  const ep::Comm all = clients();
  const int last = all.size() - 1;
  if (all.rank() != last || last == 0) {
    const StreamSums sums = sum_of_streams(all, 1, figures(all.rank()), 0.2);
    if (all.rank() == 0) {
      EXPECT_EQ(sums.clients, std::max(last, 1));
    }
  }
  ep::check(EP_Barrier(all.get()));
  // The first one; what the others said of that context is not taken for the next one's.
  if (all.rank() != 0) static_cast<void>(sum_of_streams(all, 2, figures(9), 0.2));
  ep::check(EP_Barrier(all.get()));
  const StreamSums sums = sum_of_streams(all, 3, figures(all.rank()), 60);
  if (all.rank() == 0) {
    EXPECT_EQ(sums.clients, all.size());
    EXPECT_EQ(sums.streams[0].most_blocked_s, 2 * all.size());
  }
  ep::check(EP_Barrier(all.get()));
}

}  // namespace
}  // namespace epios::client::stream_sums_test
