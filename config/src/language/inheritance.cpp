// Resolves what elements inherit from groups and references, on demand and once per element.
// Lookups of references come first, then reports of broken ones, then need(), which marks what
// output depends on.
#include "language/inheritance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <unordered_set>
#include <utility>

#include "config/transformation_traits.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

/// Groups nested deeper than this can only be made by reopening ids, and are refused.
constexpr int largest_group_depth = 256;

constexpr std::size_t npos = std::string::npos;
/// Between ids where somebody writes several.
constexpr std::string_view list_separators = " ,;\t\n";

/// The elements of an implicit grid: a field has them or a grid_ref.
bool is_element_of_grid(std::string_view attribute) {
  return attribute == "domain_ref" || attribute == "axis_ref" || attribute == "scalar_ref";
}

/// Fills the empty slots of `to` with what `from` hands down, a group or what is referred to. A
/// grid is not inherited in pieces: who has a grid takes no elements, who has elements takes no
/// grid.
void inherit(Resolved& to, const Resolved& from, HandedDown least) {
  const bool has_grid = to.find("grid_ref") != nullptr;
  const bool has_elements = to.find("domain_ref") != nullptr || to.find("axis_ref") != nullptr ||
                            to.find("scalar_ref") != nullptr;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const Setting* setting = from.at(i);
    if (to.at(i) != nullptr || setting == nullptr) continue;
    if (setting->row->element == ElementKind::field) {
      if (has_grid && is_element_of_grid(setting->row->name)) continue;
      if (has_elements && setting->row->name == "grid_ref") continue;
    }
    const bool is_given = setting->value || setting->is_broken;
    if (is_given && setting->row->handed_down >= least) to.at(i) = setting;
  }
}

/// Attributes of an element that say more of the points that others give.
std::span<const std::string_view> words_of_points(ElementKind kind) {
  static constexpr std::array<std::string_view, 2> of_axis{"bounds", "label"};
  static constexpr std::array<std::string_view, 7> of_domain{
      "bounds_lon_1d", "bounds_lat_1d", "bounds_lon_2d", "bounds_lat_2d",
      "area",          "area_1d",       "area_2d"};
  if (kind == ElementKind::axis) return of_axis;
  if (kind == ElementKind::domain) return of_domain;
  return {};
}

/// Returns true if an element that others are interpolated to describes its own points. Bounds and
/// the like of what it refers to then belong to other points.
bool is_interpolated_to_own_points(const ContextStore& store, const Node& node,
                                   const Resolved& own) {
  const bool is_interpolated =
      std::any_of(node.children.begin(), node.children.end(), [&](int child) {
        const ElementKind kind = store.at(child).kind;
        return is_transformation(kind) && is_interpolation(kind);
      });
  if (!is_interpolated) return false;
  if (node.kind == ElementKind::axis) return own.find("value") != nullptr;
  return node.kind == ElementKind::domain &&
         (own.find("lonvalue_1d") != nullptr || own.find("lonvalue_2d") != nullptr);
}

std::string reference_attribute(ElementKind kind) { return fmt::format("{}_ref", name(kind)); }

ElementKind kind_of_reference(const AttributeInfo& row) {
  for (int i = 0; i < element_kind_count; ++i) {
    if (name(static_cast<ElementKind>(i)) == row.words) return static_cast<ElementKind>(i);
  }
  return ElementKind::any;
}

}  // namespace

const Setting* Resolved::find(const AttributeInfo& row) const {
  const Setting* setting = by_row_[index(row)];
  return setting != nullptr && setting->value ? setting : nullptr;
}

const Setting* Resolved::find(std::string_view attribute) const {
  const AttributeInfo* row = find_attribute(kind_, attribute);
  return row == nullptr ? nullptr : find(*row);
}

bool Resolved::is_broken(std::string_view attribute) const {
  const AttributeInfo* row = find_attribute(kind_, attribute);
  const Setting* setting = row == nullptr ? nullptr : by_row_[index(*row)];
  return setting != nullptr && setting->is_broken;
}

void Resolved::leave_out(std::string_view attribute) {
  const AttributeInfo* row = find_attribute(kind_, attribute);
  if (row != nullptr) slot(*row) = nullptr;
}

Origin origin_of(const Resolved& resolved, std::string_view attribute, const Node& node) {
  const Setting* setting = resolved.find(attribute);
  return setting != nullptr ? setting->origin : node.origin;
}

Inheritance::Inheritance(const ContextStore& store, Findings& findings)
    : store_(store), findings_(findings) {
  switch_off_fields_of_disabled_files();
}

Resolved Inheritance::own_settings(int node) const {
  const Node& element = store_.at(node);
  Resolved result(element.kind);
  for (const Setting& setting : element.settings) result.slot(*setting.row) = &setting;
  if (const auto off = switched_off_.find(node); off != switched_off_.end()) {
    result.slot(*off->second.enabled.row) = &off->second.enabled;
  }
  return result;
}

