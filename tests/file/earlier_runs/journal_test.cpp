#include "earlier_runs/journal.hpp"

#include <gtest/gtest.h>

#include <string>

namespace epios::io::journal_test {
namespace {

std::string problem(const std::string& lines) {
  const Journal journal = parse_journal("epios records 1\n" + lines);
  EXPECT_EQ(journal.problem.empty(), journal.suggestion.empty());
  return journal.problem;
}

TEST(Journal, says_how_many_records_of_each_variable_are_durable) {
  const Journal journal = parse_journal("epios records 1\n3 tos\n0 name with blanks\n7 last");
  EXPECT_EQ(journal.problem, "");
  EXPECT_EQ(journal.records, (std::map<std::string, std::int64_t>{
                                 {"tos", 3}, {"name with blanks", 0}, {"last", 7}}));
  EXPECT_TRUE(parse_journal("epios records 1\n").records.empty());
}

TEST(Journal, of_another_kind_is_refused) {
  for (const char* text : {"", "\n", "epios records 2\n3 tos\n", "epios records 1 \n3 tos\n"}) {
    EXPECT_EQ(parse_journal(text).problem, "is of another kind") << text;
  }
}

TEST(Journal, lines_that_say_nothing_are_refused) {
  EXPECT_EQ(problem("999999999999999999 a\n"), "");
  EXPECT_EQ(problem("x temp\n"), "has the line 'x temp'");
  for (const char* line : {"3", "3tos", " tos", "-1 tos", "+1 tos", "0x1 tos", "1e3 tos",
                           "1000000000000000000 tos", "", "99999999999999999999999999 tos"}) {
    EXPECT_EQ(problem("2 sos\n" + std::string(line) + "\n"),
              "has the line '" + std::string(line) + "'");
  }
}

// Which of two numbers counts nobody can say.
TEST(Journal, a_variable_twice_is_refused) {
  EXPECT_EQ(problem("3 tos\n2 sos\n4 tos\n"), "has the line '4 tos'");
}

}  // namespace
}  // namespace epios::io::journal_test
