#include "progress/backoff.hpp"

#include <gtest/gtest.h>

namespace ep::backoff_test {
namespace {

using namespace std::chrono_literals;

const Backoff::Clock::time_point start{};

TEST(Backoff, doubles_while_nothing_moves_and_starts_anew_with_an_event) {
  Backoff backoff(start);
  EXPECT_DOUBLE_EQ(backoff.next_s(false, false, start), 100e-6);
  EXPECT_DOUBLE_EQ(backoff.next_s(false, false, start), 200e-6);
  for (int i = 0; i < 10; ++i) backoff.next_s(false, false, start);
  EXPECT_DOUBLE_EQ(backoff.next_s(false, false, start), 1e-3);
  EXPECT_DOUBLE_EQ(backoff.next_s(true, false, start), 50e-6);
  EXPECT_DOUBLE_EQ(backoff.next_s(false, false, start), 100e-6);
}

// Would have found that a record between nodes by TCP stood still for up to 1 ms at a time, since
// its receiver slept longer and longer while MPI had nothing to tell of it.
TEST(Backoff, stays_short_as_long_as_a_record_takes_between_nodes) {
  Backoff backoff(start);
  EXPECT_DOUBLE_EQ(backoff.next_s(false, true, start), 50e-6);
  EXPECT_DOUBLE_EQ(backoff.next_s(false, true, start + 19ms), 50e-6);
  EXPECT_DOUBLE_EQ(backoff.next_s(true, true, start + 19ms), 50e-6);
  EXPECT_DOUBLE_EQ(backoff.next_s(false, true, start + 38ms), 50e-6);
  EXPECT_DOUBLE_EQ(backoff.next_s(false, true, start + 39ms), 100e-6) << "the peer may be slow";
}

}  // namespace
}  // namespace ep::backoff_test
