#include "config/plan.hpp"

#include <gtest/gtest.h>

#include "config/error.hpp"
#include "sample.hpp"

namespace epios::config {
namespace {

const PlannedFile& file(const Plan& plan, const std::string& id) {
  for (const PlannedFile& file : plan.files) {
    if (file.id == id) return file;
  }
  throw std::out_of_range(id);
}

TEST(Plan, counts_records_and_bytes) {
  const Model model = test::model(test::sample_xml);
  const Plan year = plan(model, Duration::parse("1y"));
  EXPECT_EQ(year.steps, 365 * 24);
  EXPECT_EQ(year.days, 365);
  const PlannedFile& daily = file(year, "daily");
  EXPECT_EQ(daily.records, 365);
  ASSERT_EQ(daily.fields.size(), 3U);
  EXPECT_EQ(daily.fields[0].name, "tos");
  EXPECT_EQ(daily.fields[0].record_bytes, 8 * 4 * 8);
  EXPECT_EQ(daily.fields[2].name, "temp");
  EXPECT_EQ(daily.fields[2].record_bytes, 8 * 4 * 3 * 8);
  ASSERT_EQ(daily.parts.size(), 1U);
  EXPECT_EQ(daily.parts[0].path, "out/daily.nc");
  const Calendar calendar = model.calendar();
  EXPECT_EQ(calendar.text(daily.parts[0].first), "2001-01-02 00:00:00");
  EXPECT_EQ(calendar.text(daily.parts[0].last), "2002-01-01 00:00:00");
  // Two coordinates of time, each with bounds: time_counter and time_centered.
  EXPECT_EQ(daily.bytes, 365 * (256 + 256 + 768 + 48));
  const PlannedFile& monthly = file(year, "monthly");
  EXPECT_EQ(monthly.records, 12);
  EXPECT_EQ(monthly.bytes, 12 * (8 + 48));
  EXPECT_EQ(year.bytes, daily.bytes + monthly.bytes);
  EXPECT_EQ(year.files.size(), 2U);
}

TEST(Plan, of_a_short_run_has_no_record) {
  const Plan hours = plan(test::model(test::sample_xml), Duration::parse("23h"));
  EXPECT_EQ(hours.steps, 23);
  EXPECT_EQ(file(hours, "daily").records, 0);
  EXPECT_TRUE(file(hours, "daily").parts.empty());
  EXPECT_EQ(hours.bytes, 0);
  EXPECT_EQ(plan(test::model(test::sample_xml), {}).steps, 0);
  EXPECT_THROW(plan(test::model(test::sample_xml), Duration::parse("-1h")), Error);
}

}  // namespace
}  // namespace epios::config
