// Laws that hold for every configuration, tried on random ones: groups three deep, references,
// levels, files, grids, variables, transformations, expressions, couplers, several contexts.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <random>

#include "config/model_xml.hpp"
#include "sample.hpp"

namespace epios::config::model_properties_test {
namespace {

struct Tag {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Tag> children;
  std::string text;
};

std::string text_of(const Tag& tag) {
  std::string result = "<" + tag.name;
  for (const auto& [name, value] : tag.attributes) result += " " + name + "='" + value + "'";
  result += ">" + tag.text;
  for (const Tag& child : tag.children) result += text_of(child);
  return result + "</" + tag.name + ">\n";
}

int below(int end) { return *rc::gen::inRange(0, end); }
bool chance(int percent) { return below(100) < percent; }
std::string number(const char* letter, int i) { return letter + std::to_string(i); }
std::string one_of(std::initializer_list<const char*> words) {
  return *(words.begin() + below(static_cast<int>(words.size())));
}

/// Draws one context after the other; all of them are good.
class Generator {
 public:
  Tag simulation() {
    Tag root{"simulation", {}, {}, {}};
    for (int i = 0; i <= below(2); ++i) root.children.push_back(context(number("c", i)));
    return root;
  }

 private:
  Tag context(const std::string& id) {
    Tag result{"context", {{"id", id}}, {}, {}};
    if (chance(30)) result.attributes.emplace_back("output_dir", "out");
    result.children.push_back({"calendar",
                               {{"type", one_of({"NoLeap", "D360", "Gregorian"})},
                                {"timestep", one_of({"1h", "30mi"})},
                                {"start_date", one_of({"2000-02-28", "1999-11-01 12"})}},
                               {},
                               {}});
    axes_ = 1 + below(4);
    domains_ = 1 + below(3);
    grids_ = 1 + below(3);
    fields_.clear();
    groups_ = 0;
    add(result, "axis", axes_, [this](int i) { return axis(i); });
    add_made(result, "axis", axes_, {"inverse_axis", {}, {}, {}});
    add(result, "domain", domains_, [this](int i) { return domain(i); });
    add_made(result, "domain", domains_, {"reorder_domain", {{"invert_lat", "true"}}, {}, {}});
    add(result, "grid", grids_, [this](int i) { return grid(i); });
    add_made_grids(result);
    add(result, "coupler_in", below(3), [this](int i) { return coupler_in(i); });
    received_ = static_cast<int>(fields_.size());
    add(result, "field", 1 + below(8), [this](int i) { return field(i); });
    result.children.back().attributes.emplace_back("operation", one_of({"average", "maximum"}));
    add(result, "file", 1 + below(3), [this](int i) { return file(i); });
    add(result, "coupler_out", below(3), [this](int i) { return coupler_out(i); });
    add(result, "variable", below(3), [](int i) { return variable(i); });
    result.children.back().children.push_back({"variable", {{"id", "number"}}, {}, "2.5e-3"});
    return result;
  }

  /// A definition with elements, some of them in groups up to three deep.
  template <class Make>
  void add(Tag& context, const std::string& kind, int count, Make make) {
    Tag definition{kind + "_definition", {}, {}, {}};
    for (int i = 0; i < count; ++i) {
      Tag element = make(i);
      for (int depth = below(4); depth > 0; --depth) {
        element = {kind + "_group", group_attributes(kind), {std::move(element)}, {}};
      }
      definition.children.push_back(std::move(element));
    }
    context.children.push_back(std::move(definition));
  }

  /// Of each element one that is made of it, and one that is made of that.
  static void add_made(Tag& context, const std::string& kind, int count, const Tag& step) {
    std::vector<Tag>& all = context.children.back().children;
    for (int i = 0; i < count; ++i) {
      const std::string id = number(kind == "axis" ? "a" : "d", i);
      for (const auto& [made, source] :
           {std::pair("once_" + id, id), {"twice_" + id, "once_" + id}}) {
        all.push_back({kind, {{"id", made}, {kind + "_ref", source}, {"name", made}}, {step}, {}});
      }
    }
  }

