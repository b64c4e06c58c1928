// Turns the tree of a document into typed definitions. For each element it finds the tag, then its
// id and special attributes, then all other attributes by the table, its text, and its children.
#include "building/loader.hpp"

#include <fmt/format.h>

#include <memory>
#include <span>

#include "building/setting.hpp"
#include "check/expression_check.hpp"
#include "check/run_variable_check.hpp"
#include "check/server_reference_check.hpp"
#include "config/value_print.hpp"
#include "language/first_edition.hpp"
#include "language/value_text.hpp"
#include "model/server_plan_reader.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

using Element = Document::Element;

class Loader {
 public:
  Loader(Contexts& contexts, Findings& findings) : contexts_(contexts), findings_(findings) {}

  /// simulation and context_group: nothing but contexts inside.
  void load_contexts(const Element& element, const Tag& tag) {
    check_attributes(element, tag);
    for_each_child(element, tag, [this](const Element& child, const Tag& child_tag) {
      if (child_tag.kind == ElementKind::context) {
        load_context(child, child_tag);
      } else {
        load_contexts(child, child_tag);
      }
    });
  }

 private:
  void load_context(const Element& element, const Tag& tag) {
    const std::string id = id_of(element);
    if (id.empty()) {
      if (findings_.is_compatible()) return;
      findings_.error(Code::no_id, {element.position, {}}, "<context> has no id",
                      "a model opens its context by id", "Add id=\"...\".");
      return;
    }
    store_ = &contexts_.open(id, {element.position, {}});
    set_attributes(store_->context_node(), element, tag);
    for_each_child(element, tag, [this](const Element& child, const Tag& child_tag) {
      const int node = store_->root_of(child_tag.kind);
      if (child_tag.kind == ElementKind::calendar) {
        store_->at(node).origin = {child.position, {}};
        set_attributes(node, child, child_tag);
        for_each_child(child, child_tag, [](const Element&, const Tag&) {});
      } else {
        Origin& origin = store_->at(node).origin;
        if (child_tag.form == Form::definition && store_->at(node).children.empty()) {
          origin = {child.position, {}};
        }
        load_node(node, child, child_tag, store_->context_node());
      }
    });
  }

  /// Attributes, text and children of one element or group that is already open.
  void load_node(int node, const Element& element, const Tag& tag, int owner) {
    const Findings::About about(findings_, store_->id(), node);
    if (!tag.successor.empty()) {
      findings_.tolerate(Code::old_name, {element.position, {}},
                         fmt::format("<{}> is an old name", tag.name), "it still means the same",
                         fmt::format("Write <{}>.", tag.successor));
    }
    set_attributes(node, element, tag);
    take_text(node, element, tag, owner);
    const bool owns = tag.form == Form::element &&
                      (tag.kind == ElementKind::file || tag.kind == ElementKind::field);
    const int owner_below = owns ? node : owner;
    for_each_child(element, tag, [&](const Element& child, const Tag& child_tag) {
      const Origin origin{child.position, {}};
      if (child_tag.text == TextUse::expression && child_tag.kind == ElementKind::any) {
        check_attributes(child, child_tag);
        set_expression(node, child);
        for_each_child(child, child_tag, [](const Element&, const Tag&) {});
        return;
      }
      const int below =
          store_->open(child_tag.kind, child_tag.form, id_of(child), owner_below, origin);
      if (!store_->adopt(node, below)) {
        findings_.error(Code::group_in_itself, origin,
                        fmt::format("{} contains itself", store_->at(below).title()),
                        fmt::format("it is also around {}", store_->at(node).title()));
        return;
      }
      load_node(below, child, child_tag, owner_below);
    });
  }

  template <class Visit>
  void for_each_child(const Element& element, const Tag& tag, Visit visit) {
    for (const Element& child : element.children) {
      if (const Tag* child_tag = find_child(tag, child.tag)) {
        visit(child, *child_tag);
      } else {
        refuse_child(child, tag);
      }
    }
  }

  /// XIOS takes <extract_axis_definition> and the like in a context, and does nothing with them.
  static bool is_transformation_container(std::string_view tag) {
    for (const std::string_view ending : {"_definition", "_group"}) {
      if (!tag.ends_with(ending)) continue;
      const Tag* inside = find_tag(tag.substr(0, tag.size() - ending.size()));
      if (inside != nullptr && is_transformation(inside->kind)) return true;
    }
    return false;
  }

