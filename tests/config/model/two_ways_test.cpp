// The same meaning, written in two ways, is the same Model: attributes on a field, on groups around
// it, on what it refers to or set by the model; `this`, `this_ref` or a name; a group of fields by
// group_ref or by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "sample.hpp"

namespace epios::config {
namespace {

using Attributes = std::map<std::string, std::string>;

/// A field in the file, by its meaning.
struct Meant {
  int source = 0;
  Attributes attributes;
  std::string expression;  ///< with "@S" for the data of the source, "" for none
};

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  void draw() {
    const int count = 1 + below(4);
    for (int i = 0; i < count; ++i) fields_.push_back(field());
    for (int s = 0; s < sources; ++s) {
      source_unit_.push_back(one_of({"K", "m", ""}));
      source_marks_.push_back(chance(30));
    }
  }

  /// Everything where it counts.
  std::string plain() const {
    std::string in_file;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const Meant& field = fields_[i];
      in_file += fmt::format("<field id='f{}' field_ref='s{}'{}{}/>", i, field.source,
                             text(field.attributes), expression(field, "this_ref"));
    }
    return around(definition(false), in_file);
  }

  /// In other ways, by chance; `calls`: what the model sets.
  struct Call {
    std::string id, attribute, value;
  };
  std::string other(std::vector<Call>& calls) {
    std::string in_definition;
    std::string in_file;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      in_file += other(fields_[i], fmt::format("f{}", i), in_definition, calls);
    }
    return around(definition(chance(50)) + in_definition, in_file);
  }

 private:
  static constexpr int sources = 3;

  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }
  bool chance(int percent) { return below(100) < percent; }
  std::string one_of(std::initializer_list<const char*> words) {
    return *(words.begin() + below(static_cast<int>(words.size())));
  }

  Meant field() {
    Meant out;
    out.source = below(sources);
    out.attributes["operation"] = one_of({"average", "instant", "maximum"});
    if (chance(50)) out.attributes["freq_op"] = one_of({"1h", "2h", "3h"});
    if (chance(40)) out.attributes["unit"] = one_of({"degC", "km"});
    if (chance(40)) out.attributes["prec"] = one_of({"4", "8"});
    if (chance(30)) out.attributes["long_name"] = one_of({"one", "another"});
    if (chance(30)) out.attributes["level"] = one_of({"1", "2"});
    if (chance(30)) out.attributes["default_value"] = one_of({"1e20", "-99"});
    if (chance(20)) out.attributes["compression_level"] = one_of({"1", "4"});
    if (chance(50)) out.expression = one_of({"@S * 2", "@S + s1", "-@S", "@S - s0 * s1"});
    return out;
  }

  static std::string text(const Attributes& attributes) {
    std::string out;
    for (const auto& [name, value] : attributes) out += fmt::format(" {}='{}'", name, value);
    return out;
  }

  static std::string with(const Meant& field, const std::string& data) {
    return std::regex_replace(field.expression, std::regex("@S"), data);
  }
  static std::string expression(const Meant& field, const std::string& data) {
    return field.expression.empty() ? "" : fmt::format(" expr='{}'", with(field, data));
  }

  /// The fields that the model sends; attributes of theirs by groups or on each.
  std::string definition(bool by_groups) const {
    std::string out;
    for (int s = 0; s < sources; ++s) {
      const auto at = static_cast<std::size_t>(s);
      Attributes own{{"domain_ref", "d"}};
      if (!source_unit_[at].empty()) own["unit"] = source_unit_[at];
      if (source_marks_[at]) own["detect_missing_value"] = "true", own["default_value"] = "7";
      if (by_groups) {
        out += fmt::format(
            "<field_group{}><field_group><field id='s{}'/></field_group>"
            "</field_group>",
            text(own), s);
      } else {
        out += fmt::format("<field id='s{}'{}/>", s, text(own));
      }
    }
    return out;
  }

  /// Each attribute goes to one of the places that may give it.
  std::string other(const Meant& field, const std::string& id, std::string& in_definition,
                    std::vector<Call>& calls) {
    Attributes own, inner, outer, referred;
    const bool has_reference = chance(50) && field.expression.empty();
    for (const auto& [name, value] : field.attributes) {
      const int place = below(has_reference ? 5 : 4);
      if (place == 3) {
        calls.push_back({id, name, value});
        if (chance(50)) own[name] = name == "unit" || name == "long_name" ? "other" : value;
        continue;
      }
      (place == 0 ? own : place == 1 ? inner : place == 2 ? outer : referred)[name] = value;
    }
    std::string reference = fmt::format("s{}", field.source);
    if (has_reference) {
      in_definition +=
          fmt::format("<field id='of_{}' field_ref='{}'{}/>", id, reference, text(referred));
      reference = "of_" + id;
    }
    std::string expression;  // where it stands and what it calls the data
    std::string content = "/>";
    if (!field.expression.empty()) {
      const std::string data = one_of({"this", "this_ref", "name"});
      const std::string words = with(field, data == "name" ? reference : data);
      const int place = below(4);
      if (place == 0) own["expr"] = words;
      if (place == 1) inner["expr"] = words;
      if (place == 2) outer["expr"] = words;
      if (place == 3) content = fmt::format("> {} </field>", words);
    }
    return fmt::format(
        "<field_group{}><field_group{}><field id='{}' field_ref='{}'{}{}"
        "</field_group></field_group>",
        text(outer), text(inner), id, reference, text(own), content);
  }

  static std::string around(const std::string& definition, const std::string& in_file) {
    return test::in_context(
        "<domain_definition><domain id='d' type='rectilinear' ni_glo='4' nj_glo='3'/>"
        "</domain_definition><field_definition>" +
        definition + "</field_definition><file_definition><file id='out' output_freq='6h'>" +
        in_file + "</file></file_definition>");
  }

  std::mt19937 random_;
  std::vector<Meant> fields_;
  std::vector<std::string> source_unit_;
  std::vector<bool> source_marks_;
};