  /// Of each grid without elements of its own the same.
  void add_made_grids(Tag& context) {
    std::vector<Tag>& all = context.children.back().children;
    for (const char* how : {"once_", "twice_"}) {
      for (const Tag& grid : given_grids_) {
        Tag made = grid;
        made.attributes.front().second = how + made.attributes.front().second;
        for (Tag& element : made.children) {
          std::string& source = element.attributes.front().second;
          source = how + source;
        }
        all.push_back(std::move(made));
      }
    }
  }

  std::vector<std::pair<std::string, std::string>> group_attributes(const std::string& kind) {
    std::vector<std::pair<std::string, std::string>> result;
    const bool has_texts = kind == "axis" || kind == "field";
    if (has_texts && chance(50)) result.emplace_back("unit", one_of({"m", "K", " spaces "}));
    if (has_texts && chance(30)) result.emplace_back("long_name", one_of({"a&amp;b", "", "&lt;"}));
    if (kind == "field" && chance(30)) result.emplace_back("level", number("", 1 + below(5)));
    if (kind == "field") result.emplace_back("id", number("g", groups_++));
    if (kind == "file" && chance(50)) result.emplace_back("output_level", number("", 1 + below(5)));
    return result;
  }

  Tag axis(int i) const {
    Tag result{"axis", {{"id", number("a", i)}}, {}, {}};
    if (i > 0 && chance(50)) {
      result.attributes.emplace_back("axis_ref", number("a", below(i)));
      if (chance(30)) result.attributes.emplace_back("unit", "_reset_");
    } else {
      result.attributes.emplace_back("n_glo", "3");
      if (chance(50)) result.attributes.emplace_back("value", "(0,2)[0.1 1e300 -3]");
      if (chance(30)) result.attributes.emplace_back("begin", "1");
      if (result.attributes.back().first == "begin") {
        result.attributes.back() = {"mask", "(0,2)[y n y]"};
      }
    }
    // A name is inherited, and a file has one dimension of each.
    const bool refers = result.attributes.at(1).first == "axis_ref";
    if (refers || chance(30)) result.attributes.emplace_back("name", number("axis_name_", i));
    if (chance(20)) result.children.push_back({"inverse_axis", {}, {}, {}});
    if (chance(20)) {
      result.children.push_back({"extract_axis", {{"begin", "1"}, {"n", "2"}}, {}, {}});
    }
    return result;
  }

  Tag domain(int i) const {
    Tag result{"domain", {{"id", number("d", i)}}, {}, {}};
    if (i > 0 && chance(50)) {
      result.attributes.emplace_back("domain_ref", number("d", below(i)));
      if (chance(50)) result.attributes.emplace_back("lon_name", "nav_lon");
    } else {
      result.attributes.emplace_back("type", "rectilinear");
      result.attributes.emplace_back("ni_glo", number("", 2 + below(3)));
      result.attributes.emplace_back("nj_glo", "2");
      if (chance(50)) result.attributes.emplace_back("latvalue_1d", "(0,1)[-45 45]");
    }
    if (chance(30)) {
      result.children.push_back(
          {"extract_domain", {{"ibegin", "0"}, {"ni", "1"}, {"jbegin", "1"}, {"nj", "1"}}, {}, {}});
    }
    return result;
  }

  Tag grid(int i) {
    if (i == 0) given_grids_.clear();
    Tag result{"grid", {{"id", number("g", i)}}, {}, {}};
    bool has_own = false;
    if (chance(70)) {
      result.children.push_back({"domain", {{"domain_ref", number("d", below(domains_))}}, {}, {}});
    }
    for (int k = below(3); k > 0; --k) {
      result.children.push_back({"axis", {{"axis_ref", number("a", below(axes_))}}, {}, {}});
      if (!chance(20)) continue;
      has_own = true;
      const std::string own = number(("own" + number("_", i)).c_str(), k);
      result.children.back().attributes.emplace_back("id", own);
      result.children.back().attributes.emplace_back("name", own);
      result.children.back().attributes.emplace_back("positive", "down");
    }
    if (!has_own && !result.children.empty()) given_grids_.push_back(result);
    return result;
  }