  void refuse_child(const Element& child, const Tag& tag) {
    if (tag.kind == ElementKind::context && is_transformation_container(child.tag)) {
      findings_.tolerate(
          Code::without_effect, {child.position, {}}, fmt::format("<{}> has no effect", child.tag),
          "a transformation works where it stands in a domain, an axis or a scalar", "Remove it.");
      return;
    }
    const std::string problem =
        find_tag(child.tag) != nullptr
            ? fmt::format("<{}> cannot stand in <{}>", child.tag, tag.name)
            : fmt::format("unknown element <{}> in <{}>", child.tag, tag.name);
    std::string suggestion = findings_.suggestions().text(fmt::format("element:{}", tag.name),
                                                          child.tag, [&] { return tag.children; });
    if (suggestion.empty()) suggestion = place_of(child.tag);
    if (tag.unknown_child == Severity::error) {
      findings_.error(Code::unknown_element, {child.position, {}}, problem,
                      "only transformations stand there, and what it would do is not known",
                      std::move(suggestion));
    } else {
      findings_.tolerate(Code::unknown_element, {child.position, {}}, problem,
                         "it is ignored with everything inside", std::move(suggestion));
    }
  }

  /// Where a known tag may stand; "" for others.
  static std::string place_of(std::string_view tag) {
    std::vector<std::string> parents;
    for (const Tag& parent : grammar()) {
      if (parent.has_child(tag)) parents.push_back(fmt::format("<{}>", parent.name));
    }
    if (parents.empty()) return {};
    const std::string last = std::move(parents.back());
    parents.pop_back();
    return fmt::format("It belongs in {}{}{}.", fmt::join(parents, ", "),
                       parents.empty() ? "" : " or ", last);
  }

  std::string id_of(const Element& element) const {
    std::string id;
    for (const Document::Attribute& attribute : element.attributes) {
      if (attribute.name == "id") id = attribute.value;
    }
    return id;
  }

  /// id and src; true when the attribute needs no further look.
  bool take_special(const Document::Attribute& attribute, const Element& element, const Tag& tag) {
    const Origin origin{attribute.position, {}};
    if (attribute.name == "id" && tag.accepts_id) {
      const std::string definition = tag.form == Form::definition ? tag.name : "";
      if (attribute.value.empty()) {
        findings_.error(Code::no_id, origin,
                        fmt::format("attribute 'id' of <{}> is empty", element.tag), {},
                        "Leave it out if nobody refers to the element.");
      } else if (!definition.empty() && attribute.value != definition) {
        findings_.warning(Code::without_effect, origin,
                          fmt::format("id '{}' of <{}> is ignored", attribute.value, element.tag),
                          fmt::format("a definition element always has the id '{}'", definition));
      }
      return true;
    }
    return attribute.name == "src" && tag.accepts_src;
  }

  void refuse_attribute(const Document::Attribute& attribute, const Tag& tag) {
    const auto names = [&] {
      std::vector<std::string_view> result;
      for (const AttributeInfo& row : rows_of(tag)) result.push_back(row.name);
      if (tag.accepts_id) result.emplace_back("id");
      if (tag.accepts_src) result.emplace_back("src");
      if (tag.accepts_group_ref()) result.emplace_back("group_ref");
      return result;
    };
    const std::string problem =
        fmt::format("unknown attribute '{}' of <{}>", attribute.name, tag.name);
    std::string suggestion =
        findings_.suggestions().text(fmt::format("attribute:{}", tag.name), attribute.name, names);
    if (is_of_first_edition(tag.name, attribute.name, attribute.value)) suggestion = migrate_hint;
    if (tag.name == "simulation") {
      findings_.tolerate(Code::unknown_attribute, {attribute.position, {}}, problem,
                         "it is ignored", std::move(suggestion));
      return;
    }
    findings_.error(Code::unknown_attribute, {attribute.position, {}}, problem, {},
                    std::move(suggestion));
  }

  /// Checks the attributes of tags that are no elements. Values are checked and dropped.
  void check_attributes(const Element& element, const Tag& tag) {
    for (const Document::Attribute& attribute : element.attributes) {
      take_value(attribute, element, tag, [](const AttributeInfo&, ParsedValue&&) {});
    }
  }

  void set_attributes(int node, const Element& element, const Tag& tag) {
    for (const Document::Attribute& attribute : element.attributes) {
      const Origin origin{attribute.position, {}};
      if (attribute.name == "group_ref" && tag.accepts_group_ref()) {
        set_group_ref(node, attribute, tag);
        continue;
      }
      take_value(attribute, element, tag, [&](const AttributeInfo& row, ParsedValue&& parsed) {
        const bool is_hidden = row.name == "expr" && !store_->at(node).text.empty();
        if (is_hidden) return;
        if (row.name == "expr") {
          store_->at(node).raw_expression = attribute.raw_value;
          store_->at(node).expression_position = attribute.value_position;
        }
        set(node, row, std::move(parsed), attribute, tag);
      });
    }
  }

