#include "time/multiples.hpp"

#include <gtest/gtest.h>

namespace epios::config::multiples_test {
namespace {

bool is_multiple_of(const char* period, const char* unit) {
  const Calendar calendar(CalendarType::no_leap, {});
  return is_multiple(calendar, calendar.instant({2000, 1, 1}), Duration::parse(period),
                     Duration::parse(unit));
}

// Would have found that more than 500,000 steps were always a whole number of them.
TEST(Multiples, of_many_steps_are_exact) {
  EXPECT_FALSE(is_multiple_of("1y", "7s")) << "4,505,142 and a fraction";
  EXPECT_FALSE(is_multiple_of("1mo", "0.7s"));
  EXPECT_FALSE(is_multiple_of("365d", "0.013s"));
  EXPECT_TRUE(is_multiple_of("1y", "0.1s")) << "315,360,000";
  EXPECT_TRUE(is_multiple_of("10y", "0.001s"));
  EXPECT_TRUE(is_multiple_of("1000y", "1h"));
}

TEST(Multiples, of_steps_that_decimals_do_not_hold_are_whole_in_milliseconds) {
  EXPECT_TRUE(is_multiple_of("1s", "0.333333333333s"));
  EXPECT_TRUE(is_multiple_of("1y", "0.333333333333s"));
  EXPECT_FALSE(is_multiple_of("1s", "0.333s"));
  EXPECT_TRUE(is_multiple_of("0s", "1h"));
  EXPECT_FALSE(is_multiple_of("0.0004s", "1s"));
}

}  // namespace
}  // namespace epios::config::multiples_test
