#include "process/parts.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ep::parts_test {
namespace {

std::atomic<int> made{0};
std::atomic<int> living{0};

struct Furniture final : Part {
  static constexpr Room room = Room::windows;
  explicit Furniture(int count = 4) : legs(count) {
    ++made;
    ++living;
  }
  Furniture(const Furniture&) = delete;
  Furniture(Furniture&&) = delete;
  Furniture& operator=(const Furniture&) = delete;
  Furniture& operator=(Furniture&&) = delete;
  ~Furniture() override { --living; }
  int legs;
};

struct Lamp final : Part {
  static constexpr Room room = Room::files;
  bool is_lit = false;
};

TEST(Parts, a_part_is_made_when_it_is_asked_for_and_goes_with_its_object) {
  made = 0;
  {
    Parts parts;
    EXPECT_EQ(parts.find<Furniture>(), nullptr);
    EXPECT_EQ(made, 0);
    Furniture& first = parts.get<Furniture>(3);
    EXPECT_EQ(first.legs, 3);
    EXPECT_EQ(&parts.get<Furniture>(5), &first);
    EXPECT_EQ(parts.find<Furniture>(), &first);
    EXPECT_EQ(first.legs, 3) << "made once";
    EXPECT_EQ(parts.find<Lamp>(), nullptr) << "rooms have places of their own";
    parts.get<Lamp>().is_lit = true;
    EXPECT_TRUE(parts.find<Lamp>()->is_lit);
    EXPECT_EQ(living, 1);
  }
  EXPECT_EQ(made, 1);
  EXPECT_EQ(living, 0);
}

TEST(Parts, threads_that_ask_at_once_get_the_same_part) {
  for (int round = 0; round < 200; ++round) {
    made = 0;
    Parts parts;
    std::atomic<int> waiting{3};
    std::vector<Furniture*> seen(3, nullptr);
    std::vector<std::thread> threads;
    for (auto& place : seen) {
      threads.emplace_back([&] {
        --waiting;
        while (waiting > 0) std::this_thread::yield();
        place = &parts.get<Furniture>();
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
}  // namespace ep::parts_test
