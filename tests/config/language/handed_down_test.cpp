// What groups and references hand down, attribute by attribute of the table: each at each level,
// alone and above a weaker one. Asked of `explain` and of the definitions as a run has them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/attribute_table.hpp"
#include "config/explain.hpp"
#include "config/value_print.hpp"
#include "sample.hpp"

namespace epios::config {
namespace {

/// Where an attribute may be given, strongest first.
enum Level { own, inner_group, outer_group, definition, reference, group_of_reference, nowhere };

struct Case {
  const AttributeInfo* row;
  std::string strong, weak;  ///< two values
};

/// Two values of an attribute that differ; of a reference, ids of elements that are there.
std::pair<std::string, std::string> values_of(const AttributeInfo& row) {
  const std::string rank = row.words.empty() ? "1" : std::string(row.words);
  const auto array = [&](const std::string& value) {
    std::string shape = "(0,0)";
    for (char r = '1'; r < rank.front(); ++r) shape += " x (0,0)";
    return shape + "[" + value + "]";
  };
  const auto words = [&]() -> std::pair<std::string, std::string> {
    const std::string all(row.words);
    const std::size_t bar = all.find('|');
    std::string second = all.substr(bar + 1);
    second = second.substr(0, second.find('|'));
    if (second.starts_with("later:")) second = second.substr(6);
    return {all.substr(0, bar), second};
  };
  switch (row.type) {
    case ValueType::boolean:
      return {"true", "false"};
    case ValueType::integer:
      return row.words.empty() ? std::pair<std::string, std::string>{"3", "5"} : words();
    case ValueType::real:
      return {"1.5", "2.5"};
    case ValueType::string:
      return {"a", "b"};
    case ValueType::word:
      return words();
    case ValueType::duration:
      return {"2h", "3h"};
    case ValueType::date:
      return {"2000-01-02", "2000-01-03"};
    case ValueType::reference:
      return {"first", "second"};
    case ValueType::booleans:
      return {array("true"), array("false")};
    case ValueType::integers:
      return {array("3"), array("5")};
    case ValueType::reals:
      return {array("1.5"), array("2.5")};
    case ValueType::strings:
      break;
  }
  return {array("a"), array("b")};
}

/// Whose values name services, which must be there.
bool names_service(const AttributeInfo& row) {
  return row.name == "writer" || row.name == "reader" || row.name == "gatherer";
}

class Handing : public testing::TestWithParam<ElementKind> {
 protected:
  std::string tag() const { return std::string(name(GetParam())); }
  bool has_reference() const { return find_attribute(GetParam(), tag() + "_ref") != nullptr; }

  /// The attribute with `strong` at one level and `weak` at another.
  std::string xml(const Case& c, Level strong, Level weak) const {
    const auto at = [&](Level level) -> std::string {
      if (level == strong) return fmt::format(" {}='{}'", c.row->name, c.strong);
      if (level == weak) return fmt::format(" {}='{}'", c.row->name, c.weak);
      return {};
    };
    const bool is_reference = c.row->name == tag() + "_ref";
    const bool refers = has_reference() && !is_reference;
    std::string inside;
    if (c.row->type == ValueType::reference) {
      for (const char* id : {"first", "second"})
        inside += fmt::format("<{0} id='{1}'/>", tag(), id);
    }
    if (refers) {
      inside += fmt::format("<{0}_group{1}><{0} id='r'{2}/></{0}_group>", tag(),
                            at(group_of_reference), at(reference));
    }
    inside += fmt::format(
        "<{0}_group{1}><{0}_group{2}><{0} id='x'{3}{4}>{5}</{0}></{0}_group></{0}_group>", tag(),
        at(outer_group), at(inner_group), at(own), refers ? fmt::format(" {}_ref='r'", tag()) : "",
        GetParam() == ElementKind::variable ? "1" : "");
    std::string others;
    if (c.row->type == ValueType::reference && c.row->words != tag()) {
      others = fmt::format("<{0}_definition><{0} id='first'/><{0} id='second'/></{0}_definition>",
                           c.row->words);
    }
    return test::in_context(others + fmt::format("<{0}_definition{1}>{2}</{0}_definition>", tag(),
                                                 at(definition), inside));
  }

