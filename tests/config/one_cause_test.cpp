// A wrong value is one mistake: what would have followed from the value is not missing too.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "config/attribute_table.hpp"
#include "config/attributes.hpp"
#include "config/check.hpp"
#include "config/unused.hpp"
#include "language/grammar.hpp"
#include "text/text.hpp"

namespace epios::config::one_cause_test {
namespace {

using Path = std::filesystem::path;

/// A text that is no value of a row; "" for those that take any text.
std::string wrong_value(const AttributeInfo& row) {
  switch (row.type) {
    case ValueType::string:
    case ValueType::date:
    case ValueType::strings:
      return {};
    case ValueType::integer:
      return "10.5";
    default:
      return "no_such_thing";
  }
}

/// Without columns, which move with the length of a value.
std::string without_columns(const std::string& text) {
  return std::regex_replace(text, std::regex(R"((:[0-9]+):[0-9]+)"), "$1");
}

std::multiset<std::string> findings_of(const SourceTexts& sources) {
  std::multiset<std::string> result;
  // What nobody needs is one line for all there.
  const auto add = [&result](const std::vector<Diagnostic>& findings, bool is_unneeded) {
    for (const Diagnostic& finding : findings) {
      if ((finding.topic == Topic::unneeded) != is_unneeded) continue;
      result.insert(without_columns(finding.where + ": " + finding.problem + " (" + finding.why));
    }
  };
  add(check(sources), false);
  add(unused(sources), true);
  return result;
}

/// Replaces what stands between the quotes after `position`.
bool replace_value(SourceTexts& sources, const Position& position, const std::string& value) {
  for (SourceText& source : sources) {
    if (source.path != position.file) continue;
    const std::size_t begin =
        line_starts(source.text).at(static_cast<std::size_t>(position.line) - 1) +
        static_cast<std::size_t>(position.column) - 1;
    const std::size_t end = source.text.find(source.text[begin - 1], begin);
    const auto old = source.text.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto lines = static_cast<std::size_t>(
        std::count(old, source.text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    source.text.replace(begin, end - begin, value + std::string(lines, '\n'));
    return true;
  }
  return false;
}

class OneCause : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { std::filesystem::current_path(Path(EPIOS_TEST_FOLDER) / GetParam()); }
  void TearDown() override { std::filesystem::current_path(home_); }

  /// Attributes below `element`, each wrong in a configuration of its own.
  void try_all(const Document::Element& element, const Tag* tag) {
    for (const Document::Attribute& attribute : element.attributes) {
      const AttributeInfo* row = tag == nullptr || tag->kind == ElementKind::any
                                     ? nullptr
                                     : find_attribute(tag->kind, attribute.name);
      const bool is_policy = element.tag == "simulation";
      if (row != nullptr && !is_policy) try_one(element, attribute, wrong_value(*row));
    }
    for (const Document::Element& child : element.children) {
      try_all(child, tag == nullptr ? nullptr : find_child(*tag, child.tag));
    }
  }

  void try_one(const Document::Element& element, const Document::Attribute& attribute,
               const std::string& wrong) {
    // What is on without them is looked at as well.
    const bool is_switch = attribute.name == "enabled" || attribute.name.ends_with("level");
    // A reference to nothing counts as not given there.
    if (is_compatible_ && attribute.name.ends_with("_ref")) return;
    if (wrong.empty() || is_switch || attribute.value == "_reset_") return;
    if (count_++ % stride_ != 0) return;
    SourceTexts sources = sources_;
    ASSERT_TRUE(replace_value(sources, attribute.value_position, wrong));
    const std::multiset<std::string> after = findings_of(sources);
    std::vector<std::string> added;
    std::set_difference(after.begin(), after.end(), before_.begin(), before_.end(),
                        std::back_inserter(added));
    std::erase_if(added, [&](const std::string& finding) { return is_reworded(finding, after); });
    std::string text;
    for (const std::string& finding : added) text += finding + "\n";
    EXPECT_EQ(added.size(), 1U) << attribute.value_position.text() << ": <" << element.tag << "> "
                                << attribute.name << "=\"" << wrong << "\":\n"
                                << text;
  }

  /// True if a finding about instants and periods of one file was there before and names other
  /// fields now: a field that refers to nothing is left out of its file.
  bool is_reworded(const std::string& finding, const std::multiset<std::string>& after) const {
    const std::size_t end = finding.find(" has field '");
    if (end == std::string::npos) return false;
    return std::any_of(before_.begin(), before_.end(), [&](const std::string& old) {
      return old.compare(0, end, finding, 0, end) == 0 && !after.contains(old);
    });
  }

  SourceTexts sources_;
  std::multiset<std::string> before_;
  bool is_compatible_ = false;
  int stride_ = 1;  ///< of large configurations some will do
  int count_ = 0;

 private:
  Path home_ = std::filesystem::current_path();
};

TEST_P(OneCause, is_one_finding) {
  sources_ = read_sources("iodef.xml");
  std::size_t size = 0;
  for (const SourceText& source : sources_) size += source.text.size();
  stride_ = 1 + static_cast<int>(size / 2000);
  before_ = findings_of(sources_);
  const Document document(sources_);
  for (const Document::Attribute& attribute : document.root().attributes) {
    is_compatible_ = is_compatible_ || attribute.name == "compat";
  }
  try_all(document.root(), find_tag(document.root().tag));
}

std::vector<std::string> folders() {
  std::vector<std::string> names;
  for (const std::string collection : {"golden", "realistic"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(Path(EPIOS_TEST_FOLDER) / collection)) {
      if (entry.is_directory())
        names.push_back(collection + "/" + entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Golden, OneCause, testing::ValuesIn(folders()), [](const auto& folder) {
  return folder.param.substr(folder.param.find('/') + 1);
});

}  // namespace
}  // namespace epios::config::one_cause_test