  /// An array that did not parse is a mistake as soon as somebody needs its element.
  static bool may_wait(const AttributeInfo& row) {
    const bool is_array = row.type >= ValueType::booleans;
    return is_array && (row.element == ElementKind::scalar || row.element == ElementKind::axis ||
                        row.element == ElementKind::domain || row.element == ElementKind::grid);
  }

  void set(int node, const AttributeInfo& row, ParsedValue&& parsed,
           const Document::Attribute& attribute, const Tag& tag) {
    const Origin origin{attribute.position, {}};
    std::shared_ptr<const Setting> before = overridden(node, row, parsed.value, origin);
    const bool is_broken = !parsed.why.empty();
    Setting& setting = store_->set(node, row, std::move(parsed.value), origin, is_broken);
    setting.before = std::move(before);
    if (!is_broken || !may_wait(row)) return;
    setting.broken = std::make_shared<const BrokenText>(BrokenText{
        problem_of(attribute, tag), std::move(parsed.why), std::move(parsed.suggestion)});
  }

  /// Returns a different value that another place of the XML gave the same element. A repeated
  /// definition element gets a note, because the author of one may not know of the other.
  std::shared_ptr<const Setting> overridden(int node, const AttributeInfo& row,
                                            const std::optional<Value>& value,
                                            const Origin& origin) {
    const Setting* known = store_->at(node).find(row.name);
    if (known == nullptr || known->origin.text() == origin.text()) return nullptr;
    if (known->value == value) return known->before;
    if (store_->at(node).form == Form::definition && known->value && value) {
      findings_.add(Severity::note, Code::set_twice, origin,
                    fmt::format("attribute '{}' of <{}> is '{}'", row.name, store_->at(node).id,
                                printed(*value)),
                    fmt::format("it was '{}' at {}; the last one counts for all that is in either",
                                printed(*known->value), known->origin.text()),
                    {});
    }
    return std::make_shared<const Setting>(*known);
  }

  static std::string problem_of(const Document::Attribute& attribute, const Tag& tag) {
    return fmt::format("attribute '{}' of <{}> has the value '{}'", attribute.name, tag.name,
                       attribute.value);
  }

  /// Hands on the value of an attribute; without one for `_reset_`, with a reason for text that
  /// does not parse, which is reported here.
  template <class Take>
  void take_value(const Document::Attribute& attribute, const Element& element, const Tag& tag,
                  Take take) {
    if (take_special(attribute, element, tag)) return;
    const AttributeInfo* row =
        tag.kind == ElementKind::any ? nullptr : find_attribute(tag.kind, attribute.name);
    if (row == nullptr) return refuse_attribute(attribute, tag);
    if (trimmed(attribute.value) == "_reset_") return take(*row, ParsedValue{});
    ParsedValue parsed = parse_value(*row, attribute.value);
    const Origin origin{attribute.position, {}};
    if (!parsed.value && is_of_first_edition(tag.name, attribute.name, attribute.value)) {
      parsed.suggestion = migrate_hint;
    } else if (!parsed.value) {
      take_first_of_list(*row, attribute, tag, parsed);
      if (!parsed.value) take_numbers_before_letters(*row, attribute, tag, parsed);
    }
    if (!parsed.value && !may_wait(*row)) {
      findings_.error(Code::bad_value, origin, problem_of(attribute, tag), parsed.why,
                      parsed.suggestion);
    } else if (row->since == "none") {
      findings_.tolerate(Code::without_effect, origin,
                         fmt::format("attribute '{}' of <{}> is ignored", attribute.name, tag.name),
                         std::string(row->meaning), "Remove it.");
    }
    take(*row, std::move(parsed));
  }

  /// Where one value is wanted.
  void take_first_of_list(const AttributeInfo& row, const Document::Attribute& attribute,
                          const Tag& tag, ParsedValue& parsed) {
    std::optional<Value> first = first_of_list(row, attribute.value);
    if (!first) return;
    findings_.tolerate(Code::bad_value, {attribute.position, {}}, problem_of(attribute, tag),
                       fmt::format("one value is wanted; the first, {}, counts", printed(*first)),
                       "Leave the others out.");
    parsed = {std::move(first), {}, {}};
  }

  /// level="2a" is 2, as where numbers are read from a stream.
  void take_numbers_before_letters(const AttributeInfo& row, const Document::Attribute& attribute,
                                   const Tag& tag, ParsedValue& parsed) {
    std::optional<Value> numbers = numbers_before_letters(row, attribute.value);
    if (!numbers) return;
    const bool is_array = row.type == ValueType::integers || row.type == ValueType::reals;
    findings_.tolerate(Code::bad_value, {attribute.position, {}}, problem_of(attribute, tag),
                       is_array
                           ? "letters stand behind numbers; the numbers count"
                           : fmt::format("letters stand behind the number; the number, {}, counts",
                                         printed(*numbers)),
                       "Remove the letters.");
    parsed = {std::move(numbers), {}, {}};
  }

