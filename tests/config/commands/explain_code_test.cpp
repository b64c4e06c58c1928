// Codes of findings: what the command says of them.
#include <gtest/gtest.h>

#include <set>

#include "commands/command.hpp"
#include "config/codes.hpp"

namespace epios::config::explain_code_test {
namespace {

using test::Command;
using test::Outcome;
using test::run;

TEST(Codes, each_has_a_title_and_an_explanation_of_its_own) {
  std::set<std::string_view> titles;
  for (const CodeInfo& info : all_codes()) {
    SCOPED_TRACE(text_of(info.code));
    EXPECT_FALSE(info.title.empty());
    EXPECT_TRUE(titles.insert(info.title).second) << info.title;
    EXPECT_GE(info.explanation.size(), 30U);
    EXPECT_TRUE(info.explanation.ends_with('.')) << info.explanation;
    EXPECT_EQ(code_named(text_of(info.code)), info.code);
    EXPECT_EQ(&info_of(info.code), &info);
  }
  EXPECT_EQ(text_of(Code::none), "");
  EXPECT_TRUE(info_of(Code::none).title.empty());
}

TEST(Codes, are_read_as_people_write_them) {
  EXPECT_EQ(text_of(Code::refers_to_nothing), "E0301");
  for (const char* text : {"E0301", "e0301", "0301", "301", "E301"}) {
    EXPECT_EQ(code_named(text), Code::refers_to_nothing) << text;
  }
  for (const char* text : {"", "E", "E0000", "E9999", "E03O1", "301x", "-301"}) {
    EXPECT_EQ(code_named(text), std::nullopt) << text;
  }
}

TEST_F(Command, explains_a_code) {
  const Outcome one = run("explain-code e0301");
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_TRUE(one.text.starts_with("E0301: a reference leads to nothing\n\nNo element has the id"))
      << one.text;
  std::size_t line = 0;
  for (const char c : one.text) {
    line = c == '\n' ? 0 : line + 1;
    EXPECT_LE(line, 100U) << one.text;
  }
  const Outcome list = run("explain-code");
  EXPECT_NE(list.text.find("\nE0302  a reference leads in a circle\n"), std::string::npos);
  const Outcome page = run("explain-code --page");
  EXPECT_TRUE(page.text.starts_with(
      "# Codes of findings\n\nPrinted by `epios explain-code --page`. What `epios check` and a run "
      "say "
      "ends in a code; it stays the same in all versions, while sentences may change.\n\n"
      "| code | what it means |\n| --- | --- |\n"))
      << page.text;
  EXPECT_NE(page.text.find("| E0301 | **a reference leads to nothing** No element has"),
            std::string::npos);
}

TEST_F(Command, says_that_there_is_no_such_code) {
  const Outcome near = run("explain-code EO301");
  EXPECT_EQ(near.exit_code, 2);
  EXPECT_EQ(near.text, "epios: there is no code 'EO301'. Did you mean 'E0301'?\n");
  EXPECT_EQ(run("explain-code nonsense").text,
            "epios: there is no code 'nonsense'. epios explain-code lists all.\n");
  const Outcome colour = run("explain-code '\x1b[31mred'");
  EXPECT_EQ(colour.text.find('\x1b'), std::string::npos) << colour.text;
}

}  // namespace
}  // namespace epios::config::explain_code_test
