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
