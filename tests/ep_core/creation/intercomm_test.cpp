#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "layouts.hpp"

namespace ep::test::intercomm_test {
namespace {

/// Everyone sends its rank to everyone of the other group, by wildcard, long and short.
void exchange_with_all(const Comm& inter, int side) {
  const int remote = inter.remote_size();
  std::vector<std::vector<int>> out(2);
  out[0] = {1000 * side + inter.rank()};
  out[1] = std::vector<int>(9'000, 1000 * side + inter.rank());
  std::vector<EP_Request> sends;
  for (int dest = 0; dest < remote; ++dest) {
    for (const auto& data : out) {
      EP_Request& request = sends.emplace_back(EP_REQUEST_NULL);
      check(EP_Isend(data.data(), static_cast<int>(data.size()), MPI_INT, dest, 3, inter.get(),
                     &request));
    }
  }
  std::vector<int> seen(static_cast<std::size_t>(remote), 0);
  for (int i = 0; i < 2 * remote; ++i) {
    std::vector<int> in(9'000, -1);
    EP_Status status;
    check(EP_Recv(in.data(), 9'000, MPI_INT, EP_ANY_SOURCE, 3, inter.get(), &status));
    EXPECT_EQ(in[0], 1000 * (1 - side) + status.EP_SOURCE);
    int count = 0;
    check(EP_Get_count(&status, MPI_INT, &count));
    EXPECT_EQ(count, seen[static_cast<std::size_t>(status.EP_SOURCE)]++ == 0 ? 1 : 9'000);
  }
  check(EP_Waitall(static_cast<int>(sends.size()), sends.data(), EP_STATUSES_IGNORE));
  for (const int times : seen) EXPECT_EQ(times, 2);
}

/// Splits the endpoints of `comm` into two sides and joins them again.
void check_sides(const Comm& comm, const std::vector<int>& side_of, int leader_from_end) {
  const int side = side_of[static_cast<std::size_t>(comm.rank())];
  const Comm local = comm.split(side, comm.rank());
  std::vector<int> members[2];
  for (int rank = 0; rank < comm.size(); ++rank) {
    members[side_of[static_cast<std::size_t>(rank)]].push_back(rank);
  }
  const auto leader_index = [&](int s) {
    const int last = static_cast<int>(members[s].size()) - 1;
    return leader_from_end <= last ? last - leader_from_end : 0;
  };
  const int remote_leader = members[1 - side][static_cast<std::size_t>(leader_index(1 - side))];
  const Comm inter = Comm::intercomm(local, leader_index(side), comm, remote_leader, 12);
  EXPECT_TRUE(inter.is_inter());
  int flag = 0;
  check(EP_Comm_test_inter(inter.get(), &flag));
  EXPECT_EQ(flag, 1);
  check(EP_Comm_test_inter(local.get(), &flag));
  EXPECT_EQ(flag, 0);
  EXPECT_EQ(inter.rank(), local.rank());
  EXPECT_EQ(inter.size(), local.size());
  EXPECT_EQ(inter.remote_size(), comm.size() - local.size());
  exchange_with_all(inter, side);
  check(EP_Barrier(inter.get()));
  check(EP_Barrier(comm.get()));
}

// Every way to give up to four endpoints to two sides: disjoint processes, one shared, all shared,
// both leaders in one process - whatever the layout makes of it.
TEST(Intercomm, all_partitions_of_up_to_four_endpoints) {
  for (const unsigned endpoints : {2U, 3U, 4U}) {
    run_endpoints(static_cast<int>(endpoints), [endpoints](const Comm& comm) {
      for (unsigned mask = 1; mask + 1 < 1U << endpoints; ++mask) {
        std::vector<int> side_of;
        for (unsigned rank = 0; rank < endpoints; ++rank) {
          side_of.push_back((mask >> rank) & 1U ? 1 : 0);
        }
        check_sides(comm, side_of, static_cast<int>(mask % 2));
      }
    });
  }
}

TEST(Intercomm, odd_sides) {
  run_endpoints(5, [](const Comm& comm) {
    check_sides(comm, {0, 1, 1, 0, 1}, 0);
    check_sides(comm, {1, 1, 1, 1, 0}, 0);
  });
}

// The local communicators come from raw communicators of their own, so no common wire exists.
TEST(Intercomm, sides_without_a_common_ancestor) {
  if (processes() < 2) GTEST_SKIP() << "needs two processes";
  int rank = 0;
  ASSERT_EQ(MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_SUCCESS);
  const int side = rank == 0 ? 0 : 1;
  MPI_Comm half = MPI_COMM_NULL;
  ASSERT_EQ(MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half), MPI_SUCCESS);
  {
    const Comm world = Comm::from_mpi(MPI_COMM_WORLD);
    const Comm local = Comm::from_mpi(half);
    const Comm inter = Comm::intercomm(local, 0, world, 1 - side, 0);
    exchange_with_all(inter, side);
    check(EP_Barrier(world.get()));
  }
  ASSERT_EQ(MPI_Comm_free(&half), MPI_SUCCESS);
}

EP_Group some_of(const Comm& comm, const std::vector<int>& ranks) {
  EP_Group all = EP_GROUP_NULL;
  EP_Group some = EP_GROUP_NULL;
  check(EP_Comm_group(comm.get(), &all));
  check(EP_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some));
  check(EP_Group_free(&all));
  return some;
}

/// EP_Comm_create over `inter` with these ranks of the first and the second side.
void check_subgroups(const Comm& inter, int side, const std::vector<int> (&ranks)[2]) {
  EP_Group group = some_of(inter, ranks[side]);
  EP_Comm handle = EP_COMM_SELF;  // anything
  check(EP_Comm_create(inter.get(), group, &handle));
  check(EP_Group_free(&group));
  const std::vector<int>& mine = ranks[side];
  const auto place = std::find(mine.begin(), mine.end(), inter.rank());
  if (place == mine.end() || ranks[0].empty() || ranks[1].empty()) {
    EXPECT_EQ(handle, EP_COMM_NULL);
    return;
  }
  ASSERT_NE(handle, EP_COMM_NULL);
  const Comm part(handle);
  EXPECT_TRUE(part.is_inter());
  EXPECT_EQ(part.size(), static_cast<int>(mine.size()));
  EXPECT_EQ(part.remote_size(), static_cast<int>(ranks[1 - side].size()));
  EXPECT_EQ(part.rank(), static_cast<int>(place - mine.begin()));
  exchange_with_all(part, side);
  check(EP_Barrier(part.get()));
}

// The sides lie in a row, and interleaved, so that they share processes.
TEST(Intercomm, communicators_of_subgroups) {
  for (const bool interleaved : {false, true}) {
    run_endpoints(7, [interleaved](const Comm& comm) {
      const int side = interleaved ? comm.rank() % 2 : (comm.rank() < 4 ? 0 : 1);
      const Comm local = comm.split(side, comm.rank());
      const int remote_leader = interleaved ? 1 - side : (side == 0 ? 4 : 0);
      const Comm inter = Comm::intercomm(local, 0, comm, remote_leader, 3);
      ASSERT_EQ(inter.size(), side == 0 ? 4 : 3);
      check_subgroups(inter, side, {{0, 1, 2, 3}, {0, 1, 2}});
      check_subgroups(inter, side, {{3, 1}, {2, 0, 1}});
      check_subgroups(inter, side, {{2}, {1}});
      check_subgroups(inter, side, {{}, {0, 1, 2}});
      check_subgroups(inter, side, {{0, 2}, {}});
      check_subgroups(inter, side, {{}, {}});
      // The members of the other side are strangers.
      EP_Group strangers = EP_GROUP_NULL;
      EP_Comm out = EP_COMM_NULL;
      check(EP_Comm_remote_group(inter.get(), &strangers));
      EXPECT_EQ(EP_Comm_create(inter.get(), strangers, &out), EP_ERR_GROUP);
      check(EP_Group_free(&strangers));
      check(EP_Barrier(comm.get()));
    });
  }
}

TEST(Intercomm, a_wrong_remote_leader_fails_on_the_whole_side) {
  run_endpoints(2, [](const Comm& comm) {
    EP_Comm inter = EP_COMM_NULL;
    EXPECT_EQ(EP_Intercomm_create(comm.get(), 0, comm.get(), 7, 0, &inter), EP_ERR_RANK);
    EXPECT_EQ(inter, EP_COMM_NULL);
  });
}

TEST(Intercomm, locality_is_that_of_the_remote_group) {
  run_endpoints(2, [](const Comm& comm) {
    const Comm local = comm.split(comm.rank(), 0);
    const Comm inter = Comm::intercomm(local, 0, comm, 1 - comm.rank(), 0);
    EXPECT_EQ(inter.locality(0), comm.locality(1 - comm.rank()));
  });
}

}  // namespace
}  // namespace ep::test::intercomm_test