  /// By a run and by `explain`, which must agree.
  std::optional<std::string> value_of(const std::string& text, const AttributeInfo& row) const {
    const SourceTexts sources{{"test.xml", text}};
    Definitions definitions{Document(sources)};
    definitions.solve_inheritance("ocean");
    const std::optional<Value> of_run =
        definitions.get("ocean", definitions.at("ocean", tag(), "x"), row.name);
    const auto explained = explain(sources, fmt::format("{}:x.{}", tag(), row.name));
    const ExplainedValue& value = explained.at(0).attributes.at(0).value;
    const bool is_given = value.source != "default" && value.source != "no value" &&
                          value.source != "own id" && !value.source.starts_with("id of");
    EXPECT_EQ(is_given, of_run.has_value()) << row.name << " in " << text << value.source;
    if (of_run && is_given) {
      EXPECT_EQ(value.text, printed(*of_run)) << text;
    }
    return of_run ? std::optional(printed(*of_run)) : std::nullopt;
  }

  static bool comes_from(const AttributeInfo& row, Level level) {
    if (level == own) return true;
    const bool is_group = level <= definition;
    return row.handed_down >= (is_group ? HandedDown::groups : HandedDown::yes);
  }
};

TEST_P(Handing, each_attribute_comes_from_where_the_table_says) {
  for (const AttributeInfo& row : attributes_of(GetParam())) {
    auto [strong, weak] = values_of(row);
    if (row.name.starts_with("pool_")) continue;  // there is none in a context of its own
    if (names_service(row)) strong = "attached", weak = "_reset_";
    const Case c{&row, strong, weak};
    const bool is_chain = row.name == tag() + "_ref";
    const Level last = has_reference() && !is_chain ? group_of_reference : definition;
    for (int level = own; level <= last; ++level) {
      const auto at = static_cast<Level>(level);
      const auto alone = value_of(xml(c, at, nowhere), row);
      const auto parsed = value_of(xml(c, own, nowhere), row);  // as it is printed
      const auto expected = comes_from(row, at) ? parsed : std::nullopt;
      EXPECT_EQ(alone, expected) << tag() << '.' << row.name << " at level " << level;
      for (int below = level + 1; below <= last; ++below) {
        const auto both = value_of(xml(c, at, static_cast<Level>(below)), row);
        if (comes_from(row, at)) {
          EXPECT_EQ(both, parsed) << tag() << '.' << row.name << ' ' << level << " above " << below;
        }
      }
    }
  }
}

/// An empty attribute keeps what is weaker away, all of it.
TEST_P(Handing, reset_stops_each_attribute) {
  for (const AttributeInfo& row : attributes_of(GetParam())) {
    const auto values = values_of(row);
    const bool is_chain = row.name == tag() + "_ref";
    const Case c{&row, "_reset_", values.first};
    const Level last = has_reference() && !is_chain ? group_of_reference : definition;
    for (int below = own + 1; below <= last; ++below) {
      EXPECT_EQ(value_of(xml(c, own, static_cast<Level>(below)), row), std::nullopt)
          << tag() << '.' << row.name << " from level " << below;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Handing,
                         testing::Values(ElementKind::scalar, ElementKind::axis,
                                         ElementKind::domain, ElementKind::grid, ElementKind::field,
                                         ElementKind::file, ElementKind::variable,
                                         ElementKind::coupler_in, ElementKind::coupler_out),
                         [](const auto& kind) { return std::string(name(kind.param)); });

/// A field in a file has what groups inside of that file say, and its reference; never what the
/// file, groups of files or the definition of fields say.
TEST(HandedDownInFiles, fields_take_nothing_from_files) {
  for (const AttributeInfo& row : attributes_of(ElementKind::field)) {
    if (row.type == ValueType::reference || row.name == "enabled") continue;
    const auto [value, other] = values_of(row);
    const auto text = [&](const std::string& in_group, const std::string& in_file,
                          const std::string& in_definition) {
      return test::in_context(fmt::format(
          "<field_definition{}><field id='unrelated'/></field_definition><file_definition{}>"
          "<file_group{}><file id='f'{}><field_group{}><field id='x'/></field_group></file>"
          "</file_group></file_definition>",
          in_definition, in_file, in_file, in_file, in_group));
    };
    const std::string given = fmt::format(" {}='{}'", row.name, value);
    const bool has_file = find_attribute(ElementKind::file, row.name) != nullptr;
    const auto value_of = [&](const std::string& xml) {
      Definitions definitions{Document(SourceTexts{{"test.xml", xml}})};
      definitions.solve_inheritance("ocean");
      return definitions.get("ocean", definitions.at("ocean", "field", "x"), row.name);
    };
    EXPECT_EQ(value_of(text(given, "", "")).has_value(), row.handed_down >= HandedDown::groups)
        << row.name;
    EXPECT_EQ(value_of(text("", "", given)), std::nullopt) << row.name;
    const bool fits = has_file && find_attribute(ElementKind::file, row.name)->type == row.type;
    if (fits) {
      EXPECT_EQ(value_of(text("", given, "")), std::nullopt) << row.name;
    }
  }
}

}  // namespace
}  // namespace epios::config