void Inheritance::switch_off_fields_of_disabled_files() {
  const AttributeInfo& row = *find_attribute(ElementKind::field, "enabled");
  std::unordered_set<int> written;
  const int root = store_.root_of(ElementKind::file);
  for (const int file : store_.elements_below(root, ElementKind::file)) {
    const Setting* enabled = of(file).find("enabled");
    const bool is_off = enabled != nullptr && !std::get<bool>(*enabled->value);
    for (const int field : store_.elements_below(file, ElementKind::field)) {
      if (is_off) {
        switched_off_.try_emplace(
            field, SwitchedOff{{&row, Value(false), enabled->origin, false, field}, file});
      } else {
        written.insert(field);
      }
    }
  }
  for (const int field : written) switched_off_.erase(field);
}

int Inheritance::disabling_file(int field) const {
  const auto off = switched_off_.find(field);
  return off == switched_off_.end() ? -1 : off->second.file;
}

const Resolved& Inheritance::of_group(int group, int depth) {
  if (const auto found = groups_.find(group); found != groups_.end()) return found->second;
  const Node& node = store_.at(group);
  Resolved result = own_settings(group);
  if (depth > largest_group_depth) {
    findings_.error(Code::too_large, node.origin,
                    fmt::format("groups nest too deep below {}", node.title()),
                    fmt::format("limit {}", largest_group_depth));
    return groups_[group] = std::move(result);
  }
  for (const int parent : node.parents) {
    if (store_.at(parent).kind == node.kind)
      inherit(result, of_group(parent, depth + 1), HandedDown::groups);
  }
  return groups_[group] = std::move(result);
}

const Resolved& Inheritance::without_reference(int node) {
  if (const auto found = partial_.find(node); found != partial_.end()) return found->second;
  const Node& element = store_.at(node);
  Resolved result = own_settings(node);
  for (const int parent : element.parents) {
    const Node& around = store_.at(parent);
    if (around.kind == element.kind && around.form != Form::element) {
      inherit(result, of_group(parent, 0), HandedDown::groups);
    }
  }
  return partial_[node] = std::move(result);
}

const Setting* Inheritance::expression(int field) { return without_reference(field).find("expr"); }

/// In the compatible modes, a reference that only brings attributes and leads to nothing counts as
/// not given.
bool Inheritance::is_silent(const Setting& setting) const {
  return findings_.is_compatible() && setting.row->words == name(setting.row->element) &&
         !is_nothing_else(setting.owner);
}

bool Inheritance::is_nothing_else(int node) const {
  return findings_.is_open() && node >= 0 && store_.at(node).kind == ElementKind::field &&
         store_.at(node).has_automatic_id;
}

int Inheritance::target(const Setting& setting) {
  Lookup& lookup = look_up(setting);
  report(setting, lookup);
  return lookup.node;
}

int Inheritance::lender(const Setting& setting) {
  Lookup& lookup = look_up(setting);
  const bool is_lent = std::get<std::string>(*setting.value).find(element_separator) != npos;
  if (is_lent && lookup.lender < 0) report(setting, lookup);
  return lookup.lender;
}

Inheritance::Lookup& Inheritance::look_up(const Setting& setting) {
  const auto [place, is_new] = lookups_.try_emplace(&setting);  // empty at first: circles end
  if (!is_new) return place->second;
  Lookup lookup = looked_up(setting);
  return lookups_[&setting] = std::move(lookup);
}

Inheritance::Lookup Inheritance::looked_up(const Setting& setting) {
  Lookup lookup;
  const ElementKind kind = kind_of_reference(*setting.row);
  const std::string& id = std::get<std::string>(*setting.value);
  if (id.find(element_separator) != npos) return lent_element(setting, kind);
  lookup.node = store_.find_form(kind, Form::element, id);
  if (lookup.node >= 0) return lookup;
  lookup.is_reported = is_silent(setting);
  if (is_list(kind, id)) {
    lookup.is_reported = false;
    lookup.problem = fmt::format("{} '{}' names several", setting.row->name, id);
    lookup.why = fmt::format("a field has one {} of its own", name(kind));
    lookup.code = Code::several_ids;
    lookup.suggestion = "Define a grid of them and name it in grid_ref.";
  } else if (store_.find_form(kind, Form::group, id) >= 0) {
    lookup.why = fmt::format("'{}' is a group", id);
    lookup.suggestion = fmt::format("Refer to an element, not to <{}_group>.", name(kind));
  }
  return lookup;
}

