/// @file
/// Rows of the attribute table (attributes.def), to look an attribute up. A new row does not change
/// this header.
#pragma once

#include <span>
#include <string_view>

#include "config/element_kind.hpp"
#include "config/value.hpp"

namespace epios::config {

enum class Scope { global, local };

/// From where an element without the attribute inherits it: from nowhere, from its groups, or from
/// its groups and then from the element that it refers to.
enum class HandedDown { no, groups, yes };

/// One row of the table.
struct AttributeInfo {
  ElementKind element;
  std::string_view name;
  ValueType type;
  /// Allowed words "a|b|later:c", the kind a reference points to, or the dimensions of an array.
  std::string_view words;
  std::string_view default_text;  ///< "" for none
  HandedDown handed_down;
  Scope scope;
  std::string_view since;  ///< a version, "later", "hint" or "none"
  std::string_view compatibility;
  std::string_view meaning;
};

/// Returns all rows, in table order.
std::span<const AttributeInfo> attribute_table();
/// Returns the rows of one kind of element, in table order; none for kinds without attributes.
std::span<const AttributeInfo> attributes_of(ElementKind element);
/// Returns the row of one attribute, or nullptr if there is none.
const AttributeInfo* find_attribute(ElementKind element, std::string_view name);

}  // namespace epios::config
