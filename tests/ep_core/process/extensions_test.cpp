#include "process/extensions.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ep::extensions_test {
namespace {

std::atomic<int> made{0};
std::atomic<int> living{0};

struct WindowState final : Extension {
  static constexpr Room room = Room::windows;
  explicit WindowState(int value = 4) : count(value) {
    ++made;
    ++living;
  }
  WindowState(const WindowState&) = delete;
  WindowState(WindowState&&) = delete;
  WindowState& operator=(const WindowState&) = delete;
  WindowState& operator=(WindowState&&) = delete;
  ~WindowState() override { --living; }
  int count;
};

struct FileState final : Extension {
  static constexpr Room room = Room::files;
  bool is_open = false;
};

TEST(Extensions, are_made_at_first_use_and_destroyed_with_their_object) {
  made = 0;
  {
    Extensions extensions;
    EXPECT_EQ(extensions.find<WindowState>(), nullptr);
    EXPECT_EQ(made, 0);
    WindowState& first = extensions.get<WindowState>(3);
    EXPECT_EQ(first.count, 3);
    EXPECT_EQ(&extensions.get<WindowState>(5), &first);
    EXPECT_EQ(extensions.find<WindowState>(), &first);
    EXPECT_EQ(first.count, 3) << "made once";
    EXPECT_EQ(extensions.find<FileState>(), nullptr) << "each room has an entry of its own";
    extensions.get<FileState>().is_open = true;
    EXPECT_TRUE(extensions.find<FileState>()->is_open);
    EXPECT_EQ(living, 1);
  }
  EXPECT_EQ(made, 1);
  EXPECT_EQ(living, 0);
}

TEST(Extensions, threads_that_ask_at_once_get_the_same_one) {
  for (int round = 0; round < 200; ++round) {
    made = 0;
    Extensions extensions;
    std::atomic<int> waiting{3};
    std::vector<WindowState*> seen(3, nullptr);
    std::vector<std::thread> threads;
    for (auto& place : seen) {
      threads.emplace_back([&] {
        --waiting;
        while (waiting > 0) std::this_thread::yield();
        place = &extensions.get<WindowState>();
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(made, 1);
    EXPECT_NE(seen[0], nullptr);
    EXPECT_EQ(seen[0], seen[1]);
    EXPECT_EQ(seen[0], seen[2]);
  }
}

}  // namespace
}  // namespace ep::extensions_test
