#include "config/document.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "sample.hpp"

namespace epios::config {
namespace {

std::string refusal(const SourceTexts& sources) {
  try {
    const Document document(sources);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

std::string refusal(const std::string& xml) { return refusal(test::texts(xml)); }

TEST(Document, knows_where_each_attribute_stands) {
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

TEST(Document, keeps_trimmed_text) {
  const Document document(test::texts("<a> one <b/><![CDATA[<two>]]> </a>"));
  EXPECT_EQ(document.root().text, "one <two>");
}

TEST(Document, names_the_place_of_a_syntax_error) {
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
  EXPECT_EQ(refusal("<a b='1'\n c='2' b='3'/>"),
            "iodef.xml:2:8: error: attribute 'b' of <a> is given twice. Remove one of them.");
}

TEST(Document, refuses_what_could_be_an_attack) {
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

TEST(Document, closing_tags_that_fit_nothing_take_no_time) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "<a>";
  for (int i = 0; i < 200'000; ++i) text += "</b>";
  EXPECT_NE(refusal(text).find("nested too deep"), std::string::npos);
}

TEST(Document, lines_end_as_they_like) {
  const Document document(test::texts("<a>\r<b/>\r\n<c/>\n\r<d\r e='1'/></a>"));
  const auto& children = document.root().children;
  EXPECT_EQ(children.at(0).position.text(), "iodef.xml:2:1");
  EXPECT_EQ(children.at(1).position.text(), "iodef.xml:3:1");
  EXPECT_EQ(children.at(2).position.text(), "iodef.xml:5:1");
  EXPECT_EQ(children.at(2).attributes.at(0).position.text(), "iodef.xml:6:2");
}

TEST(Document, deeper_nesting_than_any_stack_is_an_error) {
  std::string deep = "<simulation>";
  for (int i = 0; i < 300'000; ++i) deep += "<a>";
  EXPECT_NE(refusal(deep), "no error");
  for (int i = 0; i < 300'000; ++i) deep += "</a>";
  EXPECT_NE(refusal(deep + "</simulation>").find("nested too deep"), std::string::npos);
}

TEST(Document, puts_an_include_between_attributes_and_children) {
  const Document document(SourceTexts{
      {"run/iodef.xml",
       "<simulation><context id='a' src='sub/c.xml' output_dir='1'><last/></context></simulation>"},
      {"run/sub/c.xml", "<any id='b' output_dir='2'><first/></any>"}});
  const Document::Element& context = document.root().children.at(0);
  std::string attributes;
  for (const auto& a : context.attributes) attributes += a.name + "=" + a.value + " ";
  EXPECT_EQ(attributes, "id=a src=sub/c.xml output_dir=1 output_dir=2 ");
  ASSERT_EQ(context.children.size(), 2U);
  EXPECT_EQ(context.children[0].tag, "first");
  EXPECT_EQ(context.children[0].position.text(), "run/sub/c.xml:1:28");
  EXPECT_EQ(context.children[1].tag, "last");
}

TEST(Document, includes_only_where_the_grammar_has_them) {
  const Document document(test::texts("<simulation><field src='nowhere.xml'/></simulation>"));
  EXPECT_TRUE(document.root().children.at(0).children.empty());
}

TEST(Document, finds_include_loops_and_missing_texts) {
  EXPECT_EQ(
      refusal(SourceTexts{{"a.xml", "<simulation><context id='a'\n src='b.xml'/></simulation>"},
                          {"b.xml", "<context><field_definition src='./b.xml'/></context>"}}),
      "b.xml:1:28: error: file 'b.xml' includes itself (b.xml -> b.xml).");
  EXPECT_EQ(refusal(SourceTexts{{"a.xml", "<context src='c.xml'/>"}}),
            "a.xml:1:10: error: file 'c.xml' cannot be read (it is not among the texts that were "
            "read).");
}

TEST(Document, a_bomb_of_includes_stops_at_the_limit) {
  SourceTexts sources;
  for (char c = 'a'; c < 'p'; ++c) {
    std::string text = "<context_group>";
    for (int i = 0; i < 200; ++i) {
      text += std::string("<context_group src='") + static_cast<char>(c + 1) + "'/>";
    }
    sources.push_back({std::string(1, c), text + "</context_group>"});
  }
  sources.push_back({"p", "<context_group/>"});
  EXPECT_NE(refusal(sources).find("too m"), std::string::npos);
}

TEST(Document, all_includes_together_are_limited) {
  const auto included = [](int times, const std::string& text) {
    std::string entry = "<simulation>\n";
    for (int i = 0; i < times; ++i) entry += "<context_group src='b'/>\n";
    return refusal(SourceTexts{{"a", entry + "</simulation>"}, {"b", text}});
  };
  std::string elements = "<x>\n";
  for (int i = 0; i < 300'000; ++i) elements += "<y/>\n";
  EXPECT_EQ(included(4, elements + "</x>"),
            "b:99993:1: error: too many elements (limit 1000000 with all includes).");
  EXPECT_EQ(included(17, "<x>" + std::string(15'800'000, ' ') + "</x>"),
            "b: error: too much text (limit 268435456 bytes with all includes).");
}

TEST(Document, is_utf8) {
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

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::path(testing::TempDir()) /
             testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder / "sub");
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  void write(const std::string& path, const std::string& text) const {
    std::ofstream(folder / path) << text;
  }
  std::string at(const std::string& path) const { return (folder / path).string(); }
  std::string refusal() const {
    try {
      read_sources(folder / "iodef.xml");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  }
  std::filesystem::path folder;
};

TEST_F(Folder, read_sources_reads_each_file_once_relative_to_the_including_one) {
  write("iodef.xml",
        "<simulation><context id='a' src='sub/c.xml'/><context id='b' src='./sub/c.xml'/>"
        "</simulation>");
  write("sub/c.xml", "<context><axis_definition src='d.xml'/></context>");
  write("sub/d.xml", "<axis_definition><axis id='z'/></axis_definition>");
  const SourceTexts sources = read_sources(folder / "iodef.xml");
  ASSERT_EQ(sources.size(), 3U);
  EXPECT_EQ(sources[0].path, at("iodef.xml"));
  EXPECT_EQ(sources[1].path, at("sub/c.xml"));
  EXPECT_EQ(sources[2].path, at("sub/d.xml"));
  EXPECT_TRUE(Definitions(Document(sources)).has("b", ElementKind::axis, "z"));
}

TEST_F(Folder, read_sources_reports_all_that_cannot_be_read) {
  write("iodef.xml",
        "<simulation>\n<context id='a' src='no.xml'/>\n<context id='b' src='sub'/>\n"
        "<context id='c' src=''/>\n<context id='d' src='bad.xml'/></simulation>");
  write("bad.xml", "<context>");
  EXPECT_EQ(refusal(),
            at("iodef.xml:2:17: error: file '") + at("no.xml") +
                "' cannot be read (it does not exist).\n" + at("iodef.xml:3:17: error: file '") +
                at("sub") + "' cannot be read (it is a folder).\n" +
                at("iodef.xml:4:17: error: attribute 'src' is empty. Name a file or leave it "
                   "out.\n") +
                at("bad.xml:1:1: error: <context> is not closed (the file ends before). "
                   "Is </context> missing?"));
}

TEST_F(Folder, read_sources_does_not_wait_for_pipes) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  write("iodef.xml", "<simulation>\n<context id='a' src='pipe'/></simulation>");
  EXPECT_EQ(refusal(), at("iodef.xml:2:17: error: file '") + at("pipe") +
                           "' cannot be read (it is no regular file).");
}

TEST_F(Folder, read_sources_says_why_a_link_leads_nowhere) {
  std::filesystem::create_symlink("b.xml", folder / "a.xml");
  std::filesystem::create_symlink("a.xml", folder / "b.xml");
  write("iodef.xml", "<simulation>\n<context id='a' src='a.xml'/></simulation>");
  EXPECT_EQ(refusal(), at("iodef.xml:2:17: error: file '") + at("a.xml") +
                           "' cannot be read (too many levels of symbolic links).");
}

TEST_F(Folder, try_read_sources_keeps_what_it_read) {
  write("iodef.xml", "<simulation>\n<context id='a' src='bad.xml'/></simulation>");
  write("bad.xml", "<context>");
  const ReadSources read = try_read_sources(folder / "iodef.xml");
  ASSERT_EQ(read.mistakes.size(), 1U);
  ASSERT_EQ(read.sources.size(), 2U);
  EXPECT_EQ(read.sources[1].text, "<context>");
}

TEST_F(Folder, read_sources_finds_loops) {
  write("iodef.xml", "<simulation><context id='a' src='sub/c.xml'/></simulation>");
  write("sub/c.xml", "<context src='../iodef.xml'/>");
  EXPECT_EQ(refusal(), at("sub/c.xml:1:10: error: file '") + at("iodef.xml") +
                           "' includes itself (" + at("iodef.xml") + " -> " + at("sub/c.xml") +
                           " -> " + at("iodef.xml") + ").");
}

TEST_F(Folder, read_sources_refuses_a_file_that_is_too_large) {
  write("iodef.xml", std::string((16U << 20U) + 1, ' '));
  EXPECT_EQ(refusal(), at("iodef.xml: error: file '") + at("iodef.xml") +
                           "' cannot be read (it is larger than 16777216 bytes).");
}

TEST_F(Folder, read_sources_stops_at_too_many_files) {
  std::string text = "<simulation>\n<context id='a'>";
  for (int i = 0; i < 2'001; ++i) {
    const std::string name = "sub/" + std::to_string(i);
    text += "<axis_definition src='" + name + "'/>";
    write(name, "<a/>");
  }
  write("iodef.xml", text + "</context></simulation>");
  const std::string expected =
      ": error: too many files are included (limit 2000 files or 268435456 bytes).";
  const std::string outcome = refusal();
  EXPECT_TRUE(outcome.ends_with(expected)) << outcome.substr(0, 300);
  EXPECT_EQ(outcome.find('\n'), std::string::npos);
}

TEST_F(Folder, read_sources_names_a_missing_entry_file) {
  EXPECT_EQ(refusal(), at("iodef.xml: error: file '") + at("iodef.xml") +
                           "' cannot be read (it does not exist).");
}

}  // namespace
}  // namespace epios::config
