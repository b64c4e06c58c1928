// The worked example of intercommunicators with overlap: four processes with two threads each, one
// of either side in every process; the leader of A in process 0, that of B in process 1.

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "layouts.hpp"

namespace ep::test::worked_example_test {
namespace {

constexpr int side_a = 0;
constexpr int side_b = 1;
// Of the two threads of each process, in the order of all endpoints.
constexpr std::array<int, 8> sides{side_b, side_a, side_a, side_b, side_a, side_b, side_a, side_b};
constexpr int leader_of_a = 1;  // ranks among all endpoints
constexpr int leader_of_b = 3;

/// What each endpoint finds out about itself.
struct Seen {
  int process;
  int side;
  int rank;     ///< in its group
  int carrier;  ///< which side's hidden communicator has its process: 0 for A', 1 for B'
};

/// By rank: (rank in the hidden communicator, which one). The maps are those of the requirement.
using Map = std::vector<std::pair<int, int>>;

Map map_of(const std::vector<Seen>& world, int side) {
  Map out(4);
  std::array<int, 2> next{};
  for (const Seen& one : world) {
    const int rank = next[static_cast<std::size_t>(one.carrier)]++;
    if (one.side == side) out[static_cast<std::size_t>(one.rank)] = {rank, one.carrier};
  }
  return out;
}

/// All endpoints of a hidden communicator: (rank in the process, rank of the process).
Map hidden(const std::vector<Seen>& world, int carrier) {
  Map out;
  int processes = 0;
  for (std::size_t i = 0; i < world.size(); i += 2) {
    if (world[i].carrier != carrier) continue;
    out.emplace_back(0, processes);
    out.emplace_back(1, processes++);
  }
  return out;
}

int my_process() {
  int rank = -1;
  EXPECT_EQ(MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_SUCCESS);
  return rank;
}

int carrier_of(const Comm& inter, int side, int rank) {
  int owner = -1;
  check(EP_Intercomm_owner(inter.get(), rank, &owner));
  EXPECT_TRUE(owner == EP_OWNER_LOCAL || owner == EP_OWNER_REMOTE);
  return owner == EP_OWNER_LOCAL ? side : 1 - side;
}

void expect_the_four_maps(const Comm& all, const Comm& inter, int side) {
  const Seen mine{my_process(), side, inter.rank(), carrier_of(inter, side, inter.rank())};
  std::vector<Seen> world(8);
  check(EP_Allgather(&mine, sizeof mine, MPI_BYTE, world.data(), sizeof mine, MPI_BYTE, all.get()));
  for (std::size_t i = 0; i < 8; i += 2) {
    EXPECT_EQ(world[i].process, static_cast<int>(i / 2));
    EXPECT_EQ(world[i].carrier, world[i + 1].carrier) << "the sides disagree on a process";
  }
  EXPECT_EQ(map_of(world, side_a), (Map{{1, 0}, {0, 1}, {2, 1}, {4, 1}}));
  EXPECT_EQ(map_of(world, side_b), (Map{{0, 0}, {1, 1}, {3, 1}, {5, 1}}));
  EXPECT_EQ(hidden(world, side_a), (Map{{0, 0}, {1, 0}}));
  EXPECT_EQ(hidden(world, side_b), (Map{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}}));
  // Also what everybody says of the others of its group.
  for (const Seen& one : world) {
    if (one.side != side) continue;
    EXPECT_EQ(carrier_of(inter, side, one.rank), one.carrier);
  }
}

// Between all pairs: within a process, within a hidden communicator, and between the two.
void expect_messages(const Comm& inter, int side) {
  const int me = 10 * side + inter.rank();
  std::array<int, 4> in{-1, -1, -1, -1};
  std::array<EP_Request, 8> requests{};
  for (int peer = 0; peer < 4; ++peer) {
    const auto i = static_cast<std::size_t>(peer);
    check(EP_Irecv(&in[i], 1, MPI_INT, peer, 5, inter.get(), &requests[i]));
    check(EP_Isend(&me, 1, MPI_INT, peer, 5, inter.get(), &requests[i + 4]));
  }
  check(EP_Waitall(8, requests.data(), EP_STATUSES_IGNORE));
  const int first = 10 * (1 - side);
  EXPECT_EQ(in, (std::array<int, 4>{first, first + 1, first + 2, first + 3}));
  std::array<int, 4> gathered{};
  check(EP_Allgather(&me, 1, MPI_INT, gathered.data(), 1, MPI_INT, inter.get()));
  EXPECT_EQ(gathered, in);
}

TEST(WorkedExample, has_the_four_rank_maps) {
  ASSERT_EQ(processes(), 4);
  run_endpoints(8, [](const Comm& all) {
    const int side = sides[static_cast<std::size_t>(all.rank())];
    const Comm local = all.split(side, all.rank());
    ASSERT_EQ(local.size(), 4);
    const Comm inter = side == side_a ? Comm::intercomm(local, 0, all, leader_of_b, 9)
                                      : Comm::intercomm(local, 1, all, leader_of_a, 9);
    ASSERT_EQ(inter.rank(), local.rank());
    ASSERT_EQ(inter.remote_size(), 4);
    expect_the_four_maps(all, inter, side);
    expect_messages(inter, side);
    const Comm other = inter.dup();
    expect_the_four_maps(all, other, side);
    for (const int high : {side_a, side_b}) {
      EP_Comm handle = EP_COMM_NULL;
      check(EP_Intercomm_merge(inter.get(), side == high ? 1 : 0, &handle));
      EXPECT_EQ(Comm(handle).rank(), local.rank() + (side == high ? 4 : 0));
    }
  });
}

}  // namespace
}  // namespace ep::test::worked_example_test