void Inheritance::report(const Setting& setting, Lookup& lookup) {
  if (lookup.is_reported) return;
  lookup.is_reported = true;
  const std::string& id = std::get<std::string>(*setting.value);
  if (lookup.problem.empty()) {
    lookup.problem = fmt::format("{} '{}' refers to nothing", setting.row->name, id);
  }
  if (lookup.lender >= 0) need_grid_of(lookup.lender);
  if (lookup.is_lenders_fault) return;
  if (lookup.why.empty()) return report_dangling(setting, lookup);
  findings_.error(lookup.code, setting.origin, lookup.problem, lookup.why, lookup.suggestion);
}

void Inheritance::report_dangling(const Setting& setting, const Lookup& lookup) {
  const ElementKind kind = kind_of_reference(*setting.row);
  const std::string& id = std::get<std::string>(*setting.value);
  std::string why = fmt::format("there is no {} '{}' in context '{}'", name(kind), id, store_.id());
  const std::string near = nearest(kind, id, setting.owner);
  std::string guess = near.empty() ? std::string() : fmt::format("Did you mean '{}'?", near);
  // Fields are what XML is about, unless all of them are left to the model.
  const bool is_id = !id.empty() && id.find_first_of(list_separators) == npos;
  const bool may_be_models = is_id && (kind != ElementKind::field || !has_fields());
  const bool is_known = !near.empty() || findings_.suggestions().are_complete();
  const bool is_typo = !near.empty() && is_one_edit_away(id, near);
  Gap gap{store_.id(), std::string(name(kind)), id, {}};
  const bool is_certain = !findings_.is_open() || !may_be_models || !is_known || is_typo;
  if (is_certain && setting.row->element == ElementKind::field && kind == ElementKind::field) {
    // Nothing can be sent to it, so that a run goes on without.
    findings_.tolerate(Code::refers_to_nothing, setting.origin, lookup.problem,
                       why + "; nothing is written of it", std::move(guess));
  } else if (is_certain) {
    findings_.error(Code::refers_to_nothing, setting.origin, lookup.problem, std::move(why),
                    std::move(guess));
  } else if (!near.empty()) {
    findings_.doubtful(Code::refers_to_nothing, setting.origin, std::move(gap), lookup.problem,
                       why + ", unless the model defines it", std::move(guess));
  } else {
    findings_.missing(Code::refers_to_nothing, setting.origin, std::move(gap), lookup.problem,
                      std::move(why));
  }
}

bool Inheritance::has_fields() {
  if (!has_fields_) has_fields_ = !store_.ids(ElementKind::field).empty();
  return *has_fields_;
}

/// Several ids in one reference, each of an element.
bool Inheritance::is_list(ElementKind kind, std::string_view ids) const {
  int count = 0;
  while (!ids.empty()) {
    const std::size_t end = ids.find_first_of(list_separators);
    const std::string_view id = ids.substr(0, end);
    if (!id.empty() && store_.find_form(kind, Form::element, id) < 0) return false;
    count += id.empty() ? 0 : 1;
    ids = end == std::string_view::npos ? std::string_view{} : ids.substr(end + 1);
  }
  return count > 1;
}

std::string Inheritance::nearest(ElementKind kind, std::string_view id, int asking) {
  const bool is_candidate = asking >= 0 && store_.at(asking).kind == kind;
  return findings_.suggestions().nearest(
      fmt::format("{}:{}", name(kind), store_.id()), id, [&] { return store_.ids(kind); },
      is_candidate ? std::string_view(store_.at(asking).id) : std::string_view{});
}

std::string Inheritance::suggestion(ElementKind kind, std::string_view id, int asking) {
  const std::string near = nearest(kind, id, asking);
  return near.empty() ? near : fmt::format("Did you mean '{}'?", near);
}

int Inheritance::raw_reference(int node) {
  const Setting* setting = without_reference(node).find(reference_attribute(store_.at(node).kind));
  return setting == nullptr ? -1 : look_up(*setting).node;
}

void Inheritance::need(int node) {
  for (int at = node; at >= 0 && needed_.insert(at).second; at = reference(at)) {
    const Resolved& resolved = of(at);
    const std::string own = reference_attribute(store_.at(at).kind);
    if (const Setting* setting = without_reference(at).find(own)) target(*setting);
    for (std::size_t i = 0; i < resolved.size(); ++i) {
      if (resolved.at(i) != nullptr) check_text_reference(*resolved.at(i));
    }
    need_arrays(resolved);
    report_circle(at);
  }
}

void Inheritance::need_arrays(const Resolved& resolved) {
  for (std::size_t i = 0; i < resolved.size(); ++i) {
    const Setting* setting = resolved.at(i);
    if (setting == nullptr || !setting->broken) continue;
    const BrokenText& text = *setting->broken;
    if (!reported_arrays_.insert(&text).second) continue;
    findings_.error(Code::bad_value, setting->origin, text.problem, text.why, text.suggestion);
  }
}

