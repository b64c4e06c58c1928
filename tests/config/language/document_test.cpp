#include "config/document.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "../../scratch_folder.hpp"
#include "sample.hpp"

namespace epios::config::document_test {
namespace {

std::string refusal(const SourceTexts& sources) {
  try {
    const Document document(sources);
  } catch (const ConfigError& error) {
    return test::without_codes(error.what());
  }
  return "no error";
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

class Folder : public testing::Test {
 protected:
  Folder() { std::filesystem::create_directories(folder / "sub"); }
  void write(const std::string& path, const std::string& text) const {
    std::ofstream(folder / path) << text;
  }
  std::string at(const std::string& path) const { return (folder / path).string(); }
  std::string refusal() const {
    try {
      read_sources(folder / "iodef.xml");
    } catch (const ConfigError& error) {
      return test::without_codes(error.what());
    }
    return "no error";
  }

  const epios::test::ScratchFolder own_folder{"epios_sources"};
  const std::filesystem::path folder = own_folder.path();
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
}  // namespace epios::config::document_test
