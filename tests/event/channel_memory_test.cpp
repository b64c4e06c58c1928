#include "event/channel_memory.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <utility>
#include <vector>

namespace epios::io::channel_memory_test {
namespace {

TEST(ChannelMemory, never_gives_more_than_the_limit) {
  ChannelMemory memory;
  auto first = memory.take(60, 100);
  ASSERT_TRUE(first.share);
  EXPECT_EQ(first.others, 0U);
  const auto refused = memory.take(41, 100);
  EXPECT_FALSE(refused.share);
  EXPECT_EQ(refused.others, 60U);
  const auto second = memory.take(40, 100);
  EXPECT_TRUE(second.share);
  EXPECT_EQ(memory.taken(), 100U);
  EXPECT_FALSE(memory.take(1, 100).share);
  EXPECT_FALSE(memory.take(1, 50).share) << "more is taken than this one allows at all";
}

TEST(ChannelMemory, is_given_back_once_wherever_a_share_goes) {
  ChannelMemory memory;
  {
    ChannelMemory::Share kept;
    {
      auto taken = memory.take(30, 100);
      kept = std::move(*taken.share);
    }
    EXPECT_EQ(memory.taken(), 30U);
    EXPECT_EQ(kept.bytes(), 30U);
    kept = {};
    EXPECT_EQ(memory.taken(), 0U);
  }
  EXPECT_EQ(memory.taken(), 0U);
}

TEST(ChannelMemory, threads_do_not_exceed_it_together) {
  ChannelMemory memory;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        const auto taken = memory.take(40, 100);
        EXPECT_LE(memory.taken(), 100U);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(memory.taken(), 0U);
}

TEST(ChannelMemory, OfAShareBecomesMoreOrLess) {
  ChannelMemory memory;
  auto reserved = memory.take(60, 100);
  ASSERT_TRUE(reserved.share);
  EXPECT_FALSE(memory.take(50, 100).share) << "nobody else has what is reserved";
  auto more = memory.take(90, 100, std::move(*reserved.share));
  ASSERT_TRUE(more.share);
  EXPECT_EQ(memory.taken(), 90U);
  EXPECT_EQ(more.others, 0U);
  auto less = memory.take(20, 100, std::move(*more.share));
  EXPECT_EQ(memory.taken(), 20U);
  auto other = memory.take(70, 100);
  const auto too_much = memory.take(40, 100, std::move(*less.share));
  EXPECT_FALSE(too_much.share);
  EXPECT_EQ(too_much.others, 70U);
  EXPECT_EQ(memory.taken(), 70U) << "what was reserved is given back";
}

}  // namespace
}  // namespace epios::io::channel_memory_test
