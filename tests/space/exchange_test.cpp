// What points are exchanged with: directory, messages, sums without rounding; masks that do not
// fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <ep/ep.hpp>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "exchange/exact_sum.hpp"
#include "exchange/persistent_exchange.hpp"
#include "space/directory.hpp"
#include "space/steps.hpp"
#include "weights/row_sums.hpp"

namespace epios::io::exchange_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

double exact(const std::vector<double>& values) {
  ExactSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

TEST(ExactSum, is_the_nearest_double) {
  const double inf = std::numeric_limits<double>::infinity();
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(exact({}), 0);
  EXPECT_EQ(exact({0.1, 0.2, 0.3}), 0.6);
  EXPECT_EQ(exact({1, 1e100, 1, -1e100}), 2);
  EXPECT_EQ(exact({huge, 1, -huge}), 1);
  EXPECT_EQ(exact({huge, huge, -huge}), huge);
  EXPECT_EQ(exact({huge, huge}), inf);
  EXPECT_EQ(exact({tiny, tiny, -tiny}), tiny);
  EXPECT_EQ(exact({-tiny}), -tiny);
  EXPECT_EQ(exact({std::numeric_limits<double>::min(), -tiny}),
            std::nextafter(std::numeric_limits<double>::min(), 0));
  // Half way between two doubles: to the even one, unless something little decides.
  const double ulp = std::numeric_limits<double>::epsilon();
  EXPECT_EQ(exact({1, ulp / 2}), 1);
  EXPECT_EQ(exact({1 + ulp, ulp / 2}), 1 + 2 * ulp);
  EXPECT_EQ(exact({1, ulp / 2, tiny}), 1 + ulp);
  EXPECT_EQ(exact({1, ulp / 2, -tiny}), 1);
  EXPECT_EQ(exact({-1, -ulp / 2, -tiny}), -1 - ulp);
  EXPECT_EQ(exact({inf, 1}), inf);
  EXPECT_TRUE(std::isnan(exact({inf, -inf})));
}

TEST(ExactSum, does_not_depend_on_order_and_grouping) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> values;
    while (values.size() < 3000) {
      const auto value = std::bit_cast<double>(random());
      const bool is_wild = round % 2 == 0 && std::isfinite(value) && std::abs(value) < 1e300;
      values.push_back(is_wild ? value : static_cast<double>(random() % 2001) * 1e-3 - 1);
    }
    const double wanted = exact(values);
    std::shuffle(values.begin(), values.end(), random);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(exact(values)), std::bit_cast<std::uint64_t>(wanted));
    ExactSum whole;
    ExactSum part;
    std::vector<std::int64_t> stored(ExactSum::words);
    for (std::size_t k = 0; k < values.size(); ++k) {
      part.add(values[k]);
      if (random() % 100 != 0 && k + 1 < values.size()) continue;
      part.store(stored);
      whole.add(stored);
      part.clear();
    }
    EXPECT_EQ(std::bit_cast<std::uint64_t>(whole.value()), std::bit_cast<std::uint64_t>(wanted));
  }
}

TEST(Directory, knows_who_has_what) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::mt19937_64 random(seed);  // the same on all
    const auto size = static_cast<std::int64_t>(random() % 40 + 1);
    std::map<std::int64_t, std::set<int>> holders;
    std::vector<std::int64_t> mine;
    for (std::int64_t key = 0; key < size; ++key) {
      for (int rank = 0; rank < world.size(); ++rank) {
        if (random() % 2 == 0) continue;
        holders[key].insert(rank);
        if (rank == world.rank()) mine.push_back(key);
      }
    }
    std::erase_if(holders, [](const auto& entry) { return entry.second.empty(); });
    const Directory directory(world, size, mine);
    std::vector<std::int64_t> asked;
    for (std::int64_t key = world.rank() % 2; key < size; key += 1 + world.rank()) {
      asked.push_back(key);
    }
    const std::vector<int> lowest = directory.lowest(asked);
    ASSERT_EQ(lowest.size(), asked.size());
    for (std::size_t k = 0; k < asked.size(); ++k) {
      const auto found = holders.find(asked[k]);
      EXPECT_EQ(lowest[k], found == holders.end() ? -1 : *found->second.begin());
    }
    // Stretches as long as they can be, but for the edges of the directory's pieces.
    std::map<std::int64_t, int> told;
    std::int64_t end = 0;
    for (const Directory::Stretch& stretch : directory.repeated()) {
      EXPECT_LE(end, stretch.first);
      end = stretch.end;
      for (std::int64_t key = stretch.first; key < end; ++key) told[key] = stretch.lowest;
    }
    std::map<std::int64_t, int> wanted;
    for (const std::int64_t key : mine) {
      if (holders[key].size() > 1) wanted[key] = *holders[key].begin();
    }
    EXPECT_EQ(told, wanted);
  }
}

