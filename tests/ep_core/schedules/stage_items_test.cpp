// Work items of a stage, and the turn to take steps, under several threads.
#include "schedules/stage_items.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "schedules/step_turn.hpp"

namespace ep::stage_items_test {
namespace {

TEST(StageItems, each_item_of_each_stage_is_run_once) {
  constexpr int stages = 300;
  constexpr int items = 7;
  StageItems work;
  std::vector<std::atomic<int>> runs(static_cast<std::size_t>(stages * items));
  std::atomic<bool> is_over{false};
  const auto run_item = [&](int stage, int item) {
    ++runs[static_cast<std::size_t>((stage - 1) * items + item)];
  };
  EXPECT_TRUE(work.are_done());
  std::vector<std::thread> helpers;
  for (int i = 0; i < 3; ++i) {
    helpers.emplace_back([&] {
      while (!is_over) {
        if (!work.run(run_item)) std::this_thread::yield();
      }
    });
  }
  for (int stage = 1; stage <= stages; ++stage) {
    work.open(stage, items);
    work.run(run_item);
    while (!work.are_done()) std::this_thread::yield();
  }
  is_over = true;
  for (std::thread& helper : helpers) helper.join();
  EXPECT_TRUE(
      std::all_of(runs.begin(), runs.end(), [](const auto& count) { return count.load() == 1; }));
  EXPECT_FALSE(work.run(run_item)) << "nothing is left";
}

TEST(StageItems, hold_as_many_as_their_word_has_room_for) {
  EXPECT_TRUE(StageItems::can_hold((1 << 22) - 1));
  EXPECT_FALSE(StageItems::can_hold(1 << 22));
}

// What a thread saw change before it found the turn taken is seen by whoever has the turn.
TEST(StepTurn, no_word_is_lost) {
  constexpr int rounds = 20'000;
  StepTurn turn;
  std::atomic<int> asked{0};
  int seen = 0;
  std::atomic<int> inside{0};
  const auto step = [&] {
    EXPECT_EQ(++inside, 1) << "one thread at a time";
    seen = asked.load();
    --inside;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        ++asked;
        turn.step_or_leave_word(step);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, 3 * rounds);
}

TEST(StepTurn, is_taken_by_one) {
  StepTurn turn;
  EXPECT_TRUE(turn.try_take());
  EXPECT_FALSE(turn.try_take());
  bool has_stepped = false;
  turn.step_or_leave_word([&] { has_stepped = true; });
  EXPECT_FALSE(has_stepped);
  turn.give_back();
  turn.take();
  turn.give_back();
}

}  // namespace
}  // namespace ep::stage_items_test
