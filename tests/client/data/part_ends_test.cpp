#include "data/part_ends.hpp"

#include <gtest/gtest.h>

#include "config/model.hpp"

namespace epios::client::part_ends_test {
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

/// A day's parts of instants every 6 hours, of which those of `offset` are due hours later.
config::Model model_with(const char* offset) {
  config::Model out;
  out.calendar_type = config::CalendarType::no_leap;
  out.timestep = config::Duration::parse("1h");
  out.start_date = out.calendar().instant({2000, 1, 1});
  out.files.resize(1);
  out.files[0].attributes.split_freq = config::Duration::parse("1d");
  out.sources.emplace_back();
  for (const char* own : {"5h", offset}) {
    config::Stream stream;
    stream.source = config::SourceId(0);
    stream.sampling = {config::Operation::instant, config::Duration::parse("6h"),
                       config::Duration::parse(own), config::Duration::parse("6h")};
    out.files[0].streams.push_back(out.streams.end_id());
    out.streams.push_back(stream);
  }
  return out;
}

TEST(PartEnds, WaitForRecordsThatAreDueLater) {
  // The last record of the first day is due at 24 + 8 - 6 + 1 = 27 hours.
  const config::Model with = model_with("8h");
  PartEnds ends(with);
  const auto at = [&](int hour) { return with.calendar().at_step(with.start_date, hour); };
  EXPECT_FALSE(ends.next(at(25)));
  EXPECT_FALSE(ends.next(at(27)));
  const auto first = ends.next(at(28));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->part, 1);
  EXPECT_FALSE(ends.next(at(28)));
  // Of a jump, the part that is late is not over.
  const auto jump = ends.next(at(3 * 24 + 2));
  ASSERT_TRUE(jump);
  EXPECT_EQ(jump->part, 2);
  EXPECT_FALSE(ends.next(at(3 * 24 + 2)));
  const auto next = ends.next(at(3 * 24 + 4));
  ASSERT_TRUE(next);
  EXPECT_EQ(next->part, 3);
}

TEST(PartEnds, OfEarlyRecordsAreThoseOfTheCalendar) {
  const config::Model with = model_with("-1h");
  PartEnds ends(with);
  const auto at = [&](int hour) { return with.calendar().at_step(with.start_date, hour); };
  EXPECT_FALSE(ends.next(at(24)));
  const auto first = ends.next(at(25));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->part, 1);
}

TEST(PartEnds, OfARunThatGoesOnAreThoseThatAreStillOpen) {
  config::Model with = model_with("8h");
  with.steps_before = 26;
  PartEnds ends(with);
  const auto at = [&](int hour) { return with.calendar().at_step(with.start_date, hour); };
  EXPECT_FALSE(ends.next(at(27)));
  const auto first = ends.next(at(28));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->part, 1);
}

}  // namespace
}  // namespace epios::client::part_ends_test
