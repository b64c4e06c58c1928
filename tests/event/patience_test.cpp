#include "event/patience.hpp"

#include <gtest/gtest.h>

namespace epios::io {
namespace {

TEST(Patience, SpeaksAfterItsTimeAndThenAfterTwice) {
  Patience patience(10);
  EXPECT_FALSE(patience.look("client 1", 100));
  EXPECT_FALSE(patience.look("client 1", 109));
  EXPECT_EQ(patience.look("client 1", 112), 12);
  EXPECT_FALSE(patience.look("client 1", 123));
  EXPECT_EQ(patience.look("client 1", 124), 24);
}

TEST(Patience, BeginsAnewWhenSomethingElseIsMissing) {
  Patience patience(10);
  EXPECT_FALSE(patience.look("client 1", 0));
  EXPECT_FALSE(patience.look("client 2", 11));
  EXPECT_FALSE(patience.look("client 2", 20));
  EXPECT_EQ(patience.look("client 2", 21), 10);
}

TEST(Patience, EndsWhenThatIsAskedFor) {
  Patience patience(10, 4);
  EXPECT_EQ(patience.step_s(), 4);
  EXPECT_FALSE(patience.is_at_end());
  EXPECT_FALSE(patience.look("client 1", 100));
  EXPECT_FALSE(patience.look("client 1", 103));
  EXPECT_FALSE(patience.is_at_end());
  EXPECT_FALSE(patience.look("client 1", 104));
  EXPECT_TRUE(patience.is_at_end());
  EXPECT_FALSE(patience.look("client 2", 105));
  EXPECT_FALSE(patience.is_at_end());
  EXPECT_FALSE(patience.look("", 200));
  EXPECT_FALSE(patience.is_at_end());
}

TEST(Patience, NeverEndsUnlessAsked) {
  Patience patience(10);
  EXPECT_FALSE(patience.look("client 1", 0));
  EXPECT_TRUE(patience.look("client 1", 1e9));
  EXPECT_FALSE(patience.is_at_end());
}

TEST(Patience, WaitsForNothingWhileNothingIsMissing) {
  Patience patience(10);
  EXPECT_EQ(patience.wait_s(), 0);
  EXPECT_FALSE(patience.look("client 1", 0));
  EXPECT_EQ(patience.wait_s(), 10);
  EXPECT_FALSE(patience.look("", 50));
  EXPECT_FALSE(patience.look("", 100));
  EXPECT_EQ(patience.wait_s(), 0);
}

}  // namespace
}  // namespace epios::io
