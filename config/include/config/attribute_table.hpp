/// @file
/// Rows of the attribute table (attributes.def), for whoever looks an attribute up: a new row is no
/// change of this header.
#pragma once

#include <span>
#include <string_view>

#include "config/element_kind.hpp"
#include "config/value.hpp"

namespace epios::config {

enum class Scope { global, local };

/// Who hands an attribute down to an element that does not give it itself: nobody, its groups, or
/// its groups and then what it refers to.
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

/// All rows, in table order.
std::span<const AttributeInfo> attribute_table();
/// The rows of one kind of element, in table order; empty for kinds without attributes.
std::span<const AttributeInfo> attributes_of(ElementKind element);
/// The row of one attribute, nullptr when there is none.
const AttributeInfo* find_attribute(ElementKind element, std::string_view name);

}  // namespace epios::config
