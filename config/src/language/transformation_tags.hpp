/// @file
/// The transformations: which tags stand for them below a domain, an axis or a scalar.
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
  ElementKind within;  ///< domain, axis or scalar: what comes out of it
  std::string_view meaning;
  std::string_view successor{};  ///< of a deprecated name
};

std::span<const TransformationTag> transformation_tags();
/// Their names below one kind of element.
std::vector<std::string_view> transformation_names(ElementKind within);

/// Whether the shape of what a transformation makes follows from what it is applied to. The element
/// around one of the others says itself what shape it has.
bool keeps_to_source(ElementKind transformation);

}  // namespace epios::config
