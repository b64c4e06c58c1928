/// @file
/// Fills the typed attribute structs of the Model from resolved settings and the table's defaults.
#pragma once

#include <cassert>
#include <optional>
#include <variant>

#include "language/attribute_access.hpp"
#include "language/inheritance.hpp"
#include "language/value_text.hpp"

namespace epios::config {

/// Returns the value in force, else the default of the table, else nothing.
inline std::optional<Value> value_or_default(const AttributeInfo& row, const Resolved& resolved) {
  if (const Setting* setting = resolved.find(row)) return setting->value;
  if (row.default_text.empty()) return std::nullopt;
  ParsedValue parsed = parse_value(row, row.default_text);
  assert(parsed.value && "default of the attribute table does not parse");
  return std::move(parsed.value);
}

/// Fills all attributes except references, whose targets have been resolved already.
template <class Attributes>
Attributes filled(const Resolved& resolved) {
  Attributes attributes;
  for_each_attribute(attributes, [&](const AttributeInfo& row, auto& member) {
    if (row.type == ValueType::reference) return;
    using Type = typename std::remove_cvref_t<decltype(member)>::value_type;
    std::optional<Value> value = value_or_default(row, resolved);
    if (value) member = std::get<Type>(std::move(*value));
  });
  return attributes;
}

}  // namespace epios::config
