#include "progress/engine.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace ep::engine_test {
namespace {

/// Takes some steps.
class Walk final : public Driven {
 public:
  explicit Walk(int steps) : left_(steps) {}

  bool advance() override {
    EXPECT_GT(pins_, 0) << "driven without a pin";
    if (left_ == 0) return false;
    --left_;
    return true;
  }
  bool is_over() const noexcept override { return left_ == 0; }
  void pin() noexcept override { ++pins_; }
  void unpin() noexcept override { --pins_; }

  int pins() const { return pins_; }

 private:
  int left_;
  std::atomic<int> pins_{0};
};

TEST(Engine, drives_what_is_watched_until_it_is_over_and_gives_its_pin_back) {
  Engine engine;
  Walk short_walk(1);
  Walk long_walk(3);
  for (Walk* const walk : {&long_walk, &short_walk}) {
    walk->pin();  // the engine's
    engine.watch(*walk);
  }
  engine.progress();
  EXPECT_EQ(engine.events(), 2U);
  EXPECT_TRUE(short_walk.is_over());
  EXPECT_EQ(short_walk.pins(), 0);
  EXPECT_FALSE(long_walk.is_over());
  EXPECT_EQ(long_walk.pins(), 1);
  engine.progress_for_sure();
  EXPECT_TRUE(long_walk.is_over());
  EXPECT_EQ(long_walk.pins(), 0);
  EXPECT_EQ(engine.events(), 4U) << "what is over moves no more";
}

}  // namespace
}  // namespace ep::engine_test
