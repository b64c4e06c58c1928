#include "topologies/graph_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace ep::graph_order_test {
namespace {

// `counts` ranks in each process.
RankTable processes_of(const std::vector<int>& counts) {
  std::vector<Place> places;
  for (int p = 0; p < static_cast<int>(counts.size()); ++p) {
    for (int slot = 0; slot < counts[static_cast<std::size_t>(p)]; ++slot) {
      places.push_back({p, slot});
    }
  }
  return RankTable(places);
}

std::vector<int> identity(int nodes) {
  std::vector<int> out(static_cast<std::size_t>(nodes));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// A square of side x side nodes, whose numbers jump about.
std::vector<GraphEdge> scrambled_square(int side) {
  const auto number = [side](int x, int y) { return (x * side + y) * 7 % (side * side); };
  std::vector<GraphEdge> edges;
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      if (x + 1 < side) edges.push_back({number(x, y), number(x + 1, y), 1});
      if (y + 1 < side) edges.push_back({number(x, y), number(x, y + 1), 1});
    }
  }
  return edges;
}

void expect_permutation(std::vector<int> order) {
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, identity(static_cast<int>(order.size())));
}

TEST(GraphOrder, ties_count_by_weight) {
  const RankTable ranks = processes_of({2, 2});
  const std::vector<GraphEdge> edges{{0, 1, 1}, {2, 3, 1}, {0, 2, 5}, {1, 3, 5}};
  const std::vector<int> order = order_graph(ranks, 4, edges);
  EXPECT_EQ(order, (std::vector<int>{0, 2, 1, 3}));
  EXPECT_EQ(cut_weight(ranks, edges, identity(4)), 10);
  EXPECT_EQ(cut_weight(ranks, edges, order), 2);
}

TEST(GraphOrder, nothing_moves_without_gain) {
  const RankTable ranks = processes_of({2, 2});
  EXPECT_EQ(order_graph(ranks, 4, {}), identity(4));
  const std::vector<GraphEdge> good{{0, 1, 3}, {2, 3, 3}, {1, 2, 1}};
  EXPECT_EQ(order_graph(ranks, 4, good), identity(4));
  // A full graph has the same cut whatever the order.
  std::vector<GraphEdge> full;
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) full.push_back({a, b, 1});
  }
  EXPECT_EQ(order_graph(ranks, 4, full), identity(4));
}

TEST(GraphOrder, a_scrambled_square_falls_into_compact_parts) {
  const auto edges = scrambled_square(12);
  const RankTable ranks = processes_of({36, 36, 36, 36});
  const std::vector<int> order = order_graph(ranks, 144, edges);
  expect_permutation(order);
  // The best cut is 24; strips have 36.
  EXPECT_LE(cut_weight(ranks, edges, order), 40);
  EXPECT_GE(cut_weight(ranks, edges, identity(144)), 150);
}

TEST(GraphOrder, processes_may_hold_different_numbers_and_more_ranks_than_nodes) {
  const RankTable ranks = processes_of({1, 5, 0, 3, 4});
  const auto edges = scrambled_square(3);
  const std::vector<int> order = order_graph(ranks, 9, edges);
  ASSERT_EQ(order.size(), 9U);
  expect_permutation(order);
  EXPECT_LE(cut_weight(ranks, edges, order), cut_weight(ranks, edges, identity(9)));
}

TEST(GraphOrder, loops_and_odd_weights_do_no_harm) {
  const RankTable ranks = processes_of({2, 2});
  const std::vector<GraphEdge> edges{{0, 0, 9}, {0, 3, 2}, {0, 3, 2}, {1, 2, -4}, {1, 2, 0}};
  const std::vector<int> order = order_graph(ranks, 4, edges);
  expect_permutation(order);
  EXPECT_EQ(cut_weight(ranks, edges, order), 0);
}

}  // namespace
}  // namespace ep::graph_order_test
