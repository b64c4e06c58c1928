#include "building/unit_conversions.hpp"

#include <fmt/format.h>

#include "language/attribute_fill.hpp"

namespace epios::config {

const UnitComparison& UnitConversions::compared(const std::string& from, const std::string& to) {
  const auto [known, is_new] = known_.try_emplace({from, to});
  if (is_new) known->second = compare_units(from, to);
  return known->second;
}

std::optional<UnitConversions::Conversion> UnitConversions::of(int field, int owner) {
  const auto attributes = filled<FieldAttributes>(inheritance_.of(field));
  if (!*attributes.convert_units || field == owner) return std::nullopt;
  inheritance_.need(owner);
  const std::string from = filled<FieldAttributes>(inheritance_.of(owner)).unit.value_or("");
  const std::string to = attributes.unit.value_or("");
  if (from == to) return std::nullopt;
  const Node& element = store_.at(field);
  const bool has_both = !from.empty() && !to.empty();
  const UnitComparison units =
      has_both
          ? compared(from, to)
          : UnitComparison{{},
                           fmt::format("{} has no unit",
                                       from.empty() ? store_.at(owner).title() : element.title())};
  if (units.conversion) return Conversion{*units.conversion, from, to};
  if (!reported_.insert(field).second) return std::nullopt;
  findings_.error(
      Code::bad_unit,
      origin_of(inheritance_.of(field), to.empty() ? "convert_units" : "unit", element),
      fmt::format("{} cannot be converted from '{}' to '{}'", inheritance_.title(field), from, to),
      units.why, "Give units of one kind, or remove convert_units.");
  return std::nullopt;
}

}  // namespace epios::config
