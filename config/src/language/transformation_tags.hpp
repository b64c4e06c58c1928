/// @file
/// Tags of transformations below a domain, an axis or a scalar.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "config/element_kind.hpp"
#include "config/value.hpp"

namespace epios::config {

struct TransformationTag {
  std::string_view name;
  ElementKind kind;
  ElementKind within;  ///< domain, axis or scalar: the kind of the result
  std::string_view meaning;
  std::string_view successor{};  ///< replacement of a deprecated name
};

std::span<const TransformationTag> transformation_tags();
/// Returns their names below one kind of element.
std::vector<std::string_view> transformation_names(ElementKind within);

/// Returns true if the shape of the result follows from the source of a transformation. For other
/// transformations the enclosing element describes its own shape.
bool keeps_to_source(ElementKind transformation);

}  // namespace epios::config
