#include "event/patience.hpp"

#include <gtest/gtest.h>

namespace epios::io::patience_test {
namespace {

TEST(Patience, ends_when_that_is_asked_for) {
  Patience patience(10, 4);
  EXPECT_EQ(patience.step_s(), 4);
  EXPECT_FALSE(patience.is_at_end());
  patience.look(1, 100);
  EXPECT_FALSE(patience.is_at_end());
  patience.look(1, 103);
  EXPECT_FALSE(patience.is_at_end());
  patience.look(1, 104);
  EXPECT_TRUE(patience.is_at_end());
  patience.look({}, 200);
  EXPECT_FALSE(patience.is_at_end());
}

TEST(Patience, begins_anew_with_each_event) {
  Patience patience(10, 4);
  patience.look(1, 0);
  patience.look(1, 5);
  EXPECT_TRUE(patience.is_at_end());
  patience.look(2, 5);
  EXPECT_FALSE(patience.is_at_end());
  patience.look(2, 8);
  EXPECT_FALSE(patience.is_at_end());
  patience.look(2, 9);
  EXPECT_TRUE(patience.is_at_end());
}

TEST(Patience, never_ends_unless_asked) {
  Patience patience(10);
  patience.look(1, 0);
  patience.look(1, 1e9);
  EXPECT_FALSE(patience.is_at_end());
}

TEST(Patience, waits_for_nothing_while_nothing_is_missing) {
  Patience patience(10);
  EXPECT_EQ(patience.wait_s(), 0);
  patience.look(1, 0);
  EXPECT_EQ(patience.wait_s(), 10);
  patience.look({}, 50);
  EXPECT_EQ(patience.wait_s(), 0);
}

}  // namespace
}  // namespace epios::io::patience_test
