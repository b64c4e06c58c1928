#include "data/record_gaps.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace epios::client::record_gaps_test {
namespace {

/// A file with two fields that have dates and one that is written once, and another file.
config::Model model(std::int64_t first_record = 0) {
  config::Model out;
  for (int file = 0; file < 2; ++file) {
    config::File& added = out.files.emplace_back();
    added.first_record = first_record;
    for (int field = 0; field < 3; ++field) {
      added.streams.push_back(out.streams.end_id());
      config::Stream& stream = out.streams.emplace_back();
      stream.file = config::FileId(file);
      if (field == 2) stream.sampling.operation = config::Operation::once;
    }
  }
  return out;
}

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

io::OpenRecords nothing_open(int /*stream*/) { return {{}, never}; }

TEST(RecordGaps, AreWhatNoFieldHasSent) {
  RecordGaps gaps(model());
  EXPECT_TRUE(gaps.before(0, 0, nothing_open).empty());
  EXPECT_TRUE(gaps.before(1, 0, nothing_open).empty());
  const auto found = gaps.before(1, 5, nothing_open);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].file, 0);
  EXPECT_EQ(found[0].begin, 1);
  EXPECT_EQ(found[0].end, 5);
  EXPECT_TRUE(gaps.before(0, 5, nothing_open).empty()) << "it is known already";
  EXPECT_TRUE(gaps.before(0, 6, nothing_open).empty());
  EXPECT_EQ(gaps.records(0), 3);
  EXPECT_EQ(gaps.records(1), 0);
  EXPECT_EQ(gaps.before(3, 2, nothing_open).size(), 1U) << "files have their own";
}

TEST(RecordGaps, KeepThePlaceOfWhatMayStillCome) {
  RecordGaps gaps(model());
  const auto open = [](int stream) -> io::OpenRecords {
    return stream == 1 ? io::OpenRecords{{4, 2, 12, 2}, 6} : io::OpenRecords{{}, never};
  };
  const auto found = gaps.before(0, 8, open);  // 2, 4, 6 and 7 have their places
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].begin, 0);
  EXPECT_EQ(found[0].end, 2);
  EXPECT_EQ(found[1].begin, 3);
  EXPECT_EQ(found[1].end, 4);
  EXPECT_EQ(found[2].begin, 5);
  EXPECT_EQ(found[2].end, 6);
  EXPECT_EQ(gaps.records(0), 5);
  EXPECT_TRUE(gaps.before(1, 4, nothing_open).empty()) << "it has its place";
  EXPECT_TRUE(gaps.before(1, 10, [](int) { return io::OpenRecords{{}, 3}; }).empty());
  EXPECT_EQ(gaps.records(0), 7) << "what is decided stays";
}

TEST(RecordGaps, BeginWhereTheRunBegins) {
  RecordGaps gaps(model(10));
  EXPECT_FALSE(gaps.may_come_before(0, 10));
  EXPECT_TRUE(gaps.may_come_before(0, 11));
  EXPECT_TRUE(gaps.before(0, 10, nothing_open).empty());
  EXPECT_FALSE(gaps.may_come_before(0, 11));
}

TEST(RecordGaps, TakeNoNoticeOfWhatIsWrittenOnce) {
  RecordGaps gaps(model());
  EXPECT_TRUE(gaps.before(2, 0, nothing_open).empty());
  EXPECT_FALSE(gaps.may_come_before(2, 0));
  EXPECT_EQ(gaps.records(0), 0);
}

}  // namespace
}  // namespace epios::client::record_gaps_test