TEST(Directory, tells_of_what_several_have_by_stretches) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  if (world.size() != 2) return;
  // Rows [0, 60) and [40, 100) of 100 keys, of which each rank keeps 50.
  std::vector<std::int64_t> mine;
  for (std::int64_t key = 40 * world.rank(); key < 40 * world.rank() + 60; ++key) {
    mine.push_back(key);
  }
  const std::vector<Directory::Stretch> wanted{{40, 50, 0}, {50, 60, 0}};
  EXPECT_EQ(Directory(world, 100, mine).repeated(), wanted);
}

TEST(Directory, makes_trees_of_few_branches) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  // Key 0: this rank alone; the others: all that have them.
  const auto size = static_cast<std::int64_t>(world.size());
  std::vector<std::int64_t> keys{world.rank()};
  for (std::int64_t key = size; key < size + 5; ++key) keys.push_back(key);
  const Directory directory(world, size + 5, keys);
  std::set<int> first;
  for (const std::int64_t salt : {0, 1, 2}) {
    const auto tree = directory.tree(keys, salt);
    ASSERT_EQ(tree.size(), keys.size());
    EXPECT_TRUE(tree[0].is_alone);
    for (std::size_t k = 1; k < keys.size(); ++k) {
      EXPECT_EQ(tree[k].is_alone, size == 1);
      if (size == 1) continue;
      const std::int64_t root = (keys[k] + salt) % size;
      EXPECT_EQ(tree[k].depth, world.rank() == root ? 0 : 1);
      EXPECT_EQ(tree[k].parent, world.rank() == root ? -1 : root);
    }
  }
}

void wait(PersistentExchange& exchange, const ep::Comm& world) {
  ep::wait_until(world, {"a test"}, [&] { return exchange.is_done(); });
}

/// Each rank sends its number to the next one.
TEST(PersistentExchange, of_another_date_are_told) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const int size = world.size();
  if (size == 1) return;
  const int next = (world.rank() + 1) % size;
  const int before = (world.rank() + size - 1) % size;
  std::vector<std::size_t> sends(static_cast<std::size_t>(size));
  std::vector<std::size_t> receives(sends.size());
  sends[static_cast<std::size_t>(next)] = sizeof(double);
  receives[static_cast<std::size_t>(before)] = sizeof(double);
  StepTraffic traffic;
  PersistentExchange exchange(world, sends, receives, 3, traffic);
  EXPECT_TRUE(exchange.is_done());
  for (const std::int64_t date : {1000, 2000}) {
    exchange.to<double>(next).front() = world.rank() + 0.5 * static_cast<double>(date);
    if (world.rank() == 0) {
      // Nobody has sent to it before it has sent something itself.
      EXPECT_EQ(exchange.awaited(), std::vector<int>());
    }
    exchange.start(date);
    wait(exchange, world);
    EXPECT_EQ(exchange.awaited(), std::vector<int>());
    EXPECT_EQ(exchange.from<double>(before).front(), before + 0.5 * static_cast<double>(date));
  }
  EXPECT_EQ(traffic.messages, 2);
  EXPECT_EQ(traffic.bytes, 2 * 2 * 8) << "each has a date, too";
  ep::check(EP_Barrier(world.get()));
  if (world.rank() == 0) {
    exchange.start(5000);
    EXPECT_EQ(exchange.awaited(), std::vector<int>{before});
  }
  ep::check(EP_Barrier(world.get()));
  if (world.rank() != 0) exchange.start(3000);
  try {
    wait(exchange, world);
    EXPECT_TRUE(before != 0 && world.rank() != 0);
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(before == 0 ? "2 s later" : "2 s earlier"));
  }
}

TEST(RowWithGaps, keeps_totals_where_quantities_are_shared_out) {
  const std::vector<double> values{1, 1, std::nan(""), 1};
  const auto left = [&](const RowGaps& gaps) {
    return row_with_gaps(
               values.size(), [](std::size_t) { return 1.0; },
               [&](std::size_t k) { return values[k]; }, gaps)
        .value;
  };
  RowGaps gaps{.leaves_out_missing = true, .leaves_out_masked = true};
  EXPECT_EQ(left(gaps), 4) << "the others count for it";
  gaps.keeps_totals = true;
  EXPECT_EQ(left(gaps), 3) << "what is missing is not invented";
}

