#include "schedules/algorithm_choice.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ep/ep.hpp>
#include <filesystem>
#include <fstream>
#include <functional>

namespace ep::test::algorithm_choice_test {
namespace {

namespace fs = std::filesystem;
using A = Algorithm;

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), EP_ERR_ARG);
    return error.what();
  }
  return "no error";
}

constexpr Shape many{64, 1, 1};

TEST(AlgorithmChoice, few_rounds_for_few_bytes_and_few_bytes_sent_for_many) {
  const CostModel model;
  const AlgorithmSet all{A::binomial, A::scatter_ring, A::scatter_doubling, A::pipelined};
  EXPECT_EQ(choose(model, Collective::bcast, many, 8, all), A::binomial);
  EXPECT_NE(choose(model, Collective::bcast, many, 64 << 20, all), A::binomial);
  EXPECT_EQ(choose(model, Collective::allreduce, many, 8, {A::doubling, A::halving, A::ring}),
            A::doubling);
  EXPECT_EQ(choose(model, Collective::allreduce, many, 1 << 20, {A::doubling, A::halving, A::ring}),
            A::halving);
}

TEST(AlgorithmChoice, only_what_is_usable_and_the_first_of_equals) {
  const CostModel model;
  EXPECT_EQ(choose(model, Collective::allreduce, many, 8, {A::ring}), A::ring);
  EXPECT_EQ(choose(model, Collective::allgather, many, 8, {A::doubling, A::bruck}), A::doubling);
}

TEST(AlgorithmChoice, sizes_can_be_ignored) {
  CostModel model;
  model.ignores_sizes = true;
  const AlgorithmSet all{A::binomial, A::scatter_ring, A::scatter_doubling, A::pipelined};
  EXPECT_EQ(choose(model, Collective::bcast, many, 64 << 20, all), A::binomial);
  EXPECT_EQ(choose(model, Collective::allreduce, many, 8, {A::slices, A::ring}), A::slices);
  model.overrides = parse_overrides("bcast=pipelined", "test");
  EXPECT_EQ(choose(model, Collective::bcast, many, 8, all), A::pipelined);
}

TEST(AlgorithmChoice, an_override_counts_where_it_is_usable) {
  CostModel model;
  model.overrides = parse_overrides("bcast=pipelined,allreduce=ring", "test");
  EXPECT_EQ(choose(model, Collective::bcast, many, 8, {A::binomial, A::pipelined}), A::pipelined);
  EXPECT_EQ(choose(model, Collective::allreduce, many, 8, {A::operands, A::slices}), A::operands);
  AlgorithmOverrides more = parse_overrides("bcast=binomial,gather=linear", "test");
  more.complete(model.overrides);
  EXPECT_EQ(more.of(Collective::bcast), A::binomial);
  EXPECT_EQ(more.of(Collective::allreduce), A::ring);
  EXPECT_FALSE(more.has(Collective::scan));
}

TEST(AlgorithmChoice, wrong_overrides_are_told_what_exists) {
  EXPECT_EQ(error_of([] { parse_overrides("bcast=fast", "info key ep_algorithm"); }),
            "info key ep_algorithm asks for bcast by 'fast' (there are: binomial, scatter_ring, "
            "scatter_doubling, pipelined).");
  EXPECT_EQ(error_of([] { parse_overrides("broadcast=ring", "info key ep_algorithm"); }),
            "info key ep_algorithm names the collective 'broadcast' (there are: barrier, bcast, "
            "gather, scatter, allgather, alltoall, reduce, allreduce, reduce_scatter, scan).");
  EXPECT_EQ(error_of([] { parse_overrides("ring", "x"); }),
            "x has 'ring' (expected collective=algorithm, several separated by commas).");
  ASSERT_EQ(setenv("EP_ALGORITHM_REDUCE_SCATTER", "tree", 1), 0);
  EXPECT_EQ(error_of([] { model_of_environment(); }),
            "EP_ALGORITHM_REDUCE_SCATTER asks for reduce_scatter by 'tree' (there are: slices, "
            "halving, ring).");
  ASSERT_EQ(setenv("EP_ALGORITHM_REDUCE_SCATTER", "ring", 1), 0);
  EXPECT_EQ(model_of_environment().overrides.of(Collective::reduce_scatter), A::ring);
  ASSERT_EQ(unsetenv("EP_ALGORITHM_REDUCE_SCATTER"), 0);
}

class CostFile : public testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }
  const std::string& write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }
  std::string path_ = fs::temp_directory_path() / ("ep_costs_" + std::to_string(getpid()));
};

TEST_F(CostFile, what_is_written_is_read) {
  const CostParameters costs{
      {1.5e-6, 2e-10}, {3e-6, 4e-10}, 3e-10, 5e-7, 6e-11, 3e6, {7e-10, 8e-10, 9e-10, 1e-9}};
  EXPECT_EQ(read_costs(write(write_costs(costs))), costs);
  ASSERT_EQ(setenv("EP_COSTS", path_.c_str(), 1), 0);
  EXPECT_DOUBLE_EQ(model_of_environment().costs.overhead_s, 5e-7);
  ASSERT_EQ(unsetenv("EP_COSTS"), 0);
}

// A file of a network, or of an older ep_calibrate, is not mixed with the defaults of a node.
TEST_F(CostFile, what_is_not_said_costs_what_is_nearest) {
  const CostParameters costs = read_costs(write("between.beta_s_per_byte 4e-9\n"));
  EXPECT_EQ(costs.one_way_s_per_byte, 4e-9);
  EXPECT_EQ(costs.beyond.exchanged_s, 4e-9);
  EXPECT_EQ(costs.beyond.one_way_s, 4e-9);
  EXPECT_EQ(costs.gamma_s_per_byte, CostParameters().gamma_s_per_byte);
  EXPECT_EQ(costs.beyond.combined_s, CostParameters().beyond.combined_s);
}

TEST_F(CostFile, errors_name_the_line) {
  write("# nothing\noverhead_s 1e-6\nspeed 3\n");
  EXPECT_EQ(error_of([&] { read_costs(path_); }),
            path_ + ":3: unknown cost 'speed'. Written by ep_calibrate?");
  write("overhead_s -1\n");
  EXPECT_EQ(error_of([&] { read_costs(path_); }),
            path_ + ":1: overhead_s is '-1' (expected seconds from 0 to 1).");
  write("overhead_s\n");
  EXPECT_EQ(error_of([&] { read_costs(path_); }),
            path_ + ":1: overhead_s is '' (expected seconds from 0 to 1).");
  write("cached_bytes many\n");
  EXPECT_EQ(error_of([&] { read_costs(path_); }),
            path_ + ":1: cached_bytes is 'many' (expected a number of bytes).");
  EXPECT_EQ(error_of([&] { read_costs("/nowhere/costs"); }),
            "cannot read the costs in /nowhere/costs. Write them with ep_calibrate?");
}

}  // namespace
}  // namespace ep::test::algorithm_choice_test
