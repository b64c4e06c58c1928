#include "data/record_gaps.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace epios::client {
namespace {

/// A file with two fields that have dates and one that is written once, and another file.
config::Model model(std::int64_t first_record = 0) {
  config::Model out;
  for (int file = 0; file < 2; ++file) {
    config::File& added = out.files.emplace_back();
    added.first_record = first_record;
    for (int field = 0; field < 3; ++field) {
      added.streams.push_back(static_cast<int>(out.streams.size()));
      config::Stream& stream = out.streams.emplace_back();
      stream.file = file;
      if (field == 2) stream.sampling.operation = config::Operation::once;
    }
  }
  return out;
}

std::int64_t nothing_open(int /*stream*/) { return std::numeric_limits<std::int64_t>::max(); }

TEST(RecordGaps, AreWhatNoFieldHasSent) {
  RecordGaps gaps(model());
  EXPECT_FALSE(gaps.before(0, 0, nothing_open));
  EXPECT_FALSE(gaps.before(1, 0, nothing_open));
  const auto gap = gaps.before(1, 5, nothing_open);
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->file, 0);
  EXPECT_EQ(gap->begin, 1);
  EXPECT_EQ(gap->end, 5);
  EXPECT_FALSE(gaps.before(0, 5, nothing_open)) << "it is known already";
  EXPECT_FALSE(gaps.before(0, 6, nothing_open));
  EXPECT_EQ(gaps.records(0), 3);
  EXPECT_EQ(gaps.records(1), 0);
  ASSERT_TRUE(gaps.before(3, 2, nothing_open)) << "files have their own";
}

TEST(RecordGaps, KeepThePlaceOfWhatMayStillCome) {
  RecordGaps gaps(model());
  const auto open = [](int stream) -> std::int64_t { return stream == 1 ? 4 : 9; };
  const auto gap = gaps.before(0, 7, open);
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->begin, 0);
  EXPECT_EQ(gap->end, 4);
  EXPECT_FALSE(gaps.before(1, 4, nothing_open)) << "it has its place";
  EXPECT_EQ(gaps.records(0), 4);
  EXPECT_FALSE(gaps.before(1, 9, [](int) -> std::int64_t { return 3; }));
  EXPECT_EQ(gaps.records(0), 6) << "what is decided stays";
}

TEST(RecordGaps, BeginWhereTheRunBegins) {
  RecordGaps gaps(model(10));
  EXPECT_FALSE(gaps.may_come_before(0, 10));
  EXPECT_TRUE(gaps.may_come_before(0, 11));
  EXPECT_FALSE(gaps.before(0, 10, nothing_open));
  EXPECT_FALSE(gaps.may_come_before(0, 11));
}

TEST(RecordGaps, TakeNoNoticeOfWhatIsWrittenOnce) {
  RecordGaps gaps(model());
  EXPECT_FALSE(gaps.before(2, 0, nothing_open));
  EXPECT_FALSE(gaps.may_come_before(2, 0));
  EXPECT_EQ(gaps.records(0), 0);
}

}  // namespace
}  // namespace epios::client
