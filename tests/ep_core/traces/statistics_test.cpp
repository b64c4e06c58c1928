#include "traces/statistics.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ep {
namespace {

Totals sample() {
  Totals one;
  one.endpoints = 2;
  one.messages = 10;
  one.message_bytes = 1234567;
  one.collectives = 4;
  one.collective_bytes = 64;
  one.waited_s = 1.5;
  one.waited_for_s = {{"rank 3", 0.75},
                      {"rank 1", 0.25},
                      {"rank 2", 0.125},
                      {"rank 9", 0.0625},
                      {"rank 8", 0.03125}};
  one.algorithms = {{"EP_Bcast binomial", 3}, {"EP_Bcast pipelined", 1}, {"EP_Reduce halving", 2}};
  return one;
}

TEST(Statistics, are_a_table_of_who_waits_for_whom) {
  Statistics all;
  all.add("ocean", 4, sample());
  all.add("ocean", 4, sample());
  all.add("", 2, [] {
    Totals one;
    one.endpoints = 6;
    one.messages = 1;
    return one;
  }());
  all.add("quiet", 8, Totals());
  const std::string text = all.table("2 processes");
  EXPECT_NE(text.find("[ep statistics] 2 processes; seconds and bytes are sums"),
            std::string::npos);
  EXPECT_NE(
      text.find(
          "ocean                         4      1        20   2.5 MB           8    128 B     "
          "3.000  rank 3 1.500, rank 1 0.500, rank 2 0.250, rank 9 0.125, others 0.625\n"),
      std::string::npos)
      << text;
  EXPECT_NE(
      text.find("  between processes by EP_Bcast: binomial 6, pipelined 2; EP_Reduce: halving 4\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("(unnamed)                     2      3         1"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("quiet"), std::string::npos);
  EXPECT_LT(text.find("ocean"), text.find("(unnamed)"));
}

TEST(Statistics, come_through_a_message_as_they_were) {
  Statistics all;
  all.add("ocean", 4, sample());
  all.add("with \"words\"\n", 1, sample());
  const Statistics read = Statistics::read(all.write());
  EXPECT_EQ(read.table("x"), all.table("x"));
  EXPECT_EQ(Statistics::read(Statistics().write()).table("x"), Statistics().table("x"));
}

TEST(Statistics, write_bytes_for_readers) {
  EXPECT_EQ(readable_bytes(0), "0 B");
  EXPECT_EQ(readable_bytes(999), "999 B");
  EXPECT_EQ(readable_bytes(1000), "1.0 kB");
  EXPECT_EQ(readable_bytes(123456), "123 kB");
  EXPECT_EQ(readable_bytes(999600), "1.0 MB");
  EXPECT_EQ(readable_bytes(7200000000), "7.2 GB");
}

}  // namespace
}  // namespace ep
