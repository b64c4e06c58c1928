/// @file
/// Shapes of the results of transformations.
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

/// Known sizes; those of an axis are along i.
struct ElementShape {
  GridElement::Kind kind = GridElement::Kind::scalar;
  std::optional<std::int64_t> ni{};
  std::optional<std::int64_t> nj{};
  std::string type{};  ///< type of a domain
};

ElementShape shape_of(const Scalar& scalar);
ElementShape shape_of(const Axis& axis);
ElementShape shape_of(const Domain& domain);
ElementShape shape_of(const Model& model, const GridElement& element);

/// Returns why arithmetic cannot combine data on two grids of as many points, as far as is known:
/// one shows points of another array, and their elements of more than one point have other lengths.
/// Empty if it can.
std::string misfit_of_window(const Model& model, GridId grid, GridId other);

/// The result of a transformation, or why it is impossible.
struct TransformedShape {
  ElementShape shape;
  std::string complaint;  ///< empty if it is valid
};
/// Returns the shape that a transformation makes of `from`; `own` is what the enclosing element
/// says about itself.
TransformedShape transformed_shape(const Transformation& transformation, const ElementShape& from,
                                   const ElementShape& own);

/// Attributes that need something which a source of this shape does not have.
struct IdleAttribute {
  std::string_view name;
  std::string_view why;
};
std::vector<IdleAttribute> idle_attributes(const Transformation& transformation,
                                           const ElementShape& from);

/// Sets the sizes of the element that a transformation has made, and takes what it does not say
/// itself from its source. A run computes the local part.
void set_shape(Model& model, const GridElement& target, const GridElement& source,
               const ElementShape& shape, const Transformation& transformation);

}  // namespace epios::config
