// Work that a library above shares among waiting threads, and waits of helper threads.
#include <ep/work_sharing.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ep/work_sharing.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "layouts.hpp"

namespace ep::test::work_sharing_test {
namespace {

using namespace std::chrono_literals;

void expect_error(int code, int expected, const std::string& text) {
  EXPECT_EQ(code, expected);
  EXPECT_EQ(std::string(EP_Last_error()), text);
}

/// Threads that help as long as this lives.
class Lenders {
 public:
  explicit Lenders(int count) {
    for (int t = 0; t < count; ++t) {
      threads_.emplace_back(
          [this] { pool_.help_until({"the owner"}, [&] { return over_.load(); }); });
    }
    while (count > 0 && !helpers_available()) std::this_thread::yield();
  }
  Lenders(const Lenders&) = delete;
  Lenders(Lenders&&) = delete;
  Lenders& operator=(const Lenders&) = delete;
  Lenders& operator=(Lenders&&) = delete;
  ~Lenders() { release(); }

  void release() {
    over_.store(true);
    pool_.ring();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  HelperPool pool_;
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

TEST(HelperPool, DoEveryPieceOnce) {
  for (const int lenders : {0, 1, 3}) {
    SCOPED_TRACE(lenders);
    const Lenders helpers(lenders);
    for (const int pieces : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(pieces));
      share_work(pieces, [&](int piece) { ++done[static_cast<std::size_t>(piece)]; });
      for (const auto& count : done) ASSERT_EQ(count.load(), 1);
    }
  }
}

TEST(HelperPool, TakePiecesInOtherThreads) {
  const Lenders helpers(2);
  // Each piece waits until three threads are inside one.
  std::atomic<int> inside{0};
  share_work(3, [&](int) {
    ++inside;
    while (inside.load() < 3) std::this_thread::yield();
  });
  EXPECT_EQ(inside.load(), 3);
}

TEST(HelperPool, AreNotThereUnlessLent) {
  EXPECT_FALSE(helpers_available());
  Lenders helpers(1);
  EXPECT_TRUE(helpers_available());
  helpers.release();
  EXPECT_FALSE(helpers_available());
}

TEST(HelperPool, HandOnTheFirstExceptionWhenNobodyIsInsideAnyMore) {
  const Lenders helpers(2);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::atomic<int> inside{0};
    std::atomic<int> begun{0};
    std::string text;
    try {
      share_work(100, [&](int piece) {
        ++inside;
        ++begun;
        std::this_thread::yield();
        --inside;
        if (piece % 10 == 3) throw std::runtime_error("piece " + std::to_string(piece));
      });
    } catch (const std::runtime_error& error) {
      text = error.what();
    }
    EXPECT_EQ(text.substr(0, 6), "piece ");
    EXPECT_EQ(inside.load(), 0);
    EXPECT_GE(begun.load(), 1);
  }
}

TEST(HelperPool, MayLeaveAtAnyMomentOfAWork) {
  std::atomic<bool> stop{false};
  HelperPool helpers;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      // Comes and goes: over again at the next look.
      for (int turn = 0; !stop.load(); ++turn) {
        int looks = (turn + t) % 4;
        helpers.help_until({"a moment", -1, 0.001}, [&] { return looks-- == 0; });
      }
    });
  }
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::atomic<int> sum{0};
    share_work(20, [&](int piece) { sum += piece; });
    ASSERT_EQ(sum.load(), 190);
  }
  stop.store(true);
  for (std::thread& thread : threads) thread.join();
}

TEST(HelperPool, AskAfterEachPieceWhetherItIsOver) {
  HelperPool helpers;
  std::atomic<int> done{0};  // pieces done by the lender
  std::atomic<bool> has_left{false};
  std::thread lender([&] {
    helpers.help_until({"a piece"}, [&] { return done.load() > 0; });
    has_left.store(true);
  });
  while (!helpers_available()) std::this_thread::yield();
  share_work(1000, [&](int) {
    if (std::this_thread::get_id() == lender.get_id()) {
      ++done;
      return;
    }
    // Time enough for it to take another one.
    while (!has_left.load() && done.load() < 2) std::this_thread::yield();
  });
  lender.join();
  EXPECT_EQ(done.load(), 1);
}

TEST(HelperPool, HelpSeveralThreadsThatShareAtATime) {
  const Lenders helpers(1);
  std::vector<std::thread> owners;
  std::atomic<int> sum{0};
  for (int t = 0; t < 6; ++t) {
    owners.emplace_back([&] {
      for (int repeat = 0; repeat < 100; ++repeat) share_work(10, [&](int) { ++sum; });
    });
  }
  for (std::thread& owner : owners) owner.join();
  EXPECT_EQ(sum.load(), 6 * 100 * 10);
}

TEST(HelperPool, EndAWaitWhoseConditionThrows) {
  HelperPool helpers;
  EXPECT_THROW(
      helpers.help_until({"nothing"}, []() -> bool { throw std::runtime_error("enough"); }),
      std::runtime_error);
}

TEST(HelperPool, RefuseWrongArguments) {
  expect_error(EP_Share_work(
                   -1, [](int, void*) {}, nullptr),
               EP_ERR_ARG, "EP_Share_work of -1 items (at least 0).");
  expect_error(EP_Share_work(1, nullptr, nullptr), EP_ERR_ARG, "EP_Share_work of no function.");
  expect_error(EP_Helpers_available(nullptr), EP_ERR_ARG, "an output argument is a null pointer.");
  expect_error(EP_Team_help_until(
                   EP_TEAM_NULL, [](void*) { return 1; }, nullptr, "x", 0),
               EP_ERR_ARG, "the team is not valid (EP_TEAM_NULL, freed, or not a team).");
  expect_error(EP_Team_ring(EP_TEAM_NULL), EP_ERR_ARG,
               "the team is not valid (EP_TEAM_NULL, freed, or not a team).");
  EP_Team team = EP_TEAM_NULL;
  check(EP_Team_create(1, MPI_INFO_NULL, &team));
  expect_error(EP_Team_help_until(team, nullptr, nullptr, "x", 0), EP_ERR_ARG,
               "EP_Team_help_until without a condition.");
  check(EP_Team_free(team));
}

TEST(HelperPool, KeepTheirTeamWhileTheyHelp) {
  EP_Team team = EP_TEAM_NULL;
  check(EP_Team_create(1, MPI_INFO_NULL, &team));
  std::atomic<bool> over{false};
  std::thread lender([&] {
    check(EP_Team_help_until(
        team, [](void* state) { return static_cast<std::atomic<bool>*>(state)->load() ? 1 : 0; },
        &over, "the owner", 0));
  });
  while (!helpers_available()) std::this_thread::yield();
  expect_error(EP_Team_free(team), EP_ERR_OTHER,
               "EP_Team_free of a team that threads help (EP_Team_help_until). Have they "
               "returned?");
  over.store(true);
  check(EP_Team_ring(team));
  lender.join();
  check(EP_Team_free(team));
}

}  // namespace
}  // namespace ep::test::work_sharing_test
