#include "run_report.hpp"

#include <gtest/gtest.h>

namespace epios::client {
namespace {

epios_statistics cost(double in_library_s, double blocked_s, std::int64_t records) {
  epios_statistics out{};
  out.in_library_s = in_library_s;
  out.blocked_s = blocked_s;
  out.sends = 10 * records;
  out.records_sent = records;
  out.bytes_sent = 1'500'000 * records;
  return out;
}

TEST(RunReport, contexts_of_all_clients_of_a_process_are_summed) {
  RunReport report;
  report.add(cost(2, 0.5, 3));
  report.add(cost(1, 0.25, 1));
  const RunReport::Numbers numbers = report.numbers(2);
  EXPECT_EQ(numbers.clients, 2);
  EXPECT_EQ(numbers.contexts, 2);
  EXPECT_EQ(numbers.sends, 40);
  EXPECT_EQ(numbers.records, 4);
  EXPECT_EQ(numbers.bytes, 6'000'000);
  EXPECT_EQ(numbers.in_library_s, 3);
  EXPECT_EQ(numbers.blocked_s, 0.75);
}

TEST(RunReport, says_what_a_client_has_lost) {
  RunReport::Numbers sum;
  sum.clients = 4;
  sum.contexts = 8;
  sum.sends = 400;
  sum.records = 40;
  sum.bytes = 6'000'000'000;
  sum.in_library_s = 8;
  sum.blocked_s = 1;
  RunReport::Numbers most = sum;
  most.clients = 2;
  most.in_library_s = 6;
  most.blocked_s = 1;
  EXPECT_EQ(report_text("ocean", 2, 100, sum, most),
            "epios: report: component 'ocean': 100.000 s from start to end, 2 processes, 4 "
            "clients, 8 contexts ended by them\n"
            "epios: report: component 'ocean': a client was in the library for 2.000 s (2.00 %), "
            "3.000 s in the process with most\n"
            "epios: report: component 'ocean': of this it waited for room on the way to servers "
            "for 0.250 s (0.25 %), 0.500 s in the process with most\n"
            "epios: report: component 'ocean': 400 sends, 40 records, 6 GB to servers\n");
}

}  // namespace
}  // namespace epios::client