  void set_group_ref(int node, const Document::Attribute& attribute, const Tag& tag) {
    if (tag.kind != ElementKind::field) {
      findings_.tolerate(Code::without_effect, {attribute.position, {}},
                         fmt::format("attribute 'group_ref' of <{}> is ignored", tag.name),
                         "only groups of fields take it");
      return;
    }
    Setting& setting = store_->at(node).group_ref;
    setting = {find_attribute(ElementKind::any, "group_ref"),
               std::nullopt,
               {attribute.position, {}},
               false,
               node};
    const std::string id(trimmed(attribute.value));
    if (id != "_reset_") setting.value = id;
  }

  /// Text wins over the attribute, wherever it stands.
  void set_expression(int field, const Element& element) {
    if (element.text.empty()) return;
    store_->at(field).text = element.text;
    store_->at(field).raw_expression = element.raw_text;
    store_->at(field).expression_position = element.text_position;
    store_->set(field, *find_attribute(ElementKind::field, "expr"), Value(element.text),
                {element.text_position, {}});
  }

  static std::span<const AttributeInfo> rows_of(const Tag& tag) {
    if (tag.kind == ElementKind::any) return {};
    return attributes_of(tag.kind);
  }

  void take_text(int node, const Element& element, const Tag& tag, int owner) {
    const Origin origin{element.position, {}};
    if (tag.text == TextUse::value) {
      if (element.text.empty()) {
        findings_.error(Code::bad_variable, origin,
                        fmt::format("{} has no text", store_->at(node).title()),
                        "the value of a variable is its text");
      }
      store_->at(node).text = element.text;
      store_->at(node).origin = origin;  // where the text that counts stands
    } else if (tag.text == TextUse::pairs) {
      take_pairs(node, element, owner);
    } else if (tag.text == TextUse::expression) {
      set_expression(node, element);
    } else if (!element.text.empty()) {
      findings_.tolerate(Code::without_effect, {element.text_position, {}},
                         fmt::format("text '{}' in <{}> is ignored", element.text, element.tag));
    }
  }

  /// "key = value; key = value;", keys in lower case.
  void take_pairs(int node, const Element& element, int owner) {
    std::string_view rest = element.text;
    Position position = element.text_position;
    std::size_t counted = 0;  // up to here; counting from the start each time would be quadratic
    while (!rest.empty()) {
      const std::size_t end = rest.find(';');
      const std::string_view pair = trimmed(rest.substr(0, end));
      rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
      if (pair.empty()) continue;
      const auto offset = static_cast<std::size_t>(pair.data() - element.text.data());
      position = position_inside(position,
                                 std::string_view(element.text).substr(counted, offset - counted),
                                 offset - counted);
      counted = offset;
      const Origin origin{position, {}};
      const std::size_t equal = pair.find('=');
      const std::string id = lower_case(trimmed(pair.substr(0, equal)));
      const std::string_view value =
          equal == std::string_view::npos ? "" : trimmed(pair.substr(equal + 1));
      if (id.empty() || value.empty()) {
        findings_.error(
            Code::bad_variable, origin, fmt::format("text '{}' is not a variable", pair),
            "text of a group of variables reads 'key = value;'", "Separate variables by ';'.");
        continue;
      }
      const int variable = store_->open(ElementKind::variable, Form::element, id, owner, origin);
      store_->adopt(node, variable);
      store_->at(variable).text = value;
    }
  }

  Contexts& contexts_;
  Findings& findings_;
  ContextStore* store_ = nullptr;
};

}  // namespace

void load(const Document& document, const std::vector<std::string>& settings, Contexts& contexts,
          Findings& findings) {
  const Element& root = document.root();
  contexts.policy = findings.policy();
  for (const Diagnostic& tolerated : document.warnings()) {
    findings.tolerate(tolerated.code, {tolerated.position, {}}, tolerated.problem, tolerated.why,
                      tolerated.suggestion);
  }
  const Tag* tag = find_tag("simulation");
  if (root.tag != tag->name) {
    findings.error(Code::wrong_root, {root.position, {}},
                   fmt::format("the root element is <{}>", root.tag),
                   "a configuration starts with <simulation>");
    return;
  }
  Loader(contexts, findings).load_contexts(root, *tag);
  for (const std::string& setting : settings) apply_setting(contexts, setting);
  ServerPlan servers;
  if (const ContextStore* store = contexts.find(parameter_context)) {
    check_run_variables(*store, findings);
    servers = read_server_plan(*store, findings);
  }
  for (const ContextStore& store : contexts.all()) {
    if (store.id() == parameter_context) continue;
    check_no_servers(store, findings);
    check_server_references(store, servers, findings);
  }
}

}  // namespace epios::config
