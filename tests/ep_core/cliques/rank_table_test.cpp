#include "cliques/rank_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace ep::rank_table_test {
namespace {

TEST(RankTable, contiguous_ranks_cost_one_run_per_process) {
  std::vector<Place> places;
  for (int process = 0; process < 50; ++process) {
    for (int slot = 0; slot < 4; ++slot) places.push_back({process, slot});
  }
  const RankTable table(places);
  EXPECT_EQ(table.size(), 200);
  EXPECT_EQ(table.runs().size(), 50U);
  EXPECT_EQ(table.place(7), (Place{1, 3}));
  EXPECT_EQ(table.rank({49, 3}), 199);
  EXPECT_EQ(table.count(3), 4);
  EXPECT_EQ(table.run_end(5), 8);
}

TEST(RankTable, any_order_there_and_back) {
  std::mt19937 random(7);
  std::vector<Place> places;
  for (int process = 0; process < 9; ++process) {
    for (int slot = 0; slot <= process % 4; ++slot) places.push_back({process, slot});
  }
  for (int round = 0; round < 20; ++round) {
    std::shuffle(places.begin(), places.end(), random);
    const RankTable table(places);
    for (int rank = 0; rank < table.size(); ++rank) {
      const Place place = places[static_cast<std::size_t>(rank)];
      ASSERT_EQ(table.place(rank), place);
      ASSERT_EQ(table.rank(place), rank);
    }
    EXPECT_EQ(table.count(3), 4);
    EXPECT_EQ(table.rank({0, 1}), -1);
    EXPECT_EQ(table.rank({99, 0}), -1);
    EXPECT_EQ(table.count(99), 0);
  }
}

TEST(RankTable, empty) {
  const RankTable table;
  EXPECT_EQ(table.size(), 0);
  EXPECT_EQ(table.rank({0, 0}), -1);
}

}  // namespace
}  // namespace ep::rank_table_test