  /// Whether there are grids that are made of it.
  bool is_given(const std::string& grid) const {
    return std::any_of(given_grids_.begin(), given_grids_.end(),
                       [&](const Tag& given) { return given.attributes.front().second == grid; });
  }

  /// What expressions must know of a field.
  struct Field {
    std::string id;
    int grid = 0;           ///< number of the field that says it
    int data = 0;           ///< of the field whose grid its data have
    std::string freq_op;    ///< none, 2h or 6h
    std::string grid_id{};  ///< none: of elements, or of a reference with another one
  };

  Tag field(int i) {
    Tag result{"field", {{"id", number("f", i)}}, {}, {}};
    const int own = received_ + i;
    Field known{number("f", i), own, own, ""};
    const Field* reference = nullptr;
    if (own > 0 && chance(40)) {
      reference = &one(fields_);
      known = {known.id, reference->grid, reference->data, reference->freq_op, reference->grid_id};
      result.attributes.emplace_back("field_ref", reference->id);
    } else if (chance(70)) {
      known.grid_id = number("g", below(grids_));
      result.attributes.emplace_back("grid_ref", known.grid_id);
    } else {
      result.attributes.emplace_back("domain_ref", number("d", below(domains_)));
      if (chance(50)) result.attributes.emplace_back("axis_ref", number("a", below(axes_)));
    }
    if (chance(30)) result.attributes.emplace_back("prec", "8");
    if (chance(20)) result.attributes.emplace_back("enabled", one_of({"no", "true"}));
    if (chance(30)) {
      result.attributes.emplace_back("detect_missing_value", "true");
      result.attributes.emplace_back("default_value", "-999.25");
    }
    if (chance(20)) {
      known.freq_op = one_of({"2h", "6h"});
      result.attributes.emplace_back("freq_op", known.freq_op);
      if (chance(50)) result.attributes.emplace_back("freq_offset", "1h");
    }
    if (chance(20)) result.attributes.emplace_back("operation", one_of({"instant", "minimum"}));
    if (chance(40)) add_expression(result, known, reference);
    fields_.push_back(known);
    return result;
  }

  void add_expression(Tag& field, Field& known, const Field* reference) {
    if (!fields_.empty()) known.data = one(fields_).data;
    const std::vector<std::string> operands = operands_of(known, reference);
    if (operands.empty()) {
      known.data = reference == nullptr ? known.grid : reference->data;
      return;
    }
    field.text = one(operands) + one_of({" + ", " * ", " ^ ", " - ", " &lt; "}) +
                 expression(operands, below(4));
    known.data = known.grid;  // the result is on the grid that the field names
  }

  /// What stands for data of the right size and, behind '@', for results that come when the
  /// field's own do.
  std::vector<std::string> operands_of(const Field& owner, const Field* reference) const {
    std::vector<std::string> result;
    const auto add = [&](const Field& field, const std::string& name) {
      if (field.data != owner.data) return;
      result.push_back(name);
      const bool fits =
          field.freq_op.empty() || owner.freq_op == "6h" || field.freq_op == owner.freq_op;
      if (fits) result.push_back("@" + name);
    };
    for (const Field& field : fields_) add(field, field.id);
    if (reference != nullptr) add(*reference, "this_ref");
    const bool is_sent = !owner.id.empty() && owner.grid == owner.data;
    if (is_sent) result.insert(result.end(), {"this", "@this"});
    return result;
  }

  static std::string expression(const std::vector<std::string>& operands, int depth) {
    if (depth == 0) return chance(60) ? one(operands) : one_of({"1", "0.5e-3", "$number"});
    const std::string a = expression(operands, depth - 1);
    const std::string b = expression(operands, depth - 1);
    switch (below(6)) {
      case 0:
        return one_of({"sqrt", "abs", "log10"}) + "(" + a + ")";
      case 1:
        return one_of({"min", "max"}) + "(" + a + ", " + b + ", 3)";
      case 2:
        return "(" + a + " &gt;= " + b + " or not " + a + " ? -" + b + " : $missing_value)";
      case 3:
        return "@(" + one(operands) + " * " + a + ")";
      default:
        return "(" + a + one_of({" + ", " - ", "/", "^"}) + b + ")";
    }
  }

