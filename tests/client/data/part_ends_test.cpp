#include "data/part_ends.hpp"

#include <gtest/gtest.h>

namespace epios::client {
namespace {

/// Three files: by two months, not split, by a day.
config::Model model() {
  config::Model out;
  out.calendar_type = config::CalendarType::gregorian;
  out.timestep = config::Duration::parse("1h");
  out.start_date = out.calendar().instant({2000, 1, 31});
  out.files.resize(3);
  out.files[0].attributes.split_freq = config::Duration::parse("2mo");
  out.files[2].attributes.split_freq = config::Duration::parse("1d");
  return out;
}

TEST(PartEnds, ComeWhenTheCalendarIsPastThem) {
  const config::Model with = model();
  PartEnds ends(with);
  const config::Calendar calendar = with.calendar();
  EXPECT_FALSE(ends.next(with.start_date));
  EXPECT_FALSE(ends.next(calendar.instant({2000, 2, 1}))) << "its data are of the part that ends";
  const auto first = ends.next(calendar.at_step(with.start_date, 25));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->file, 2);
  EXPECT_EQ(first->part, 1);
  EXPECT_FALSE(ends.next(calendar.at_step(with.start_date, 25))) << "once";
}

TEST(PartEnds, PassSeveralPartsAtOnce) {
  const config::Model with = model();
  PartEnds ends(with);
  const config::Instant later = with.calendar().instant({2000, 6, 2, 1});
  const auto first = ends.next(later);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->file, 0);
  EXPECT_EQ(first->part, 2);
  const auto second = ends.next(later);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->file, 2);
  EXPECT_EQ(second->part, 123);
  EXPECT_FALSE(ends.next(later));
}

}  // namespace
}  // namespace epios::client