/// `this`, `this_ref` and a name of the same data are one thing; nothing else may differ.
std::string meaning(const Model& model) {
  const std::string text =
      std::regex_replace(to_json(model), std::regex("\"op\": \"reference\""), "\"op\": \"field\"");
  return std::regex_replace(text, std::regex("\"expr\": [^\n]*"), "");  // as it was written
}

TEST(TwoWays, of_writing_random_fields_mean_the_same) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Writer writer(seed);
    writer.draw();
    const std::string plain = writer.plain();
    std::vector<Writer::Call> calls;
    const std::string other = writer.other(calls);
    Definitions definitions = test::definitions(other);
    for (const Writer::Call& call : calls) {
      definitions.set_text("ocean", ElementKind::field, call.id, call.attribute, call.value,
                           "call");
    }
    ASSERT_EQ(meaning(definitions.resolve("ocean")), meaning(test::model(plain)))
        << "seed " << seed << "\n"
        << plain << "\n"
        << other;
  }
}

TEST(TwoWays, the_model_gives_a_group_an_expression) {
  const auto text = [](const std::string& expression) {
    return test::in_context(
        "<domain_definition><domain id='d' type='rectilinear' ni_glo='4' nj_glo='3'/>"
        "</domain_definition><field_definition domain_ref='d' operation='average'>"
        "<field id='a'/></field_definition><file_definition><file id='f' output_freq='6h'>"
        "<field_group id='g' freq_op='3h'" +
        expression + "><field field_ref='a'/></field_group></file></file_definition>");
  };
  Definitions definitions = test::definitions(text(""));
  definitions.set("ocean", definitions.at("ocean", "field_group", "g"), "expr",
                  std::string("@this * 2"), "call");
  EXPECT_EQ(meaning(definitions.resolve("ocean")), meaning(test::model(text(" expr='@this * 2'"))));
}

TEST(TwoWays, a_group_by_reference_is_a_group_by_hand) {
  const std::string start =
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='4' nj_glo='3'/>"
      "</domain_definition><field_definition domain_ref='d' operation='average'>"
      "<field_group id='g' unit='K'><field id='a'/><field id='b' expr='this * 2'/></field_group>"
      "</field_definition><file_definition><file id='f' output_freq='6h'>";
  const std::string end = "</file></file_definition>";
  const std::string by_hand =
      "<field_group unit='K' freq_op='3h' expr='@this'><field field_ref='a'/>"
      "<field field_ref='b'/></field_group>";
  const std::string by_reference = "<field_group group_ref='g' freq_op='3h' expr='@this'/>";
  EXPECT_EQ(meaning(test::model(test::in_context(start + by_reference + end))),
            meaning(test::model(test::in_context(start + by_hand + end))));
}

}  // namespace
}  // namespace epios::config
