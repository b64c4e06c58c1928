#include "cliques/intercomm_owner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace ep::intercomm_owner_test {
namespace {

/// A layout: what each thread of up to three processes belongs to (0: nothing, 1: A, 2: B).
struct Layout {
  int processes = 0;
  int threads = 0;
  std::vector<int> sides;

  int at(int process, int thread) const {
    return sides[static_cast<std::size_t>(process * threads + thread)];
  }
  bool has(int process, int side) const {
    for (int thread = 0; thread < threads; ++thread) {
      if (at(process, thread) == side) return true;
    }
    return false;
  }
  std::vector<int> processes_of(int side) const {
    std::vector<int> out;
    for (int p = 0; p < processes; ++p) {
      if (has(p, side)) out.push_back(p);
    }
    return out;
  }
};

// The rule table of the requirement, written out as it is read: which side carries `process`.
Owner by_table(const Layout& layout, int process, int leader_a, int leader_b) {
  const bool shared = layout.has(process, 1) && layout.has(process, 2);
  if (!shared) return layout.has(process, 1) ? Owner::first : Owner::second;
  const auto a = layout.processes_of(1);
  const auto b = layout.processes_of(2);
  if (leader_a == leader_b) {
    if (a.size() >= 2) {
      if (process == leader_a) return Owner::second;  // 3a
      const int moved = a.front() != leader_a ? a.front() : a[1];
      return process == moved ? Owner::first : Owner::second;  // 2, with the new leader, or 1
    }
    return b.size() >= 2 ? Owner::first : Owner::both;  // 3b, 3c
  }
  if (process == leader_a) return Owner::first;   // 2
  if (process == leader_b) return Owner::second;  // 2
  return Owner::second;                           // 1: B has the higher peer rank
}

void check_layout(const Layout& layout) {
  for (const int leader_a : layout.processes_of(1)) {
    for (const int leader_b : layout.processes_of(2)) {
      const OwnedSide a{3, leader_a, layout.processes_of(1)};
      const OwnedSide b{8, leader_b, layout.processes_of(2)};
      const Ownership forwards = decide_owners(a, b);
      const Ownership backwards = decide_owners(b, a);
      for (int p = 0; p < layout.processes; ++p) {
        if (!layout.has(p, 1) && !layout.has(p, 2)) continue;
        const Owner expected = by_table(layout, p, leader_a, leader_b);
        ASSERT_EQ(forwards.owners.at(p), expected);
        const Owner other_way = backwards.owners.at(p);
        const Owner mirrored = other_way == Owner::both    ? Owner::both
                               : other_way == Owner::first ? Owner::second
                                                           : Owner::first;
        ASSERT_EQ(mirrored, expected) << "the two sides disagree";
      }
      // A side is without a process of its own only if both share their only one.
      const Owner at_leader = forwards.owners.at(forwards.first_leader);
      ASSERT_TRUE(at_leader == Owner::first || at_leader == Owner::both);
      ASSERT_EQ(forwards.first_leader, backwards.second_leader);
    }
  }
}

TEST(IntercommOwner, all_layouts_of_up_to_three_processes_with_three_threads_each) {
  int layouts = 0;
  for (int processes = 1; processes <= 3; ++processes) {
    for (int threads = 1; threads <= 3; ++threads) {
      Layout layout{processes, threads,
                    std::vector<int>(static_cast<std::size_t>(processes * threads), 0)};
      while (true) {
        check_layout(layout);
        ++layouts;
        std::size_t digit = 0;
        while (digit < layout.sides.size() && ++layout.sides[digit] == 3) layout.sides[digit++] = 0;
        if (digit == layout.sides.size()) break;
      }
    }
  }
  EXPECT_EQ(layouts, 3 + 9 + 27 + 9 + 81 + 729 + 27 + 729 + 19683);
}

/// The worked example: four processes with two threads, one of each side in every process. The
/// leader of A lives in process 0, that of B in process 1.
class WorkedExample : public testing::Test {
 protected:
  // Side of each thread, in the order of a world of all endpoints.
  static constexpr std::array<std::array<char, 2>, 4> world{
      {{'B', 'A'}, {'A', 'B'}, {'A', 'B'}, {'A', 'B'}}};
  // (rank in the hidden communicator of the carrying side, which one: 0 for A', 1 for B')
  using Map = std::vector<std::pair<int, int>>;

  static Map map_of(char side) {
    const std::vector<int> everywhere{0, 1, 2, 3};
    const Ownership owned = decide_owners({2, 0, everywhere}, {7, 1, everywhere});
    std::array<int, 2> next{};
    Map out;
    for (int process = 0; process < 4; ++process) {
      const int carrier = owned.owners.at(process) == Owner::first ? 0 : 1;
      for (const char thread : world[static_cast<std::size_t>(process)]) {
        const int rank = next[static_cast<std::size_t>(carrier)]++;
        if (thread == side) out.emplace_back(rank, carrier);
      }
    }
    return out;
  }

  // (rank in its process, process of the hidden communicator), of all endpoints of A' or B'
  static Map hidden(int carrier) {
    const std::vector<int> everywhere{0, 1, 2, 3};
    const Ownership owned = decide_owners({2, 0, everywhere}, {7, 1, everywhere});
    Map out;
    int index = 0;
    for (int process = 0; process < 4; ++process) {
      if ((owned.owners.at(process) == Owner::first ? 0 : 1) != carrier) continue;
      for (int thread = 0; thread < 2; ++thread) out.emplace_back(thread, index);
      ++index;
    }
    return out;
  }
};

TEST_F(WorkedExample, has_the_four_rank_maps_of_the_requirement) {
  const Map of_a{{1, 0}, {0, 1}, {2, 1}, {4, 1}};
  const Map of_b{{0, 0}, {1, 1}, {3, 1}, {5, 1}};
  EXPECT_EQ(map_of('A'), of_a);  // local map of A, remote map of B
  EXPECT_EQ(map_of('B'), of_b);  // local map of B, remote map of A
  EXPECT_EQ(hidden(0), (Map{{0, 0}, {1, 0}}));
  EXPECT_EQ(hidden(1), (Map{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}}));
}

}  // namespace
}  // namespace ep::intercomm_owner_test
