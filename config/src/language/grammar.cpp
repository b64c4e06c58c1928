// The grammar: which tags exist, what they contain, and what they mean. One rule per kind of
// element; group, definition and reference tags follow from it. The tables are built once.
#include "language/grammar.hpp"

#include <algorithm>
#include <unordered_map>

#include "config/transformation_traits.hpp"

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
  constexpr TextUse none = TextUse::none;
  return {
      {K::scalar, "scalar_group", "scalar_definition", transformation_tags(K::scalar), none,
       "one coordinate value without a dimension"},
      {K::axis, "axis_group", "axis_definition", transformation_tags(K::axis), none,
       "one dimension"},
      {K::domain, "domain_group", "domain_definition", transformation_tags(K::domain), none,
       "a horizontal grid of two dimensions"},
      {K::grid,
       "grid_group",
       "grid_definition",
       {"domain", "axis", "scalar", "hierarchy"},
       none,
       "an ordered list of domains, axes and scalars; the first varies fastest"},
      {K::field,
       "field_group",
       "field_definition",
       {"variable", "variable_group", "expr"},
       TextUse::expression,
       "data on a grid with a temporal operation; inside a file, a variable to write"},
      {K::file,
       "file_group",
       "file_definition",
       {"field", "field_group", "variable", "variable_group", "hierarchy"},
       none,
       "fields written together with one period"},
      {K::variable,
       "variable_group",
       "variable_definition",
       {},
       TextUse::value,
       "in a file or field: an attribute on file; in the context: a parameter"},
      {K::coupler_in,
       "coupler_in_group",
       "coupler_in_definition",
       {"field", "field_group"},
       none,
       "fields that another context sends"},
      {K::coupler_out,
       "coupler_out_group",
       "coupler_out_definition",
       {"field", "field_group"},
       none,
       "fields for another context"},
      {K::pool,
       "pool_group",
       "pool_definition",
       {"service", "service_group"},
       none,
       "a set of server processes; in context xios"},
      {K::service,
       "service_group",
       "service_definition",
       {"service"},
       none,
       "a task of the processes of a pool; inside another service it shares its processes"},
  };
}

void add_kind(std::vector<Tag>& tags, const KindRule& rule) {
  const std::string_view element = name(rule.kind);
  const TextUse group_text = rule.kind == ElementKind::variable ? TextUse::pairs : TextUse::none;
  const bool transformable = rule.kind == ElementKind::scalar || rule.kind == ElementKind::axis ||
                             rule.kind == ElementKind::domain;
  Tag group;
  group.name = rule.definition_tag;
  group.kind = rule.kind;
  group.form = Form::definition;
  group.children = {element, rule.group_tag};
  group.accepts_src = true;
  group.text = group_text;
  group.meaning = "outermost group of its kind in a context";
  tags.push_back(group);
  group.name = rule.group_tag;
  group.form = Form::group;
  group.meaning = "hands its attributes to everything inside";
  tags.push_back(group);
  Tag tag;
  tag.name = element;
  tag.kind = rule.kind;
  tag.children = rule.children;
  tag.text = rule.text;
  tag.unknown_child = transformable ? Severity::error : Severity::warning;
  tag.meaning = rule.meaning;
  tags.push_back(std::move(tag));
}

Tag fixed_tag(std::string_view name, ElementKind kind, std::vector<std::string_view> children,
              std::string_view meaning) {
  Tag tag;
  tag.name = name;
  tag.kind = kind;
  tag.children = std::move(children);
  tag.meaning = meaning;
  return tag;
}

std::vector<Tag> build() {
  std::vector<Tag> tags;
  const std::vector<KindRule> rules = kind_rules();
  std::vector<std::string_view> in_context{"calendar"};
  for (const KindRule& rule : rules) in_context.push_back(rule.definition_tag);
  tags.push_back(fixed_tag("simulation", ElementKind::simulation, {"context", "context_group"},
                           "root of every configuration"));
  tags.back().accepts_id = false;
  tags.push_back(fixed_tag("context_group", ElementKind::any, {"context", "context_group"},
                           "transparent wrapper of contexts"));
  tags.back().form = Form::group;
  tags.back().accepts_src = true;
  tags.push_back(fixed_tag("context", ElementKind::context, in_context,
                           "one name space: calendar, definitions, files of one component"));
  tags.back().accepts_src = true;
  tags.push_back(
      fixed_tag("calendar", ElementKind::calendar, {}, "calendar and time step of a context"));
  tags.back().accepts_id = false;
  for (const KindRule& rule : rules) add_kind(tags, rule);
  tags.push_back(
      fixed_tag("expr", ElementKind::any, {}, "an expression, as the text of its field"));
  tags.back().accepts_id = false;
  tags.back().text = TextUse::expression;
  tags.push_back(fixed_tag("hierarchy", ElementKind::hierarchy, {},
                           "in a file: coarser levels of its fields in space and time, each a file "
                           "of its own"));
  for (const TransformationName& rule : transformation_names()) {
    tags.push_back(fixed_tag(rule.tag, rule.kind, {}, rule.meaning));
    tags.back().within = traits_of(rule.kind).within;
    tags.back().successor = rule.successor;
  }
  return tags;
}

using Names = std::unordered_map<std::string_view, std::vector<const Tag*>>;

/// The tags of a name.
const std::vector<const Tag*>& tags_named(std::string_view name) {
  static const Names names = [] {
    Names result;
    for (const Tag& tag : grammar()) result[tag.name].push_back(&tag);
    return result;
  }();
  static const std::vector<const Tag*> none;
  const auto found = names.find(name);
  return found == names.end() ? none : found->second;
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
  const std::vector<const Tag*>& tags = tags_named(name);
  return tags.empty() ? nullptr : tags.front();
}

const Tag* find_child(const Tag& parent, std::string_view name) {
  if (!parent.has_child(name)) return nullptr;
  for (const Tag* tag : tags_named(name)) {
    if (tag->within == ElementKind::any || tag->within == parent.kind) return tag;
  }
  return nullptr;
}

bool accepts_src(std::string_view tag) {
  const Tag* found = find_tag(tag);
  return found != nullptr && found->accepts_src;
}

}  // namespace epios::config
