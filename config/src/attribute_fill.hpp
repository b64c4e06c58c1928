/// @file
/// Fills the typed attribute structs of the Model from resolved settings and the table's defaults.
#pragma once

#include <cassert>
#include <optional>
#include <variant>

#include "attribute_access.hpp"
#include "inheritance.hpp"
#include "value_text.hpp"

namespace epios::config {

template <class Attributes>
Attributes filled(const Resolved& resolved) {
  Attributes attributes;
  for_each_attribute(attributes, [&](const AttributeInfo& row, auto& member) {
    using Type = typename std::remove_cvref_t<decltype(member)>::value_type;
    if (const Setting* setting = resolved.find(row)) {
      member = std::get<Type>(*setting->value);
    } else if (!row.default_text.empty()) {
      const ParsedValue parsed = parse_value(row, row.default_text);
      assert(parsed.value && "default of the attribute table does not parse");
      member = std::get<Type>(*parsed.value);
    }
  });
  return attributes;
}

}  // namespace epios::config
