/// @file
/// The views: elements whose points lie in the arrays of their sources.
#pragma once

#include "config/grid_element.hpp"
#include "config/model_fwd.hpp"
#include "elements/local_cells.hpp"
#include "elements/selection.hpp"

namespace epios::io {

/// The Model's type of a kind of element.
template <config::GridElement::Kind kind>
struct ElementOfKind;
template <>
struct ElementOfKind<config::GridElement::Kind::axis> {
  using type = config::Axis;
};
template <>
struct ElementOfKind<config::GridElement::Kind::domain> {
  using type = config::Domain;
};
template <>
struct ElementOfKind<config::GridElement::Kind::scalar> {
  using type = config::Scalar;
};
template <config::GridElement::Kind kind>
using ElementOf = typename ElementOfKind<kind>::type;

/// Returns which of the local points of `from` each local point of `to` is, and shapes `to`.
/// Defined are transformations of the table whose work is `view`, under the names of their kinds;
/// the linker says which one is missing.
namespace views {
#define TRANSFORMATION(kind, tag, within, source, ...)                         \
  SelectedCells kind(const ElementOf<config::GridElement::Kind::source>& from, \
                     const config::Transformation& how,                        \
                     ElementOf<config::GridElement::Kind::within>& to);
#include "config/transformations.def"
}  // namespace views

/// Coordinates, bounds (nvertex values each), areas and masks of a client's cells, one by one, also
/// of those that have them along their sides.
config::DomainAttributes values_of_cells(const config::DomainAttributes& domain,
                                         const LocalCells& cells);
/// Sets coordinates, bounds, labels and the mask of an axis along a side of a domain: its points
/// `own` are the cells `kept`. What the axis itself says applies to all its points.
void describe_line(const config::DomainAttributes& source, const LocalCells& cells, bool is_i,
                   const SelectedCells& kept, const SelectedCells& own,
                   config::AxisAttributes& axis);

}  // namespace epios::io
