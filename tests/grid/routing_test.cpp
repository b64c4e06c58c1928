#include "grid/routing.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "grid/layout.hpp"
#include "models.hpp"
#include "random.hpp"

namespace epios::io::routing_test {
namespace {

using test::Random;

int add_stream(config::Model& model, int file, int grid, std::int64_t prec, std::string_view freq) {
  config::Stream stream;
  stream.id = "s" + std::to_string(model.streams.size());
  stream.file = config::FileId(file);
  stream.grid = config::GridId(grid);
  stream.attributes.prec = prec;
  if (freq == "1ts") stream.sampling.output_freq.timestep = 1;
  if (freq == "1d") stream.sampling.output_freq.day = 1;
  if (freq == "1mo") stream.sampling.output_freq.month = 1;
  model.streams.push_back(stream);
  const int index = static_cast<int>(model.streams.size()) - 1;
  model.files.resize(std::max(model.files.size(), static_cast<std::size_t>(file) + 1));
  nth(model.files, file).streams.push_back(config::StreamId(index));
  return index;
}

config::Model three_files() {
  config::Model model;
  model.timestep.hour = 1;
  const int small = test::add_grid(model, {test::domain(test::add_domain(model, 10, 10))});
  const int large = test::add_grid(model, {test::domain(test::add_domain(model, 100, 100))});
  add_stream(model, 0, small, 4, "1d");
  add_stream(model, 1, large, 8, "1d");
  add_stream(model, 2, small, 4, "1ts");
  return model;
}

TEST(PlaceFiles, HeaviestFirstOnTheLeastLoaded) {
  const auto placed = place_files(three_files(), 2, 1'000'000);
  ASSERT_EQ(placed.size(), 3U);
  // Bytes per day: 400, 80000 and 9600.
  EXPECT_EQ(placed[1].writers, (std::vector<int>{0}));
  EXPECT_EQ(placed[2].writers, (std::vector<int>{1}));
  EXPECT_EQ(placed[0].writers, (std::vector<int>{1}));
}

TEST(PlaceFiles, LargeRecordsAreShared) {
  const auto placed = place_files(three_files(), 2, 80'000);
  EXPECT_EQ(placed[1].writers, (std::vector<int>{0, 1}));
  EXPECT_TRUE(placed[1].is_shared());
  EXPECT_FALSE(placed[0].is_shared());
  EXPECT_FALSE(place_files(three_files(), 2, 80'001)[1].is_shared());
}

TEST(PlaceFiles, OfMultipleFilesEachServerWithARowWritesItsOwn) {
  config::Model model = three_files();
  for (config::File& file : model.files) file.attributes.type = "multiple_file";
  const auto placed = place_files(model, 12, 1);
  EXPECT_EQ(placed[0].writers.size(), 10U);  // rows
  EXPECT_EQ(placed[1].writers.size(), 12U);
  for (const FilePlacement& file : placed) {
    EXPECT_TRUE(file.is_apart);
    EXPECT_FALSE(file.is_shared());
  }
  EXPECT_FALSE(place_files(model, 1, 1)[1].is_apart);
}

TEST(PlaceFiles, GoToTheServersThatWereChosen) {
  config::Model model = three_files();
  ServerChoice choice;
  choice.writers = {{}, {{2, 3}}, {{1}, {4}}};
  const auto placed = place_files(model, 5, 1, choice);
  EXPECT_EQ(placed[0].writers, (std::vector<int>{0, 1, 2, 3, 4})) << "large: by all";
  EXPECT_EQ(placed[1].writers, (std::vector<int>{2})) << "large, of some servers: by one";
  EXPECT_EQ(placed[2].writers, (std::vector<int>{1})) << "of two groups the first with less to do";
  choice.writers = {{{1}, {4}}, {{0}}, {{1}, {4}}};
  const auto spread = place_files(model, 5, 1'000'000, choice);
  EXPECT_EQ(spread[2].writers, (std::vector<int>{1})) << "heavier than the first";
  EXPECT_EQ(spread[0].writers, (std::vector<int>{4}));
  for (config::File& file : model.files) file.attributes.type = "multiple_file";
  const auto apart = place_files(model, 5, 1, choice);
  EXPECT_FALSE(apart[1].is_apart);
  choice.writers = {{{1}, {4}}, {{2, 4}}, {{1}, {4}}};
  const auto two = place_files(model, 5, 1, choice);
  EXPECT_TRUE(two[1].is_apart);
  EXPECT_EQ(two[1].writers, (std::vector<int>{2, 4}));
}

TEST(PlaceFiles, OfSomeServersWeighOnThem) {
  config::Model model = three_files();
  model.files[1].attributes.type = "multiple_file";
  ServerChoice choice;
  choice.writers = {{}, {{0, 1}}, {}};
  const auto placed = place_files(model, 3, 1'000'000, choice);
  EXPECT_EQ(placed[1].writers, (std::vector<int>{0, 1}));
  EXPECT_EQ(placed[2].writers, (std::vector<int>{2}));
}

/// Would have found that a leader's request has the servers of each file again.
TEST(FileServers, EqualChoicesAreKeptOnce) {
  const ServerGroups each{{1}, {4}};
  const ServerGroups together{{1, 4}};
  const FileServers servers{each, together, each, {}, each};
  EXPECT_EQ(servers.choices, (std::vector<ServerGroups>{each, together, {}}));
  EXPECT_EQ(servers.of_file, (std::vector<std::int32_t>{0, 1, 0, 2, 0}));
  EXPECT_EQ(servers.of(1), together);
  EXPECT_EQ(servers.of(4), each);
  EXPECT_TRUE(servers.of(3).empty()) << "all servers";
  EXPECT_TRUE(FileServers{}.of(7).empty()) << "all servers for all files";
  EXPECT_TRUE(servers.has(4));
  EXPECT_FALSE(servers.has(2));
}

TEST(PlaceReadFiles, AreReadByTheServersThatWereChosen) {
  config::Model model;
  const int large = test::add_grid(model, {test::domain(test::add_domain(model, 100, 100))});
  for (int file = 0; file < 3; ++file) {
    config::ReadField field;
    field.file = config::ReadFileId(file);
    field.grid = config::GridId(large);
    model.read_fields.push_back(field);
    model.read_files.emplace_back().fields = {config::ReadFieldId(file)};
  }
  ServerChoice choice;
  choice.readers = {{{1, 3}}, {}, {{2}}};
  const auto together = place_read_files(model, 4, 1, choice);
  EXPECT_EQ(together[0].writers, (std::vector<int>{1, 3}));
  EXPECT_EQ(together[1].writers, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(together[2].writers, (std::vector<int>{2}));
  const auto in_turn = place_read_files(model, 4, 1'000'000, choice);
  EXPECT_EQ(in_turn[0].writers, (std::vector<int>{1}));
  EXPECT_EQ(in_turn[2].writers, (std::vector<int>{2}));
  choice.readers = {{{1, 3}}, {{2}}, {{1, 3}}};
  EXPECT_EQ(place_read_files(model, 4, 1'000'000, choice)[2].writers, (std::vector<int>{3}));
}

TEST(PlaceStream, RowsOfMultipleFilesCoverTheDomainOnce) {
  for (int rows = 1; rows < 9; ++rows) {
    config::Model model;
    model.timestep.hour = 1;
    const int d = test::add_domain(model, 5, rows);
    const int e = test::add_domain(model, 3, 4);
    const int levels = test::add_axis(model, 7);
    const int volume_grid = test::add_grid(model, {test::domain(d), test::axis(levels)});
    const int other = test::add_grid(model, {test::domain(e)});
    const int profile = test::add_grid(model, {test::axis(levels)});
    for (const int grid : {volume_grid, other, profile}) add_stream(model, 0, grid, 4, "1d");
    model.files[0].attributes.type = "multiple_file";
    for (int servers = 1; servers < 7; ++servers) {
      const FilePlacement file = place_files(model, servers, 1 << 20)[0];
      const auto windows = coordinate_windows(model, test::domain(d), file);
      for (int s = 0; s < 3; ++s) {
        const StreamPlacement placed = place_stream(model, s, file);
        std::int64_t points = 0;
        std::int64_t next = 0;
        const std::size_t cut = placed.shape.size() == 3 ? 1 : 0;
        for (std::size_t w = 0; w < placed.slabs.size(); ++w) {
          const Box& slab = placed.slabs[w];
          points += slab.volume();
          if (slab.is_empty()) continue;
          EXPECT_EQ(slab.begin[cut], next);
          next += slab.size[cut];
          if (s > 0) continue;
          const Box rows_only{{slab.begin[1], 0}, {slab.size[1], 5}};
          EXPECT_EQ(windows[w], rows_only);
        }
        EXPECT_EQ(points, volume(placed.shape)) << rows << " rows, " << servers << " servers";
      }
    }
  }
}

TEST(PlaceFiles, OneServerOwnsAll) {
  for (const auto& placement : place_files(three_files(), 1, 1)) {
    EXPECT_EQ(placement.writers, (std::vector<int>{0}));
  }
}

TEST(PlaceFiles, EqualFilesSpread) {
  config::Model model;
  const int grid = test::add_grid(model, {});
  for (int file = 0; file < 6; ++file) add_stream(model, file, grid, 4, "1mo");
  std::vector<int> count(3);
  for (const auto& placement : place_files(model, 3, 1'000'000)) {
    ++count[static_cast<std::size_t>(placement.writers.front())];
  }
  EXPECT_EQ(count, (std::vector<int>{2, 2, 2}));
}

TEST(PlaceStream, SlabsAreParallelToWriters) {
  const config::Model model = three_files();
  const StreamPlacement placed = place_stream(model, 1, {{0, 1}});
  EXPECT_EQ(placed.shape, (Extents{100, 100}));
  EXPECT_EQ(placed.chunk, (Extents{50, 100}));
  EXPECT_EQ(placed.slabs, (std::vector<Box>{{{0, 0}, {50, 100}}, {{50, 0}, {50, 100}}}));
  EXPECT_EQ(place_stream(model, 1, {{1}}).slabs, (std::vector<Box>{whole({100, 100})}));
}

TEST(CoordinateWindows, CoverEachElementOnce) {
  config::Model model;
  const FilePlacement file{{4, 7}};
  using Windows = std::vector<Box>;
  const auto domain = test::domain(test::add_domain(model, 6, 4));
  EXPECT_EQ(coordinate_windows(model, domain, file), (Windows{whole({4, 6}), nothing(2)}));
  auto& attributes = model.domains[0].attributes;
  attributes.type = "curvilinear";
  EXPECT_EQ(coordinate_windows(model, domain, file), (Windows{{{0, 0}, {2, 6}}, {{2, 0}, {2, 6}}}));
  attributes.nj_glo = 1;
  for (const char* type : {"unstructured", "gaussian"}) {
    attributes.type = type;
    EXPECT_EQ(coordinate_windows(model, domain, file), (Windows{{{0}, {3}}, {{3}, {3}}}));
  }
  const auto axis = test::axis(test::add_axis(model, 3));
  EXPECT_EQ(coordinate_windows(model, axis, file), (Windows{{{0}, {2}}, {{2}, {1}}}));
  model.scalars.emplace_back();
  EXPECT_EQ(coordinate_windows(model, test::scalar(), file), (Windows{Box{}, nothing(0)}));
}

TEST(ValueBytes, FollowPrec) {
  config::Stream stream;
  stream.attributes.prec = 8;
  EXPECT_EQ(value_bytes(stream), 8);
  stream.attributes.prec = 4;
  EXPECT_EQ(value_bytes(stream), 4);
}

}  // namespace
}  // namespace epios::io::routing_test