  template <class T>
  static const T& one(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }

  /// Without a grid, nobody uses what is received: only the partner knows its size.
  Tag coupler_in(int i) {
    Tag result{"coupler_in", {{"context", "code::context"}}, {}, {}};
    if (chance(50)) result.attributes.emplace_back("id", number("in", i));
    for (int k = below(4); k > 0; --k) {
      const std::string id = number("r", 10 * i + k);
      Tag field{"field", {{"id", id}, {"operation", one_of({"instant", "average"})}}, {}, {}};
      const std::string freq_op = chance(30) ? "2h" : "";
      if (!freq_op.empty()) field.attributes.emplace_back("freq_op", freq_op);
      if (chance(30)) field.attributes.emplace_back("unit", "m");
      if (chance(70)) {
        const auto number_of_field = static_cast<int>(fields_.size());
        field.attributes.emplace_back("grid_ref", number("g", below(grids_)));
        fields_.push_back({id, number_of_field, number_of_field, freq_op});
      }
      result.children.push_back(std::move(field));
    }
    return result;
  }

  Tag coupler_out(int i) {
    Tag result{"coupler_out", {{"id", number("out", i)}, {"context", "code :: context"}}, {}, {}};
    for (int k = below(4); k > 0; --k) {
      const Field& reference = one(fields_);
      Field known{number("sent", 10 * i + k), reference.grid, reference.data, reference.freq_op};
      Tag field{"field", {{"id", known.id}, {"field_ref", reference.id}}, {}, {}};
      if (chance(30)) field.attributes.emplace_back("unit", one_of({"_reset_", "K"}));
      if (chance(30)) add_expression(field, known, &reference);
      result.children.push_back(std::move(field));
    }
    if (!chance(30)) return result;
    const Field& nameless = one(fields_);
    Tag field{"field", {{"field_ref", nameless.id}}, {}, {}};
    Field known{"", nameless.grid, nameless.data, nameless.freq_op};
    if (chance(50)) add_expression(field, known, &nameless);
    result.children.push_back(std::move(field));
    return result;
  }

  Tag file(int i) {
    Tag result{"file", {{"output_freq", one_of({"1d", "6h", "1mo"})}}, {}, {}};
    if (chance(50)) result.attributes.emplace_back("id", number("file", i));
    if (result.attributes.size() == 1 || chance(40)) {
      result.attributes.emplace_back("name", number("sub/name", i));
    }
    if (chance(20)) result.attributes.emplace_back("enabled", "false");
    if (chance(30)) result.attributes.emplace_back("name_suffix", "_x");
    if (chance(30)) result.children.push_back(variable(i));
    for (int k = below(5); k > 0; --k) {
      const Field& reference = one(fields_);
      Tag field{"field", {{"field_ref", reference.id}}, {}, {}};
      field.attributes.emplace_back("name", number("v", k));
      if (chance(30)) field.attributes.emplace_back("operation", "minimum");
      if (chance(30)) field.attributes.emplace_back("level", number("", 1 + below(6)));
      if (chance(20)) field.attributes.emplace_back("unit", "_reset_");
      Field known{"", reference.grid, reference.data, reference.freq_op};
      if (chance(20)) {
        known.id = number("in_file", 10 * i + k);
        field.attributes.emplace_back("id", known.id);
      }
      if (is_given(reference.grid_id) && chance(40)) {
        go_on(field, reference.grid_id);
      } else if (chance(30)) {
        add_expression(field, known, &reference);
      }
      if (chance(30)) field.children.push_back(variable(k));
      if (chance(30)) field = {"field_group", {{"long_name", "in a file"}}, {field}, {}};
      result.children.push_back(std::move(field));
    }
    return result;
  }

