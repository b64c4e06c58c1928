#include "progress/shared_work.hpp"

#include <ep/ep.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <vector>

#include "progress/work_board.hpp"

namespace ep::shared_work_test {
namespace {

TEST(SharedWork, every_piece_is_done_once_without_help) {
  for (const std::size_t items : {std::size_t{0}, std::size_t{1}, std::size_t{17}}) {
    std::vector<int> done(items, 0);
    const auto count = [&](std::size_t item) { ++done[item]; };
    SharedWork work;
    work.begin(items, count);
    work.complete();
    EXPECT_EQ(done, std::vector<int>(items, 1));
  }
}

TEST(SharedWork, many_threads_share_the_pieces) {
  constexpr std::size_t items = 5'000;
  constexpr int rounds = 20;
  WorkBoard board;
  std::atomic<bool> over{false};
  std::vector<std::thread> helpers;
  for (int i = 0; i < 3; ++i) {
    helpers.emplace_back([&] {
      while (!over.load()) {
        if (!board.help_once()) std::this_thread::yield();
      }
    });
  }
  for (int round = 0; round < rounds; ++round) {
    // On this stack: nobody may look at it once it was taken down.
    std::vector<int> done(items, 0);
    const auto count = [&](std::size_t item) { ++done[item]; };
    SharedWork work;
    work.begin(items, count);
    WorkBoard::Place* const place = board.hang_out(work);
    ASSERT_NE(place, nullptr);
    work.complete();
    WorkBoard::take_down(*place);
    EXPECT_EQ(done, std::vector<int>(items, 1)) << "round " << round;
  }
  over.store(true);
  for (std::thread& helper : helpers) helper.join();
}

TEST(SharedWork, a_full_board_has_no_place) {
  WorkBoard board;
  SharedWork work;
  std::vector<WorkBoard::Place*> places;
  while (WorkBoard::Place* const place = board.hang_out(work)) places.push_back(place);
  EXPECT_GE(places.size(), 2U);
  WorkBoard::take_down(*places.back());
  EXPECT_EQ(board.hang_out(work), places.back());
  for (WorkBoard::Place* const place : places) WorkBoard::take_down(*place);
}

TEST(SharedWork, pieces_without_a_team_are_done_in_order) {
  std::vector<std::size_t> order;
  share_items(4, [&](std::size_t item) { order.push_back(item); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(SharedWork, an_exception_of_a_piece_reaches_who_shares) {
  EP_Team team = EP_TEAM_NULL;
  ASSERT_EQ(EP_Team_create(2, MPI_INFO_NULL, &team), EP_SUCCESS);
  ASSERT_EQ(EP_Team_join(team), EP_SUCCESS);
  std::atomic<int> tried{0};
  try {
    share_items(8, [&](std::size_t item) {
      ++tried;
      if (item == 3) throw std::runtime_error("item 3");
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "item 3");
  }
  EXPECT_EQ(tried.load(), 8);
  EXPECT_EQ(EP_Team_leave(team), EP_SUCCESS);
  EXPECT_EQ(EP_Team_free(team), EP_SUCCESS);
}

// Two items that each wait for the other to begin are in two threads.
void expect_two_threads() {
  std::atomic<int> begun{0};
  std::array<std::thread::id, 2> who;
  share_items(2, [&](std::size_t item) {
    who[item] = std::this_thread::get_id();
    ++begun;
    while (begun.load() < 2) std::this_thread::yield();
  });
  EXPECT_NE(who[0], who[1]);
}

TEST(SharedWork, a_thread_that_waits_in_a_team_takes_pieces_of_a_member) {
  EP_Team team = EP_TEAM_NULL;
  ASSERT_EQ(EP_Team_create(2, MPI_INFO_NULL, &team), EP_SUCCESS);
  ASSERT_EQ(EP_Team_join(team), EP_SUCCESS);
  std::thread helper([&] {
    EXPECT_EQ(EP_Team_join(team), EP_SUCCESS);
    EXPECT_EQ(EP_Team_leave(team), EP_SUCCESS);
  });
  for (int i = 0; i < 20; ++i) expect_two_threads();
  // Asleep by now.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  expect_two_threads();
  EXPECT_EQ(EP_Team_leave(team), EP_SUCCESS);
  helper.join();
  EXPECT_EQ(EP_Team_free(team), EP_SUCCESS);
}

TEST(SharedWork, a_thread_that_waits_in_a_team_takes_pieces_of_who_is_in_none) {
  EP_Team team = EP_TEAM_NULL;
  ASSERT_EQ(EP_Team_create(2, MPI_INFO_NULL, &team), EP_SUCCESS);
  ASSERT_EQ(EP_Team_join(team), EP_SUCCESS);
  std::thread helper([&] {
    EXPECT_EQ(EP_Team_join(team), EP_SUCCESS);
    EXPECT_EQ(EP_Team_leave(team), EP_SUCCESS);
  });
  std::thread outside([] {
    while (!help_is_available()) std::this_thread::yield();
    for (int i = 0; i < 20; ++i) expect_two_threads();
  });
  outside.join();
  EXPECT_EQ(EP_Team_break(team), EP_SUCCESS);
  helper.join();
  EXPECT_EQ(EP_Team_free(team), EP_SUCCESS);
}

}  // namespace
}  // namespace ep::shared_work_test