void Inheritance::warn_of_broken_arrays() {
  for (int node = 0; node < store_.size(); ++node) {
    for (const Setting& setting : store_.at(node).settings) {
      if (!setting.broken || !reported_arrays_.insert(setting.broken.get()).second) continue;
      const BrokenText& text = *setting.broken;
      findings_.tolerate(Code::bad_value, setting.origin, text.problem,
                         text.why + "; nobody needs it", text.suggestion);
    }
  }
}

void Inheritance::report_circle(int node) {
  const auto circle = circular_.find(node);
  if (circle == circular_.end() || circle->second.empty()) return;
  const std::string attribute = reference_attribute(store_.at(node).kind);
  findings_.error(Code::circle, partial_[node].find(attribute)->origin,
                  fmt::format("{} leads in a circle", attribute), std::move(circle->second));
  circle->second.clear();
}

int Inheritance::reference(int node) {
  of(node);  // finds circles
  const auto circular = circular_.find(node);
  return circular != circular_.end() ? -1 : raw_reference(node);
}

bool Inheritance::is_lost(int node) {
  int last = node;
  for (int at = node; at >= 0; at = reference(at)) last = at;
  if (findings_.is_compatible() && !is_nothing_else(last)) return false;
  return without_reference(last).find(reference_attribute(store_.at(last).kind)) != nullptr;
}

const Resolved& Inheritance::of(int node) {
  if (const auto found = solved_.find(node); found != solved_.end()) return found->second;
  // Along the references first, then back: no recursion, since chains may be long.
  std::vector<int> chain;
  std::unordered_set<int> in_chain;
  int at = node;
  while (at >= 0 && !solved_.contains(at) && in_chain.insert(at).second) {
    chain.push_back(at);
    at = raw_reference(at);
  }
  if (at >= 0 && !solved_.contains(at)) {
    std::string circle;
    for (const int step : chain) {
      if (step == at || !circle.empty()) circle += store_.at(step).id + " -> ";
    }
    circular_[chain.back()] = circle + store_.at(at).id;
  }
  for (std::size_t i = chain.size(); i-- > 0;) {
    Resolved result = partial_[chain[i]];
    const int from = circular_.contains(chain[i]) ? -1 : raw_reference(chain[i]);
    const Node& element = store_.at(chain[i]);
    if (from >= 0 && is_interpolated_to_own_points(store_, element, result)) {
      Resolved lent = solved_[from];
      for (const std::string_view word : words_of_points(element.kind)) lent.leave_out(word);
      inherit(result, lent, HandedDown::yes);
    } else if (from >= 0) {
      inherit(result, solved_[from], HandedDown::yes);
    }
    solved_[chain[i]] = std::move(result);
  }
  return solved_[node];
}

std::string Inheritance::public_id(int node) {
  for (int at = node; at >= 0; at = reference(at)) {
    if (!store_.at(at).has_automatic_id) return store_.at(at).id;
  }
  return store_.at(node).id;
}

std::string Inheritance::title(int node) {
  const std::string id = public_id(node);
  const bool is_named = !store_.at(node).has_automatic_id || id != store_.at(node).id;
  if (!is_named) return store_.at(node).title();
  return fmt::format("{} '{}'", name(store_.at(node).kind), id);
}

std::string Inheritance::output_name(int node) {
  if (const Setting* setting = of(node).find("name")) {
    return std::get<std::string>(*setting->value);
  }
  return public_id(node);
}

void Inheritance::check_text_reference(const Setting& setting) {
  const bool is_path = setting.row->name == "grid_path";
  if (!setting.value || !(is_path || setting.row->name.starts_with("coordinate"))) return;
  if (!checked_texts_.insert(&setting).second) return;
  const ElementKind kind = is_path ? ElementKind::grid : ElementKind::field;
  const std::string& text = std::get<std::string>(*setting.value);
  for (const std::string_view id : is_path ? split_list(text) : std::vector{trimmed(text)}) {
    const bool is_lent = id.find("::") != std::string_view::npos;
    if (id.empty() || is_lent || store_.find_form(kind, Form::element, id) >= 0) continue;
    findings_.error(Code::refers_to_nothing, setting.origin,
                    fmt::format("{} '{}' refers to nothing", setting.row->name, id),
                    fmt::format("there is no {} '{}' in context '{}'", name(kind), id, store_.id()),
                    suggestion(kind, id, setting.owner));
  }
}

void Inheritance::check_references() {
  for (int node = 0; node < store_.size(); ++node) {
    const Node& element = store_.at(node);
    for (const Setting& setting : element.settings) {
      if (setting.row->type == ValueType::reference && setting.value) target(setting);
      check_text_reference(setting);
    }
    if (element.form != Form::element) continue;
    of(node);
    report_circle(node);
  }
}

}  // namespace epios::config
