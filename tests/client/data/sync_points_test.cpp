#include "data/sync_points.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "config/model.hpp"

namespace epios::client::sync_points_test {
namespace {

/// Two files with two fields each, a record every two hours.
config::Model model(std::string_view sync_freq) {
  config::Model out;
  out.calendar_type = config::CalendarType::no_leap;
  out.timestep = config::Duration::parse("1h");
  out.start_date = out.calendar().instant({2000, 1, 1});
  for (int file = 0; file < 2; ++file) {
    config::File& added = out.files.emplace_back();
    if (!sync_freq.empty()) added.attributes.sync_freq = config::Duration::parse(sync_freq);
    for (int field = 0; field < 2; ++field) {
      added.streams.push_back(out.streams.end_id());
      config::Stream& stream = out.streams.emplace_back();
      stream.file = config::FileId(file);
      stream.sampling.output_freq = config::Duration::parse("2h");
      stream.sampling.freq_op = config::Duration::parse("1h");
    }
  }
  return out;
}

/// Records of the first file at each of its sync points when both fields are sent in turn.
std::vector<std::int64_t> sync_points(std::string_view sync_freq, std::int64_t records) {
  const config::Model with = model(sync_freq);
  SyncPoints points(with);
  std::vector<std::int64_t> out;
  for (std::int64_t record = 0; record < records; ++record) {
    if (const auto sync = points.before(0, record)) {
      EXPECT_EQ(sync->file, 0);
      out.push_back(sync->records);
    }
    EXPECT_FALSE(points.before(1, record)) << "not between the fields of a record";
  }
  return out;
}

TEST(SyncPoints, LieBehindTheRecordsOfEachPeriod) {
  EXPECT_EQ(sync_points("4h", 8), (std::vector<std::int64_t>{2, 4, 6}));
  EXPECT_EQ(sync_points("5h", 8), (std::vector<std::int64_t>{3, 5}));
}

TEST(SyncPoints, AreNotMoreThanRecords) {
  EXPECT_EQ(sync_points("30mi", 4), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(SyncPoints, NeedSyncFreq) { EXPECT_TRUE(sync_points("", 8).empty()); }

TEST(SyncPoints, BelongToOneFile) {
  const config::Model with = model("2h");
  SyncPoints points(with);
  EXPECT_FALSE(points.before(0, 0));
  EXPECT_FALSE(points.before(2, 0));
  const auto first = points.before(1, 1);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->file, 0);
  const auto second = points.before(3, 1);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->file, 1);
}

TEST(SyncPoints, DoNotWaitForAFieldThatIsNotSent) {
  const config::Model with = model("2h");
  SyncPoints points(with);
  EXPECT_FALSE(points.before(1, 0));
  EXPECT_TRUE(points.before(1, 1));
}

}  // namespace
}  // namespace epios::client::sync_points_test
