// Adds couplers and their fields to the Model. Received fields are announced first, since other
// fields may be made from them.
#include "building/coupler_builder.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "check/field_check.hpp"
#include "config/model.hpp"
#include "language/attribute_fill.hpp"
#include "language/availability.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

constexpr std::array<ElementKind, 2> directions{ElementKind::coupler_in, ElementKind::coupler_out};

}  // namespace

CouplerBuilder::CouplerBuilder(const ContextStore& store, Inheritance& inheritance,
                               Findings& findings, PeriodBuilder& periods, GridBuilder& grids,
                               DataBuilder& data, Model& model)
    : store_(store),
      inheritance_(inheritance),
      findings_(findings),
      periods_(periods),
      grids_(grids),
      data_(data),
      model_(model) {}

bool CouplerBuilder::is_enabled(int coupler) {
  const Setting* enabled = inheritance_.of(coupler).find("enabled");
  return enabled == nullptr || std::get<bool>(*enabled->value);
}

std::vector<int> CouplerBuilder::kept_fields(int coupler) {
  std::vector<int> kept;
  for (const int field : store_.elements_below(coupler, ElementKind::field)) {
    const Setting* enabled = inheritance_.of(field).find("enabled");
    if (enabled == nullptr || std::get<bool>(*enabled->value)) kept.push_back(field);
  }
  return kept;
}

void CouplerBuilder::expect_received_fields() {
  const ElementKind in = ElementKind::coupler_in;
  for (const int coupler : store_.elements_below(store_.root_of(in), in)) {
    if (!is_enabled(coupler)) continue;
    for (const int field : kept_fields(coupler)) {
      grids_.may_lack_grid(field);
      data_.receive(field);
    }
  }
}

void CouplerBuilder::expect_data() {
  std::vector<int> fields;
  for (const ElementKind direction : directions) {
    for (const int coupler : store_.elements_below(store_.root_of(direction), direction)) {
      if (!is_enabled(coupler)) continue;
      const std::vector<int> kept = kept_fields(coupler);
      fields.insert(fields.end(), kept.begin(), kept.end());
    }
  }
  data_.expect(std::move(fields));
}

void CouplerBuilder::add_couplers() {
  for (const ElementKind direction : directions) {
    for (const int node : store_.elements_below(store_.root_of(direction), direction)) {
      if (is_enabled(node)) add_coupler(node);
    }
  }
}

void CouplerBuilder::add_coupler(int node) {
  const Node& element = store_.at(node);
  Coupler coupler;
  coupler.kind = element.kind;
  coupler.id = element.id;
  coupler.where = element.origin.text();
  set_partner(node, coupler);
  std::unordered_map<std::string, std::string> places;
  for (const int field : kept_fields(node)) {
    std::optional<CoupledField> coupled = coupled_field(field, element.kind);
    data_.note_taker(element.title());
    if (!coupled) continue;
    const auto [other, is_free] = places.emplace(coupled->id, coupled->where);
    if (!is_free) {
      findings_.error(Code::same_name, store_.at(field).origin,
                      fmt::format("two fields of one coupler are '{}'", coupled->id),
                      fmt::format("the other one is at {}", other->second),
                      "Give one of them another id.");
      continue;
    }
    coupler.fields.push_back(std::move(*coupled));
  }
  if (kept_fields(node).empty()) {
    findings_.warning(Code::nothing_inside, element.origin,
                      fmt::format("{} has no field", element.title()), "nothing would be exchanged",
                      element.kind == ElementKind::coupler_in ? "Add <field id=\"...\"/>?"
                                                              : "Add <field field_ref=\"...\"/>?");
  }
  model_.couplers.push_back(std::move(coupler));
}

void CouplerBuilder::set_partner(int node, Coupler& coupler) {
  const Node& element = store_.at(node);
  const Setting* setting = inheritance_.of(node).find("context");
  if (setting == nullptr) {
    findings_.error(Code::bad_coupler, element.origin,
                    fmt::format("{} has no context", element.title()),
                    "nothing says whom it exchanges fields with", "Add context=\"code::context\".");
    return;
  }
  const std::string& text = std::get<std::string>(*setting->value);
  const std::size_t at = text.find("::");
  coupler.partner_code = trimmed(std::string_view(text).substr(0, at));
  if (at != std::string::npos) {
    coupler.partner_context = trimmed(std::string_view(text).substr(at + 2));
  }
  if (!coupler.partner_code.empty() && !coupler.partner_context.empty()) return;
  findings_.error(Code::bad_coupler, setting->origin,
                  fmt::format("context '{}' of {}", text, element.title()),
                  "a partner is the id of its code and that of its context",
                  "Write context=\"code::context\".");
}

std::optional<CoupledField> CouplerBuilder::coupled_field(int field, ElementKind direction) {
  const Node& element = store_.at(field);
  const Resolved& resolved = inheritance_.of(field);
  const bool is_received = direction == ElementKind::coupler_in;
  inheritance_.need(field);
  if (data_.is_lost(field)) return std::nullopt;
  CoupledField result;
  result.id = is_received ? element.id : inheritance_.public_id(field);
  result.where = element.origin.text();
  if (is_received && element.has_automatic_id) {
    findings_.error(Code::no_id, element.origin, "<field> of a coupler_in has no id",
                    "it receives the field of that id", "Add id=\"...\".");
    return std::nullopt;
  }
  if (is_received && inheritance_.has_expression(field)) {
    findings_.error(Code::bad_coupler, inheritance_.expression(field)->origin,
                    fmt::format("field '{}' of a coupler_in has an expression", element.id),
                    "its values come from the partner as they are",
                    fmt::format("Give it to another field, with field_ref=\"{}\".", element.id));
    return std::nullopt;
  }
  check_available(element, resolved, findings_);
  result.attributes = filled<FieldAttributes>(resolved);
  check_missing_value(element, inheritance_.title(field), resolved, result.attributes, findings_);
  const std::optional<Sampling> sampling = periods_.exchange_sampling(field, is_received);
  result.grid = grids_.grid_of(field);
  if (!sampling) return std::nullopt;
  result.sampling = *sampling;
  if (is_received && result.grid < 0) {  // it takes the grid of the partner
    if (!grids_.names_grid(field)) {
      findings_.not_yet(element.origin, "a received field without a grid of its own");
    }
    return result;
  }
  const DataOrigin data = data_.data_of(field);
  result.source = data.source;
  result.expression = data.expression;
  result.via = data_.references_between(field);
  if (!data.is_known() || result.grid < 0) return std::nullopt;
  result.grid = data_.grid_of(data, result.grid);
  result.attributes.grid_path.reset();  // its steps are there
  if (is_received) return result;
  if (const auto conversion = data_.conversion_of(field)) {
    result.conversion = {conversion->numbers.factor, conversion->numbers.offset};
    result.data_unit = conversion->from;
  }
  return result;
}

}  // namespace epios::config
