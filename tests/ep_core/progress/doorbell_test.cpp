#include "progress/doorbell.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

namespace ep::doorbell_test {
namespace {

using namespace std::chrono_literals;

TEST(Doorbell, a_peer_maps_the_same_page_and_wakes_the_sleeper) {
  Doorbell mine;
  const PeerBell peer(mine.address());
  ASSERT_TRUE(static_cast<bool>(peer));
  EXPECT_NE(&peer.page(), &mine.page());
  mine.page().poller_asleep = 1;
  const std::uint32_t token = mine.page().bell;
  std::thread ringer([&peer] {
    std::this_thread::sleep_for(20ms);
    ring(peer.page());
  });
  while (mine.page().bell == token) futex_wait(mine.page().bell, token, 30, true);
  ringer.join();
  EXPECT_EQ(mine.page().bell, token + 1);
}

TEST(Doorbell, rings_cost_nothing_when_nobody_sleeps) {
  Doorbell mine;
  ring(mine.page());
  ring_everyone(mine.page());
  EXPECT_EQ(mine.page().bell, 0U);
  EXPECT_EQ(mine.page().user_rings, 0U);
  mine.page().sleepers = 1;
  ring_everyone(mine.page());
  EXPECT_EQ(mine.page().user_rings, 1U);
}

TEST(Doorbell, addresses_that_are_not_of_this_node_are_empty) {
  Doorbell mine;
  PagesAddress other_host = mine.address();
  other_host.host ^= 1U;
  EXPECT_FALSE(static_cast<bool>(PeerBell(other_host)));
  PagesAddress other_page = mine.address();
  other_page.nonce ^= 2U;
  EXPECT_FALSE(static_cast<bool>(PeerBell(other_page)));
  PagesAddress no_file = mine.address();
  no_file.descriptor = 999'999;
  EXPECT_FALSE(static_cast<bool>(PeerBell(no_file)));
}

// Memory without a name goes with the last process that has it, however that ends.
TEST(Doorbell, a_killed_process_leaves_nothing_behind) {
  const Doorbell bell;
  const auto descriptor = std::to_string(bell.address().descriptor);
  const auto file = std::filesystem::read_symlink("/proc/self/fd/" + descriptor).string();
  EXPECT_EQ(file.rfind("/memfd:", 0), 0U) << file;
}

}  // namespace
}  // namespace ep::doorbell_test
