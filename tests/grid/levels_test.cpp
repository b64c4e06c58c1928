#include "grid/levels.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "grid/layout.hpp"
#include "models.hpp"

namespace epios::io::levels_test {
namespace {

int add_stream(config::Model& model, int file, int grid) {
  config::Stream stream;
  stream.file = config::FileId(file);
  stream.grid = config::GridId(grid);
  model.streams.push_back(stream);
  model.files.resize(std::max(model.files.size(), static_cast<std::size_t>(file) + 1));
  const int index = static_cast<int>(model.streams.size()) - 1;
  nth(model.files, file).streams.push_back(config::StreamId(index));
  return index;
}

ServerChoice two_and_two() {
  ServerChoice choice;
  choice.gatherers = {0, 2};
  choice.writers = {{{1}, {3}}};
  return choice;
}

TEST(Levels, AreOfTheServersThatWereChosen) {
  EXPECT_FALSE(has_levels({}));
  EXPECT_FALSE(is_downstream({}, 0));
  const ServerChoice choice = two_and_two();
  EXPECT_TRUE(has_levels(choice));
  EXPECT_EQ(gatherer_number(choice, 2), 1);
  EXPECT_EQ(gatherer_number(choice, 1), -1);
  std::vector<int> behind;
  for (int server = 0; server < 5; ++server) {
    if (is_downstream(choice, server)) behind.push_back(server);
  }
  EXPECT_EQ(behind, (std::vector<int>{1, 3})) << "server 4 has no part in it";
}

TEST(Levels, GatherersHaveTheSameRowsInAllGrids) {
  for (int rows = 1; rows < 7; ++rows) {
    config::Model model;
    const int d = test::add_domain(model, 5, rows);
    const int levels = test::add_axis(model, 4);
    const int surface = test::add_grid(model, {test::domain(d)});
    const int volume_grid = test::add_grid(model, {test::domain(d), test::axis(levels)});
    const int profile = test::add_grid(model, {test::axis(levels)});
    const std::vector<int> grids{surface, volume_grid, profile};
    for (const int grid : grids) add_stream(model, 0, grid);
    ServerChoice choice;
    choice.gatherers = {0, 1, 2};
    choice.writers = {{{3}}};
    const auto pieces = gathered_pieces(model, choice, 5);
    ASSERT_EQ(pieces.size(), 5U);
    EXPECT_TRUE(pieces[3].grids.empty()) << "it writes";
    std::vector<std::int64_t> points(3, 0);
    for (int g = 0; g < 3; ++g) {
      const Pieces& its = pieces[static_cast<std::size_t>(g)];
      for (std::size_t s = 0; s < 3; ++s) {
        if (its.of_stream[s] < 0) continue;
        points[s] += nth(its.grids, its.of_stream[s]).slab.volume();
      }
      int domains = 0;
      for (const ElementPiece& window : its.windows) {
        if (window.element == test::domain(d)) ++domains;
      }
      EXPECT_EQ(domains, g < rows ? 1 : 0) << "the same window in all grids";
      EXPECT_EQ(its.of_stream[2] >= 0, g == 0) << "a grid without a domain is the first one's";
      for (const CoordinatePiece& piece : its.coordinates) {
        const auto w = static_cast<std::size_t>(piece.window);
        ASSERT_LT(w, its.coordinate_windows.size());
        EXPECT_TRUE(g == 0 || its.coordinate_windows[w].element == test::domain(d));
      }
    }
    for (std::size_t s = 0; s < 3; ++s) {
      EXPECT_EQ(points[s], volume(global_shape(model, grids[s]))) << "rows " << rows;
    }
  }
}

TEST(Levels, AreNotForGridsOfSeveralDomains) {
  config::Model model;
  const int a = test::add_domain(model, 3, 3);
  const int b = test::add_domain(model, 2, 2);
  add_stream(model, 0, test::add_grid(model, {test::domain(a)}));
  EXPECT_TRUE(can_be_dealt_out(model));
  const int both = test::add_grid(model, {test::domain(a), test::domain(b)});
  EXPECT_TRUE(can_be_dealt_out(model)) << "nothing of it is written";
  add_stream(model, 0, both);
  EXPECT_FALSE(can_be_dealt_out(model));
}

TEST(Levels, FilesAreThoseOfAllGatherersForClients) {
  config::Model model;
  add_stream(model, 0, test::add_grid(model, {test::domain(test::add_domain(model, 3, 3))}));
  const auto files = gathered_files(model, two_and_two());
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].writers, (std::vector<int>{0, 2}));
  EXPECT_FALSE(files[0].is_shared()) << "gatherers agree on nothing";
}

}  // namespace
}  // namespace epios::io::levels_test
