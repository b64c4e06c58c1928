#include "event/stall_timeout.hpp"

#include <gtest/gtest.h>

namespace epios::io::stall_timeout_test {
namespace {

TEST(StallTimeout, ends_when_that_is_asked_for) {
  StallTimeout stall_timeout(10, 4);
  EXPECT_EQ(stall_timeout.step_s(), 4);
  EXPECT_FALSE(stall_timeout.has_expired());
  stall_timeout.look(1, 100);
  EXPECT_FALSE(stall_timeout.has_expired());
  stall_timeout.look(1, 103);
  EXPECT_FALSE(stall_timeout.has_expired());
  stall_timeout.look(1, 104);
  EXPECT_TRUE(stall_timeout.has_expired());
  stall_timeout.look({}, 200);
  EXPECT_FALSE(stall_timeout.has_expired());
}

TEST(StallTimeout, begins_anew_with_each_event) {
  StallTimeout stall_timeout(10, 4);
  stall_timeout.look(1, 0);
  stall_timeout.look(1, 5);
  EXPECT_TRUE(stall_timeout.has_expired());
  stall_timeout.look(2, 5);
  EXPECT_FALSE(stall_timeout.has_expired());
  stall_timeout.look(2, 8);
  EXPECT_FALSE(stall_timeout.has_expired());
  stall_timeout.look(2, 9);
  EXPECT_TRUE(stall_timeout.has_expired());
}

TEST(StallTimeout, never_ends_unless_asked) {
  StallTimeout stall_timeout(10);
  stall_timeout.look(1, 0);
  stall_timeout.look(1, 1e9);
  EXPECT_FALSE(stall_timeout.has_expired());
}

TEST(StallTimeout, waits_for_nothing_while_nothing_is_missing) {
  StallTimeout stall_timeout(10);
  EXPECT_EQ(stall_timeout.wait_s(), 0);
  stall_timeout.look(1, 0);
  EXPECT_EQ(stall_timeout.wait_s(), 10);
  stall_timeout.look({}, 50);
  EXPECT_EQ(stall_timeout.wait_s(), 0);
}

}  // namespace
}  // namespace epios::io::stall_timeout_test
