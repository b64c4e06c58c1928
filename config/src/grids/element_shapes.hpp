/// @file
/// Of what shape the results of transformations are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/element_kind.hpp"
#include "config/grid_element.hpp"
#include "config/model_fwd.hpp"

namespace epios::config {

/// Sizes that are known; those of an axis are along i.
struct ElementShape {
  GridElement::Kind kind = GridElement::Kind::scalar;
  std::optional<std::int64_t> ni{};
  std::optional<std::int64_t> nj{};
  std::string type{};  ///< of a domain
};

ElementShape shape_of(const Scalar& scalar);
ElementShape shape_of(const Axis& axis);
ElementShape shape_of(const Domain& domain);
ElementShape shape_of(const Model& model, const GridElement& element);

/// What a transformation makes, or why it cannot.
struct TransformedShape {
  ElementShape shape;
  std::string complaint;  ///< empty: there is none
};
/// Of an element of shape `from`; `own` is what the element that it stands in says of itself.
TransformedShape transformed_shape(const Transformation& transformation, const ElementShape& from,
                                   const ElementShape& own);

/// Attributes that ask for something which a source of this shape has not.
struct IdleAttribute {
  std::string_view name;
  std::string_view why;
};
std::vector<IdleAttribute> idle_attributes(const Transformation& transformation,
                                           const ElementShape& from);

/// Gives the element that a transformation has made its sizes, and what it does not say of itself
/// from its source. What is local, a run works out.
void set_shape(Model& model, const GridElement& target, const GridElement& source,
               const ElementShape& shape, const Transformation& transformation);

}  // namespace epios::config