  /// To a grid that is made of that of its data.
  static void go_on(Tag& field, const std::string& grid) {
    field.attributes.emplace_back("grid_ref", one_of({"once_", "twice_"}) + grid);
    if (chance(30)) field.attributes.emplace_back("grid_path", "once_" + grid);
  }

  static Tag variable(int i) {
    return {"variable",
            {{"id", number("var", i)}, {"type", "string"}},
            {},
            "text &lt; &amp; " + number("", i)};
  }

  int axes_ = 0, domains_ = 0, grids_ = 0, groups_ = 0, received_ = 0;
  std::vector<Field> fields_;
  std::vector<Tag> given_grids_;  ///< those that others are made of
};

/// The models of a configuration, which has to be good.
std::vector<Model> resolved(const std::string& xml) {
  Checked checked = check_and_resolve(test::texts(xml));
  for (const Diagnostic& finding : checked.findings) {
    if (finding.severity == Severity::error) RC_FAIL(test::text(finding) + "\n" + xml);
  }
  return std::move(checked.models);
}

/// The same of what the generator has made. That it asks now and then for samples of data that come
/// less often, or for transformations that have no effect, is the generator's mistake alone.
std::vector<Model> first_resolved(const std::string& xml) {
  for (const Diagnostic& finding : check(test::texts(xml))) {
    if (finding.code == Code::data_too_rare) RC_DISCARD("samples of data that come less often");
    if (finding.code == Code::bad_transformation) {
      RC_DISCARD("data that come as they are on what is made of something else");
    }
  }
  return resolved(xml);
}

void same(const std::vector<Model>& a, const std::vector<Model>& b) {
  RC_ASSERT(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    RC_ASSERT(to_json(a[i]) == to_json(b[i]));
    RC_ASSERT(encode(a[i]) == encode(b[i]));
    RC_ASSERT(to_xml(a[i]) == to_xml(b[i]));  // with local attributes
  }
}

template <class Visit>
void for_each_tag(Tag& tag, Visit visit) {
  visit(tag);
  for (Tag& child : tag.children) for_each_tag(child, visit);
}

TEST(Property, order_of_attributes_never_matters) {
  EXPECT_TRUE(rc::check([] {
    Tag root = Generator().simulation();
    const std::vector<Model> before = first_resolved(text_of(root));
    std::mt19937 random(static_cast<unsigned>(below(1000)));
    for_each_tag(root, [&](Tag& tag) {
      std::shuffle(tag.attributes.begin(), tag.attributes.end(), random);
    });
    same(resolved(text_of(root)), before);
  }));
}

TEST(Property, order_of_definitions_never_matters) {
  EXPECT_TRUE(rc::check([] {
    Tag root = Generator().simulation();
    const std::vector<Model> before = first_resolved(text_of(root));
    std::mt19937 random(static_cast<unsigned>(below(1000)));
    for (Tag& context : root.children) {
      for (Tag& definition : context.children) {
        // Files, couplers and variables stay in the order of the text.
        const bool is_ordered = definition.name == "file_definition" ||
                                definition.name == "variable_definition" ||
                                definition.name.starts_with("coupler_");
        if (!is_ordered) {
          std::shuffle(definition.children.begin(), definition.children.end(), random);
        }
      }
      std::shuffle(context.children.begin(), context.children.end(), random);
    }
    same(resolved(text_of(root)), before);
  }));
}

TEST(Property, resolving_changes_nothing) {
  EXPECT_TRUE(rc::check([] {
    const std::string xml = text_of(Generator().simulation());
    const std::vector<Model> models = first_resolved(xml);
    same(models, resolved(xml));
    const Definitions definitions = test::definitions(xml);
    for (const std::string& context : definitions.contexts()) {
      same({definitions.resolve(context, Purpose::plan)},
           {definitions.resolve(context, Purpose::plan)});
    }
  }));
}

TEST(Property, a_printed_model_resolves_to_itself) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<Model> models = first_resolved(text_of(Generator().simulation()));
    same(resolved(to_xml(models)), models);
  }));
}

}  // namespace
}  // namespace epios::config::model_properties_test
