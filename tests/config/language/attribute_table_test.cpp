// The table against an independent list of what XIOS users can write.
#include "config/attribute_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "config/attributes.hpp"
#include "config/reference.hpp"
#include "language/grammar.hpp"
#include "sample.hpp"
#include "text/text.hpp"

namespace epios::config::attribute_table_test {
namespace {

struct Fact {
  std::string element;  ///< "reduce_axis(scalar)": the tag, below that parent
  std::string attribute;
  std::string type;
  std::vector<std::string> words;
  std::string known_to;
};

std::vector<Fact> facts() {
  std::ifstream stream(EPIOS_TEST_FOLDER "/language/xios_attributes.csv");
  std::vector<Fact> result;
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::stringstream cells(line);
    Fact fact;
    std::string words;
    for (std::string* cell : {&fact.element, &fact.attribute, &fact.type, &words, &fact.known_to}) {
      std::getline(cells, *cell, ',');
    }
    std::stringstream list(words);
    for (std::string word; list >> word;) fact.words.push_back(word);
    result.push_back(fact);
  }
  return result;
}

const Tag* tag_of(const std::string& element) {
  const std::size_t bracket = element.find('(');
  if (bracket == std::string::npos) return find_tag(element);
  const std::string parent = element.substr(bracket + 1, element.size() - bracket - 2);
  return find_child(*find_tag(parent), element.substr(0, bracket));
}

/// "array<double 2>" and so on, as the table calls it.
std::vector<ValueType> types_of(const Fact& fact) {
  static const std::map<std::string, std::vector<ValueType>> types{
      {"int", {ValueType::integer}},
      {"double", {ValueType::real}},
      {"bool", {ValueType::boolean}},
      {"enum", {ValueType::word}},
      {"duration", {ValueType::duration}},
      {"string", {ValueType::string, ValueType::reference, ValueType::date}}};
  if (fact.type == "string" && !fact.words.empty()) return {ValueType::word};
  if (const auto found = types.find(fact.type); found != types.end()) return found->second;
  if (fact.type.starts_with("array<double")) return {ValueType::reals};
  if (fact.type.starts_with("array<int")) return {ValueType::integers};
  if (fact.type.starts_with("array<bool")) return {ValueType::booleans};
  return {ValueType::strings};
}

TEST(AttributeTable, has_all_289_public_attributes_with_types_and_words) {
  std::size_t public_ones = 0;
  for (const Fact& fact : facts()) {
    if (fact.known_to == "both") ++public_ones;
    const Tag* tag = tag_of(fact.element);
    ASSERT_NE(tag, nullptr) << fact.element;
    const AttributeInfo* row = find_attribute(tag->kind, fact.attribute);
    ASSERT_NE(row, nullptr) << fact.element << ' ' << fact.attribute;
    const std::vector<ValueType> types = types_of(fact);
    EXPECT_NE(std::find(types.begin(), types.end(), row->type), types.end())
        << fact.element << ' ' << fact.attribute << " is " << name(row->type);
    if (fact.type.starts_with("array<")) {
      const std::string rank = fact.type.substr(fact.type.find(' ') + 1, 1);
      EXPECT_EQ(row->words, rank == "1" ? "" : rank) << fact.element << ' ' << fact.attribute;
    } else if (!fact.words.empty()) {
      const std::vector<std::string_view> words = split_words(row->words);
      std::set<std::string> expected(fact.words.begin(), fact.words.end());
      // Ours:
      if (fact.element == "domain" && fact.attribute == "type") expected.insert("healpix");
      if (fact.attribute == "format") expected.insert({"cdf5", "zarr", "zarr3"});
      if (fact.attribute == "compression_type") {
        expected.insert({"zstd", "blosc_lz4", "blosc_zstd"});
      }
      EXPECT_EQ(std::set<std::string>(words.begin(), words.end()), expected)
          << fact.element << ' ' << fact.attribute;
    }
  }
  EXPECT_EQ(public_ones, 289U);
}

TEST(AttributeTable, has_the_61_tags) {
  std::set<std::string> names;
  for (const Tag& tag : grammar()) names.insert(tag.name);
  EXPECT_EQ(names.size(), 61U);
  for (const Tag& tag : grammar()) {
    for (const std::string_view child : tag.children) {
      EXPECT_NE(find_child(tag, child), nullptr) << child << " in " << tag.name;
    }
  }
}

TEST(AttributeTable, the_same_tag_below_another_parent_is_another_transformation) {
  EXPECT_EQ(tag_of("reduce_axis(axis)")->kind, ElementKind::reduce_axis_to_axis);
  EXPECT_EQ(tag_of("reduce_axis(scalar)")->kind, ElementKind::reduce_axis_to_scalar);
  EXPECT_EQ(find_child(*find_tag("domain"), "reduce_axis"), nullptr);
}

/// A value that every attribute of its type takes.
std::string value_of(const AttributeInfo& row) {
  if (row.type == ValueType::word) return std::string(split_words(row.words).front());
  if (row.type == ValueType::integer) {
    return row.words.empty() ? "1" : std::string(split_words(row.words).back());
  }
  if (row.type == ValueType::boolean) return "true";
  if (row.type == ValueType::real) return "1.5e0";
  if (row.type == ValueType::duration) return "1d";
  if (row.type == ValueType::date) return "2000-01-01";
  if (row.type == ValueType::string || row.type == ValueType::reference) return "text";
  std::string shape = "(0,0)";
  const int rank = row.words.empty() ? 1 : row.words.front() - '0';
  for (int i = 1; i < rank; ++i) shape += " x (0,0)";
  return shape + "[1]";
}

/// One element of a kind with everything that stands around it; false when it has no place.
std::string around(const Tag& tag, const std::string& attributes) {
  const std::string element = "<" + tag.name + attributes + "/>";
  const auto in_definition = [](ElementKind kind, const std::string& body) {
    const std::string definition = std::string(name(kind)) + "_definition";
    return "<" + definition + ">" + body + "</" + definition + ">";
  };
  if (is_transformation(tag.kind)) {
    const std::string parent(name(tag.within));
    return in_definition(tag.within, "<" + parent + ">" + element + "</" + parent + ">");
  }
  if (tag.form == Form::definition || tag.kind == ElementKind::calendar) return element;
  return in_definition(tag.kind, element);
}

/// Pools and services that go by the text that every attribute takes.
std::string servers() {
  std::string pools;
  for (const std::string pool : {"text", "second", "third"}) {
    const std::string type = pool == "text" ? "writer" : pool == "second" ? "reader" : "gatherer";
    pools += "<pool id='" + pool + "' nprocs='1'><service name='text' remain='true' type='" + type +
             "'/></pool>";
  }
  return "<context id='xios'><pool_definition>" + pools + "</pool_definition></context>";
}

TEST(AttributeTable, every_attribute_can_be_written_where_it_belongs) {
  for (const Tag& tag : grammar()) {
    if (tag.kind <= ElementKind::context) continue;
    for (const AttributeInfo& row : attributes_of(tag.kind)) {
      std::string value = value_of(row);
      if (row.type == ValueType::booleans) value.replace(value.find('['), 3, "[y]");
      const std::string attributes = " " + std::string(row.name) + "='" + value + "'";
      std::string xml = "<simulation><context id='ocean'>" + around(tag, attributes) + "</context>";
      if (tag.text == TextUse::value) {
        xml.replace(xml.find("/>"), 2, ">1</variable>");
      }
      xml += servers() + "</simulation>";
      EXPECT_NO_THROW(test::definitions(xml)) << xml;
    }
  }
}

TEST(AttributeTable, a_word_that_no_run_can_do_is_known) {
  EXPECT_FALSE(is_available("a|later:b|later:bc", "bc"));
  EXPECT_TRUE(is_available("a|later:b|later:bc", "a"));
  EXPECT_TRUE(is_available("later:read_or_compute|read", "read"));
}

}  // namespace
}  // namespace epios::config::attribute_table_test
