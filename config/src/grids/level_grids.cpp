#include "grids/level_grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/expression.hpp"
#include "config/transformation_traits.hpp"

namespace epios::config {

namespace {

/// Expressions that lean on each other in longer chains are taken for circles, which are reported
/// elsewhere.
constexpr int longest_chain = 256;

}  // namespace

std::string LevelGrids::free_id(ElementKind kind, const std::string& wanted) const {
  std::string id = wanted;
  while (store_.find_form(kind, Form::element, id) >= 0) id += "_";
  return id;
}

void LevelGrids::set(int node, const char* attribute, Value value, const Origin& origin) {
  store_.set(node, *find_attribute(store_.at(node).kind, attribute), std::move(value), origin);
}

int LevelGrids::grid_owner(int field) {
  int at = field;
  for (int steps = 0; at >= 0 && steps < longest_chain; ++steps) {
    const Resolved& resolved = inheritance_.of(at);
    for (const char* attribute : {"grid_ref", "domain_ref", "axis_ref", "scalar_ref"}) {
      if (resolved.find(attribute) != nullptr) return at;
    }
    const Setting* const text = inheritance_.expression(at);
    int next = inheritance_.reference(at);
    if (text != nullptr) {
      for (const ExpressionNode& node :
           parse_expression(std::get<std::string>(*text->value)).expression.nodes) {
        if (node.op != ExpressionOp::field) continue;
        next = written_.find_form(ElementKind::field, Form::element, node.id);
        break;
      }
    }
    at = next;
  }
  return -1;
}

bool LevelGrids::is_known(int owner) {
  const int grid = named_grid(owner);
  if (grid >= 0) {
    const std::vector<int>& children = written_.at(grid).children;
    return std::none_of(children.begin(), children.end(),
                        [this](int child) { return inheritance_.is_lost(child); });
  }
  const Resolved& resolved = inheritance_.of(owner);
  if (resolved.find("grid_ref") != nullptr) return false;
  for (const char* attribute : {"domain_ref", "axis_ref", "scalar_ref"}) {
    const Setting* const setting = resolved.find(attribute);
    if (setting == nullptr) continue;
    const int element = inheritance_.target(*setting);
    if (element < 0 || inheritance_.is_lost(element)) return false;
  }
  return true;
}

std::vector<int> LevelGrids::domains(int owner) {
  return inheritance_.grid_elements(owner, ElementKind::domain);
}

std::string LevelGrids::word(int domain, const char* attribute) {
  const Setting* const setting = inheritance_.of(domain).find(attribute);
  return setting == nullptr ? std::string() : std::get<std::string>(*setting->value);
}

std::optional<std::int64_t> LevelGrids::most_levels(int domain) {
  for (const int step : inheritance_.transformations(domain)) {
    const ElementKind kind = written_.at(step).kind;
    const bool moves = traits_of(kind).work != TransformationWork::description;
    if (moves && keeps_to_source(kind)) return std::nullopt;
  }
  const auto size = [&](const char* attribute) -> std::int64_t {
    const Setting* const setting = inheritance_.of(domain).find(attribute);
    return setting == nullptr ? 0 : std::get<std::int64_t>(*setting->value);
  };
  const bool is_healpix = word(domain, "type") == "healpix";
  const std::int64_t ni = size(is_healpix ? "nside" : "ni_glo");
  const std::int64_t nj = is_healpix ? ni : size("nj_glo");
  if (ni <= 0 || nj <= 0) return std::nullopt;
  std::int64_t levels = 1;
  for (std::int64_t n = std::max(ni, nj); n > 1; n = (n + 1) / 2) ++levels;
  return levels;
}

int LevelGrids::named_grid(int owner) {
  int at = owner;
  for (int steps = 0; steps < longest_chain; ++steps) {
    const Setting* const grid = inheritance_.of(at).find("grid_ref");
    if (grid == nullptr) return -1;
    const int lender = inheritance_.lender(*grid);
    if (lender < 0) return inheritance_.target(*grid);
    at = lender;
  }
  return -1;
}

int LevelGrids::standing_for(int element) {
  for (;;) {
    const Node& node = written_.at(element);
    const bool only_refers =
        node.has_automatic_id && node.settings.size() == 1 && node.children.empty();
    const int next = only_refers ? inheritance_.reference(element) : -1;
    if (next < 0) return element;
    element = next;
  }
}

bool LevelGrids::is_made_on_servers(int domain) {
  const std::vector<int> steps = inheritance_.transformations(domain);
  const auto last = std::find_if(steps.rbegin(), steps.rend(), [this](int step) {
    return traits_of(written_.at(step).kind).work != TransformationWork::description;
  });
  if (last == steps.rend()) return false;
  const Setting* const place = inheritance_.of(*last).find("place");
  return place != nullptr && *place->value == Value(std::string("server"));
}

int LevelGrids::domain_of_level(int domain, std::int64_t level, const Rule& rule) {
  if (level == 0) return domain;
  const Key key(domain, level, rule.operation, rule.min_valid_share, rule.place);
  if (const auto known = domains_.find(key); known != domains_.end()) return known->second;
  const int finer = domain_of_level(domain, level - 1, rule);
  const std::string id = free_id(ElementKind::domain,
                                 fmt::format("{}_level{}", inheritance_.public_id(domain), level));
  const int made = store_.open(ElementKind::domain, Form::element, id, 0, rule.origin);
  set(made, "domain_ref", store_.at(finer).id, rule.origin);
  // The names of dimensions and coordinates are the same on all levels.
  set(made, "name", inheritance_.output_name(domain), rule.origin);
  const int step = store_.open(ElementKind::coarsen_domain, Form::element, "", 0, rule.origin);
  set(step, "operation", rule.operation, rule.origin);
  set(step, "min_valid_share", rule.min_valid_share, rule.origin);
  if (!rule.place.empty()) {
    set(step, "place", rule.place, rule.origin);
  } else if (is_made_on_servers(domain)) {
    set(step, "place", std::string("server"), rule.origin);
  }
  store_.adopt(made, step);
  return domains_[key] = made;
}

int LevelGrids::grid_of_level(int grid, std::int64_t level, const Rule& rule) {
  const Key key(grid, level, rule.operation, rule.min_valid_share, rule.place);
  if (const auto known = grids_.find(key); known != grids_.end()) return known->second;
  const std::string id =
      free_id(ElementKind::grid, fmt::format("{}_level{}", written_.at(grid).id, level));
  const int made = store_.open(ElementKind::grid, Form::element, id, 0, rule.origin);
  for (const int child : written_.at(grid).children) {
    if (written_.at(child).kind == ElementKind::hierarchy) continue;
    const bool is_domain = written_.at(child).kind == ElementKind::domain;
    store_.adopt(made, is_domain ? domain_of_level(standing_for(child), level, rule) : child);
  }
  return grids_[key] = made;
}

void LevelGrids::set_grid(int field, int owner, std::int64_t level, const Rule& rule) {
  if (const int grid = named_grid(owner); grid >= 0) {
    set(field, "grid_ref", store_.at(grid_of_level(grid, level, rule)).id, rule.origin);
    return;
  }
  int lender = owner;
  for (int steps = 0; steps < longest_chain; ++steps) {
    const Setting* const grid = inheritance_.of(lender).find("grid_ref");
    if (grid == nullptr) break;
    lender = inheritance_.lender(*grid);
  }
  set(field, "domain_ref", store_.at(domain_of_level(domains(lender).front(), level, rule)).id,
      rule.origin);
  for (const char* attribute : {"axis_ref", "scalar_ref"}) {
    const Setting* const setting = inheritance_.of(lender).find(attribute);
    if (setting != nullptr) set(field, attribute, *setting->value, rule.origin);
  }
}

}  // namespace epios::config