TEST(Redistribution, of_points_that_are_not_there_or_twice_is_refused) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const auto refusal = [&](const std::string& kind, const std::string& index) {
    const std::string sizes =
        kind == "axis" ? R"(n_glo="4")" : R"(ni_glo="2" nj_glo="2" type="rectilinear")";
    const config::SourceTexts texts{{"iodef.xml", R"(<simulation><context id="c">
      <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
      <)" + kind + "_definition><" + kind + R"( id="x" )" +
                                                      sizes + "/><" + kind + R"( id="dealt">
        <redistribute_)" + kind + R"( type="index" index=")" +
                                                      index + "\"/></" + kind + "></" + kind +
                                                      R"(_definition>
      <field_definition operation="instant"><field id="t" )" +
                                                      kind + R"(_ref="x"/></field_definition>
      <file_definition><file id="f" output_freq="1h">
        <field field_ref="t" )" + kind + R"(_ref="dealt"/></file></file_definition>
      </context></simulation>)"}};
    config::Model model = config::Definitions{config::Document(texts)}.resolve("c");
    try {
      shape_elements(model, world);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const char* const kind : {"axis", "domain"}) {
    EXPECT_EQ(refusal(kind, "(0,2)[3 0 1]"), "");
    EXPECT_THAT(refusal(kind, "(0,1)[0 4]"),
                AllOf(HasSubstr("has 4 points, 0 to 3, and value 2 of"), HasSubstr("iodef.xml:")));
    EXPECT_THAT(refusal(kind, "(0,2)[-1 0 -2]"), HasSubstr("value 1 of a client's list"));
    EXPECT_THAT(refusal(kind, "(0,2)[2 0 2]"), HasSubstr("lists point 2 twice"));
  }
}

class Silent final : public StepWatch {
 public:
  void begin(const std::string& /*what*/) override {}
  void check(const StepRun& /*waiting*/) override {}
  void end() override {}
};

/// Each client has a part of both axes; one of them is dealt out anew.
TEST(Redistribution, that_loses_points_is_refused) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const auto refusal = [&](const std::string& type) {
    const config::SourceTexts texts{{"iodef.xml", R"(<simulation><context id="c">
      <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
      <axis_definition><axis id="x" n_glo="6"/><axis id="y" n_glo="6"/>
        <axis id="dealt"><redistribute_axis type=")" + type +
                                                      R"("/></axis></axis_definition>
      <grid_definition><grid id="g"><axis axis_ref="x"/><axis axis_ref="y"/></grid>
        <grid id="made"><axis axis_ref="dealt"/><axis axis_ref="y"/></grid></grid_definition>
      <field_definition operation="instant"><field id="t" grid_ref="g"/></field_definition>
      <file_definition><file id="f" output_freq="1h">
        <field field_ref="t" grid_ref="made"/></file></file_definition>
      </context></simulation>)"}};
    config::Definitions definitions{config::Document(texts)};
    const std::int64_t first = 6 * world.rank() / world.size();
    const std::int64_t n = 6 * (world.rank() + 1) / world.size() - first;
    for (const char* const axis : {"x", "y"}) {
      definitions.set("c", config::ElementKind::axis, axis, "begin", first, "test");
      definitions.set("c", config::ElementKind::axis, axis, "n", n, "test");
    }
    config::Model model = definitions.resolve("c");
    Silent watch;
    try {
      shape_elements(model, world);
      const LocalParts parts(model);
      const StepPlans plans(model, parts, world, nullptr, watch);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("full"), "");
  EXPECT_EQ(refusal("bands"), "") << "each client keeps its own";
  if (world.size() == 1) {
    EXPECT_EQ(refusal("root"), "");
  } else {
    EXPECT_THAT(refusal("root"), HasSubstr("<redistribute_axis> loses points of grid 'g'"));
  }
}

TEST(Masks, that_do_not_fit_what_is_made_are_refused) {
  config::Model model;
  config::Axis axis;
  axis.id = "upper";
  axis.attributes.n_glo = 3;
  axis.attributes.n = 2;
  model.axes.push_back(axis);
  config::Grid grid{"levels", {{config::GridElement::Kind::axis, 0}}};
  grid.mask = config::value::booleans{{1, 0}, {2}};
  model.grids.push_back(grid);
  EXPECT_NO_THROW(check_masks(model));
  model.grids.back().mask = config::value::booleans{{1, 0, 1}, {3}};
  try {
    check_masks(model);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("grid 'levels' has a mask of 3 values for 2 cells"));
  }
}

}  // namespace
}  // namespace epios::io::exchange_test
