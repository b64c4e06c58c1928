#include "links/blocked_history.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <string>
#include <vector>

#include "links/slowest_step.hpp"

namespace epios::client::blocked_history_test {
namespace {

double sum(const BlockedHistory& history) {
  double out = 0;
  for (const auto& column : history.values()) out += column.blocked_s;
  return out;
}

TEST(BlockedHistory, ColumnsAreOfTheSameStepsHoweverTheyCome) {
  for (const std::int64_t last : {1, 63, 64, 65, 1000, 1 << 20}) {
    for (const std::int64_t stride : {1, 7}) {
      BlockedHistory history;
      double blocked_s = 0;
      for (std::int64_t step = 1; step<last; step += last> 5000 ? 1000 * stride : stride) {
        history.note(step, blocked_s += 0.5);
      }
      history.note(last, blocked_s += 0.5);
      std::int64_t width = 1;
      while ((last - 1) / width >= 64) width *= 2;
      EXPECT_EQ(history.steps_per_column(), width) << last;
      EXPECT_EQ(history.columns_in_use(), static_cast<std::size_t>((last - 1) / width + 1)) << last;
      EXPECT_DOUBLE_EQ(sum(history), blocked_s) << last;
    }
  }
}

TEST(BlockedHistory, WaitsStayWithTheirSteps) {
  BlockedHistory history;
  history.note(0, 0);  // before the first step
  for (std::int64_t step = 1; step <= 128; ++step) history.note(step, step < 100 ? 0 : 2);
  EXPECT_EQ(history.steps_per_column(), 2);
  for (std::size_t c = 0; c < 64; ++c)
    EXPECT_EQ(history.values()[c].blocked_s, c == 49 ? 2 : 0) << c;
}

TEST(SlowestStep, IsTheOneThatTookLongest) {
  SlowestStep steps;
  const auto now = SlowestStep::Clock::now();
  const auto step = [&](std::int64_t number, const std::vector<double>& seconds) {
    for (const double of : seconds) {
      steps.note({static_cast<int>(number), true, now, of}, of);
    }
    steps.end(number);
  };
  step(1, {0.5});
  step(2, {0.5, 0.25});
  step(3, {});
  step(4, {0.7});
  EXPECT_EQ(steps.slowest().step, 2);
  ASSERT_EQ(steps.slowest().spans.size(), 2U);
  EXPECT_EQ(steps.slowest().spans[1].seconds, 0.25);
  EXPECT_EQ(steps.slowest().more, 0);
  step(5, std::vector<double>(100, 1));
  EXPECT_EQ(steps.slowest().step, 5);
  EXPECT_EQ(steps.slowest().spans.size(), 64U);
  EXPECT_EQ(steps.slowest().more, 36);
}

}  // namespace
}  // namespace epios::client::blocked_history_test
