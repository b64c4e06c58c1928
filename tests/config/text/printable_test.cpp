#include "text/printable.hpp"

#include <gtest/gtest.h>

#include <string>

namespace epios::config::printable_test {
namespace {

TEST(Printable, shows_what_a_terminal_would_obey) {
  EXPECT_EQ(printable("plain text, \xc3\xa9\xe2\x82\xac"), "plain text, \xc3\xa9\xe2\x82\xac");
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(printable("a\nb\tc\rd\x7f"), "a\\x0ab\\x09c\\x0dd\\x7f");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m")
      << "the control sequence of one character";
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "right to left"),
            "\\xe2\\x80\\xaeright to left");
  EXPECT_EQ(printable("\xe2\x81\xa6x\xe2\x80\x8f"), "\\xe2\\x81\\xa6x\\xe2\\x80\\x8f");
  EXPECT_EQ(printable("latin \xe9t\xe9"), "latin \\xe9t\\xe9");
  EXPECT_EQ(printable("cut \xe2\x82"), "cut \\xe2\\x82");
}

TEST(Shortened, leaves_out_the_middle_of_long_quotes) {
  const std::string quote(200, 'x');
  EXPECT_EQ(shortened("value '" + quote + "' of 'y'"),
            "value '" + std::string(52, 'x') + "..." + std::string(28, 'x') + "' of 'y'");
  const std::string fits(80, 'x');
  EXPECT_EQ(shortened("value '" + fits + "'"), "value '" + fits + "'");
  EXPECT_EQ(shortened("an apostrophe isn't a quote"), "an apostrophe isn't a quote");
}

/// A restart file that is missing in a long folder: its path was cut to 80 characters.
TEST(Shortened, paths_are_whole) {
  const std::string text =
      "file '/scratch/" + std::string(200, 'x') + "/restart.nc' cannot be read";
  EXPECT_EQ(shortened(text), text);
  const std::string endless = "file '/" + std::string(5000, 'x') + "' cannot be read";
  EXPECT_LT(shortened(endless).size(), 450U);
}

TEST(Shortened, long_text_has_an_end_whatever_it_holds) {
  EXPECT_LE(shortened(std::string(100000, 'x')).size(), 1100U);
  std::string quotes;
  for (int i = 0; i < 1000; ++i) quotes += "'" + std::to_string(i) + "' ";
  EXPECT_LE(shortened(quotes).size(), 1100U);
  EXPECT_LE(shortened(std::string(5000, '\x1b')).size(), 1100U);
}

TEST(Shortened, characters_stay_whole) {
  std::string quote;
  for (int i = 0; i < 100; ++i) quote += "\xe2\x82\xac";
  for (std::size_t shift = 0; shift < 3; ++shift) {
    const std::string text = shortened("'" + std::string(shift, 'a') + quote + "'");
    EXPECT_EQ(text, printable(text)) << "nothing was cut within a character";
    EXPECT_LT(text.size(), 100U);
  }
}

TEST(Wrapped, breaks_at_spaces) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("aaaaaaaaaa bb", 4), "aaaaaaaaaa\nbb");
  EXPECT_EQ(wrapped("", 4), "");
}

}  // namespace
}  // namespace epios::config::printable_test
