#include "grammar.hpp"

#include <algorithm>
#include <array>

namespace epios::config {

namespace {

/// The kinds that have groups and a definition element, with what stays different between them.
struct KindRule {
  ElementKind kind;
  std::string_view group_tag;
  std::string_view definition_tag;
  std::vector<std::string_view> children;
  TextUse text;
  std::string_view meaning;
};

std::vector<KindRule> kind_rules() {
  using K = ElementKind;
  return {
      {K::scalar,
       "scalar_group",
       "scalar_definition",
       {},
       TextUse::none,
       "one coordinate value without a dimension"},
      {K::axis, "axis_group", "axis_definition", {}, TextUse::none, "one dimension"},
      {K::domain,
       "domain_group",
       "domain_definition",
       {},
       TextUse::none,
       "a horizontal grid of two dimensions"},
      {K::grid,
       "grid_group",
       "grid_definition",
       {"domain", "axis", "scalar"},
       TextUse::none,
       "an ordered list of domains, axes and scalars; the first varies fastest"},
      {K::field,
       "field_group",
       "field_definition",
       {"variable", "variable_group"},
       TextUse::expression,
       "data on a grid with a temporal operation; inside a file, a variable to write"},
      {K::file,
       "file_group",
       "file_definition",
       {"field", "field_group", "variable", "variable_group"},
       TextUse::none,
       "fields written together with one period"},
      {K::variable,
       "variable_group",
       "variable_definition",
       {},
       TextUse::value,
       "in a file or field: an attribute on file; in the context: a parameter"},
  };
}

void add_kind(std::vector<Tag>& tags, const KindRule& rule) {
  const std::string_view element = name(rule.kind);
  const TextUse group_text = rule.kind == ElementKind::variable ? TextUse::pairs : TextUse::none;
  const bool transformable = rule.kind == ElementKind::scalar || rule.kind == ElementKind::axis ||
                             rule.kind == ElementKind::domain;
  tags.push_back({std::string(rule.definition_tag),
                  rule.kind,
                  Form::definition,
                  {element, rule.group_tag},
                  true,
                  true,
                  group_text,
                  Severity::warning,
                  "outermost group of its kind in a context"});
  tags.push_back({std::string(rule.group_tag),
                  rule.kind,
                  Form::group,
                  {element, rule.group_tag},
                  true,
                  true,
                  group_text,
                  Severity::warning,
                  "hands its attributes to everything inside"});
  tags.push_back({std::string(element), rule.kind, Form::element, rule.children, true, false,
                  rule.text, transformable ? Severity::error : Severity::warning, rule.meaning});
}

std::vector<Tag> build() {
  std::vector<Tag> tags;
  const std::vector<KindRule> rules = kind_rules();
  std::vector<std::string_view> in_context{"calendar"};
  for (const KindRule& rule : rules) in_context.push_back(rule.definition_tag);
  tags.push_back({"simulation",
                  ElementKind::any,
                  Form::element,
                  {"context", "context_group"},
                  false,
                  false,
                  TextUse::none,
                  Severity::warning,
                  "root of every configuration"});
  tags.push_back({"context_group",
                  ElementKind::any,
                  Form::group,
                  {"context", "context_group"},
                  true,
                  true,
                  TextUse::none,
                  Severity::warning,
                  "transparent wrapper of contexts"});
  tags.push_back({"context", ElementKind::context, Form::element, in_context, true, true,
                  TextUse::none, Severity::warning,
                  "one name space: calendar, definitions, files of one component"});
  tags.push_back({"calendar",
                  ElementKind::calendar,
                  Form::element,
                  {},
                  false,
                  false,
                  TextUse::none,
                  Severity::warning,
                  "calendar and time step of a context"});
  for (const KindRule& rule : rules) add_kind(tags, rule);
  return tags;
}

}  // namespace

bool Tag::has_child(std::string_view tag) const {
  return std::find(children.begin(), children.end(), tag) != children.end();
}

std::span<const Tag> grammar() {
  static const std::vector<Tag> tags = build();
  return tags;
}

const Tag* find_tag(std::string_view name) {
  for (const Tag& tag : grammar()) {
    if (tag.name == name) return &tag;
  }
  return nullptr;
}

bool accepts_src(std::string_view tag) {
  const Tag* found = find_tag(tag);
  return found != nullptr && found->accepts_src;
}

}  // namespace epios::config
