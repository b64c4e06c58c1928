#include "traces/statistics.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ep::statistics_test {
namespace {

Totals sample() {
  Totals one;
  one.communicators = 1;
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
    one.communicators = 3;
    one.messages = 1;
    return one;
  }());
  all.add("quiet", 8, Totals());
  const std::string text = all.table("2 processes");
  EXPECT_NE(text.find("[ep statistics] 2 processes; seconds and bytes are sums"),
            std::string::npos);
  EXPECT_NE(
      text.find(
          "ocean                         4      2        20   2.5 MB           8    128 B     "
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

TEST(Statistics, count_communicators_also_where_endpoints_were_quiet) {
  Statistics all;
  for (int made = 0; made < 10; ++made) {
    Totals first;  // of rank 0
    first.communicators = 1;
    all.add("halo", 4, first);
    Totals other;
    other.messages = made == 0 ? 1 : 0;
    for (int rank = 1; rank < 4; ++rank) all.add("halo", 4, other);
  }
  EXPECT_NE(all.table("x").find("halo                          4     10         3"),
            std::string::npos)
      << all.table("x");
}

TEST(Statistics, know_so_many_who_were_waited_for) {
  Totals one;
  for (int i = 0; i < 10000; ++i) one.add_wait(0.5, {"rank " + std::to_string(i), "rank 0"});
  EXPECT_EQ(one.waited_for_s.size(), Totals::most_known);
  EXPECT_DOUBLE_EQ(one.waited_s, 5000);
  EXPECT_DOUBLE_EQ(one.waited_for_s.at("rank 0"), 2500.25);
  EXPECT_DOUBLE_EQ(one.waited_for_s.at("rank 7"), 0.25);
  Totals more;
  for (int i = 20000; i < 20010; ++i) more.add_wait(1, {"rank " + std::to_string(i)});
  one.add(more);
  EXPECT_EQ(one.waited_for_s.size(), Totals::most_known);
  EXPECT_DOUBLE_EQ(one.waited_s, 5010);
}

TEST(Statistics, keep_seconds_behind_long_names) {
  const std::string name(400, 'x');
  Totals one;
  one.add_wait(0.75, {name});
  Statistics all;
  all.add(name, 4, one);
  EXPECT_NE(all.table("x").find(name + " 0.750\n"), std::string::npos) << all.table("x");
  EXPECT_NE(all.table("x").find("0.750  x"), std::string::npos) << all.table("x");
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
}  // namespace ep::statistics_test
