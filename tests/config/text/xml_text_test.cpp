#include <gtest/gtest.h>

#include "config/document.hpp"
#include "sample.hpp"

namespace epios::config::xml_text_test {
namespace {

std::string refusal(const SourceTexts& sources) {
  try {
    const Document document(sources);
  } catch (const ConfigError& error) {
    return test::without_codes(error.what());
  }
  return "no error";
}

std::string refusal(const std::string& xml) { return refusal(test::texts(xml)); }

TEST(XmlText, knows_where_each_attribute_stands) {
  const Document document(
      test::texts("<?xml version=\"1.0\"?>\r\n"
                  "<simulation>\r\n"
                  "  <context\n"
                  "      id=\"a\"\n"
                  "\t output_dir = 'x &lt; y'\n"
                  "  ><!-- < > -- -->\n"
                  "  </context>\n"
                  "</simulation>"));
  EXPECT_EQ(document.root().position.text(), "iodef.xml:2:1");
  const Document::Element& context = document.root().children.at(0);
  EXPECT_EQ(context.position.text(), "iodef.xml:3:3");
  EXPECT_EQ(context.attributes.at(0).position.text(), "iodef.xml:4:7");
  EXPECT_EQ(context.attributes.at(1).position.text(), "iodef.xml:5:3");
  EXPECT_EQ(context.attributes.at(1).value, "x < y");
}

TEST(XmlText, keeps_trimmed_text) {
  const Document document(test::texts("<a> one <b/><![CDATA[<two>]]> </a>"));
  EXPECT_EQ(document.root().text, "one <two>");
}

TEST(XmlText, closing_tags_that_fit_nothing_take_no_time) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "<a>";
  for (int i = 0; i < 200'000; ++i) text += "</b>";
  EXPECT_NE(refusal(text).find("nested too deep"), std::string::npos);
}

TEST(XmlText, deeper_nesting_than_any_stack_is_an_error) {
  std::string deep = "<simulation>";
  for (int i = 0; i < 300'000; ++i) deep += "<a>";
  EXPECT_NE(refusal(deep), "no error");
  for (int i = 0; i < 300'000; ++i) deep += "</a>";
  EXPECT_NE(refusal(deep + "</simulation>").find("nested too deep"), std::string::npos);
}

TEST(XmlText, lines_end_as_they_like) {
  const Document document(test::texts("<a>\r<b/>\r\n<c/>\n\r<d\r e='1'/></a>"));
  const auto& children = document.root().children;
  EXPECT_EQ(children.at(0).position.text(), "iodef.xml:2:1");
  EXPECT_EQ(children.at(1).position.text(), "iodef.xml:3:1");
  EXPECT_EQ(children.at(2).position.text(), "iodef.xml:5:1");
  EXPECT_EQ(children.at(2).attributes.at(0).position.text(), "iodef.xml:6:2");
}

TEST(XmlText, names_the_place_of_a_syntax_error) {
  EXPECT_EQ(refusal("<simulation>\n  <context id=\"a\">\n</simulation>"),
            "iodef.xml:2:3: error: <context> is not closed (</simulation> comes first, at "
            "iodef.xml:3:1). Is </context> missing?");
  EXPECT_EQ(refusal("<simulation>\n  <context id=a/>\n</simulation>"),
            "iodef.xml:2:15: error: XML is not well formed (an attribute reads "
            "name=\"value\" after white space). Is a quote missing?");
  EXPECT_EQ(
      refusal(""),
      "iodef.xml:1:1: error: XML is not well formed (there is no element). Is the file empty?");
  EXPECT_EQ(refusal("<a/>\n<b/>"),
            "iodef.xml:2:1: error: a second root element <b> (a file holds one root element).");
  EXPECT_EQ(refusal("<a b='1'\n c='2' b='3'/>"), "no error") << "a warning: the last one counts";
}

TEST(XmlText, refuses_what_could_be_an_attack) {
  EXPECT_EQ(refusal("<!DOCTYPE a [<!ENTITY x \"y\">]>\n<a>&x;</a>").substr(0, 57),
            "iodef.xml:1:11: error: DOCTYPE is not accepted (no entiti");
  std::string deep;
  for (int i = 0; i < 65; ++i) deep += "<a>";
  for (int i = 0; i < 65; ++i) deep += "</a>";
  EXPECT_EQ(refusal(deep), "iodef.xml:1:193: error: <a> is nested too deep (limit 64).");
  EXPECT_EQ(refusal("<a>" + std::string((16U << 20U), ' ') + "</a>"),
            "iodef.xml: error: file is too large (16777223 bytes, limit 16777216).");
  EXPECT_EQ(refusal(std::string("<a>\n\0</a>", 9)),
            "iodef.xml:2:1: error: file holds a zero byte (it is not XML text).");
  EXPECT_EQ(refusal(SourceTexts{}), "error: no configuration text was given.");
}

TEST(XmlText, is_utf8) {
  EXPECT_EQ(
      refusal("<simulation>\n<!-- d\xe9j\xe0 vu --></simulation>"),
      "iodef.xml:2:7: error: byte 0xe9 is no text (files are read as UTF-8). Convert the file "
      "to UTF-8 (iconv)?");
  for (const char* good : {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8c\x8a", "\xef\xbb\xbf"}) {
    EXPECT_EQ(refusal("<simulation><!--" + std::string(good) + "--></simulation>"), "no error");
  }
  // A lone continuation, a longer form than need be, half of a pair, past the end, cut short.
  for (const char* bad : {"\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    EXPECT_NE(
        refusal("<simulation><!--" + std::string(bad) + "--></simulation>").find(" is no text"),
        std::string::npos);
  }
}

}  // namespace
}  // namespace epios::config::xml_text_test
