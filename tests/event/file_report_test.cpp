#include "event/file_report.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace epios::io::file_report_test {
namespace {

RecordSet records(std::int64_t begin, std::int64_t end) { return RecordSet({{begin, end}}); }

RecordSet from_bits(unsigned bits) {
  RecordSet out;
  for (int record = 0; record < 6; ++record) {
    if ((bits >> record & 1U) != 0) out.add(record);
  }
  return out;
}

TEST(RecordSet, RecordsInOrderAreOneRun) {
  RecordSet set;
  for (int record = 3; record < 1000; ++record) set.add(record);
  EXPECT_EQ(set.runs(), (std::vector<RecordSet::Run>{{3, 1000}}));
  EXPECT_EQ(set.size(), 997);
}

TEST(RecordSet, RecordsInAnyOrderCountOnce) {
  RecordSet set;
  for (const int record : {5, 3, 4, 4, 9, 0}) set.add(record);
  EXPECT_EQ(set.runs(), (std::vector<RecordSet::Run>{{0, 1}, {3, 6}, {9, 10}}));
  EXPECT_EQ(set.size(), 5);
}

TEST(RecordSet, UniteAndSubtractAreThoseOfSets) {
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = 0; b < 64; ++b) {
      EXPECT_EQ(unite(from_bits(a), from_bits(b)), from_bits(a | b)) << a << " " << b;
      EXPECT_EQ(subtract(from_bits(a), from_bits(b)), from_bits(a & ~b)) << a << " " << b;
    }
  }
}

TEST(FileReport, SumsUpItsFields) {
  const FileReport report = {
      "a.nc", 0, "full", {{"tos", records(0, 4), records(4, 6)}, {"sos", records(0, 6), {}}}};
  EXPECT_EQ(report.records_written(), 10);
  EXPECT_EQ(report.records_lost(), 2);
  EXPECT_EQ(losses_text(report), "tos 2");
  EXPECT_EQ(losses_text(FileReport{}), "");
}

TEST(Merge, ARecordThatTwoServersLostIsLostOnce) {
  FileReport report = {"a.nc", 0, "full", {{"tos", records(0, 4), records(4, 7)}}};
  merge(report, {"a.nc", 0, "also full", {{"tos", records(0, 5), records(5, 7)}}});
  EXPECT_EQ(report.records_written(), 4);
  EXPECT_EQ(report.records_lost(), 3);
  EXPECT_EQ(report.error, "full");
}

TEST(Merge, WhatOneServerNeverHadIsLost) {
  FileReport report = {"a.nc", 0, "", {{"tos", records(0, 4), {}}}};
  merge(report, {"a.nc", 0, "gave up", {{"tos", records(0, 6), {}}}});
  EXPECT_EQ(report.records_written(), 4);
  EXPECT_EQ(report.records_lost(), 2);
  EXPECT_EQ(report.error, "gave up");
}

TEST(Merge, FieldsOfOneServerAloneAreTaken) {
  FileReport report = {"a.nc", 4096, "", {{"tos", records(0, 4), {}}}};
  merge(report, {"a.nc", 0, "", {{"sos", records(0, 4), {}}, {"tos", records(0, 4), {}}}});
  EXPECT_EQ(report.records_written(), 8);
  EXPECT_EQ(report.records_lost(), 0);
  EXPECT_EQ(report.bytes, 4096);
}

TEST(Merge, TheWriterWithMostSecondsCounts) {
  FileReport report = {"a.nc", 0, "", {}, 2};
  merge(report, {"a.nc", 0, "", {}, 3});
  merge(report, {"a.nc", 0, "", {}, 1});
  EXPECT_EQ(report.writing_s, 3);
}

TEST(Merge, InfiniteValuesOfAStreamAddUpFromTheFirstRecordOn) {
  std::vector<InfiniteValues> all = {{3, 10, 5}};
  merge(all, {{1, 2, 0}, {3, 4, 2}});
  merge(all, {{3, 1, 9}});
  EXPECT_EQ(all, (std::vector<InfiniteValues>{{3, 15, 2}, {1, 2, 0}}));
}

}  // namespace
}  // namespace epios::io::file_report_test
