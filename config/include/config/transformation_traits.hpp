/// @file
/// The table of transformations (transformations.def): what is known of each of them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "config/element_kind.hpp"
#include "config/grid_element.hpp"

namespace epios::config {

/// The size of what a transformation makes.
enum class ShapeRule {
  own,       ///< the element around it says it itself
  same,      ///< that of the source
  rows,      ///< that of the source, whose cells must form rows
  interval,  ///< some points of an axis
  window,    ///< some columns and rows of a domain
  blocks,    ///< a cell for two columns and two rows of a domain, or for four children of HEALPix
  ring,      ///< that of the source and one cell around it
  side,      ///< a row or a column of a domain
  point,     ///< one point of an axis
  one        ///< one value, which all points have a part in
};

/// How the values of a transformation come about.
enum class TransformationWork {
  view,            ///< each point is one of the source and lies in its array: nothing is moved
  weighted,        ///< weighted sums of points of the source
  coarsening,      ///< one value of each block of points
  reduction,       ///< one value of all points, or of those along one direction
  combination,     ///< one value of the copies of a point that several clients have
  redistribution,  ///< the same points on other clients
  splitting,       ///< values of successive dates side by side
  description      ///< no data go through it: it says of what shape an element is, or looks at it
};

struct TransformationTraits {
  ElementKind kind;
  std::string_view tag;
  ElementKind within;  ///< domain, axis or scalar
  GridElement::Kind source;
  ShapeRule shape;
  TransformationWork work;
  std::string_view required;  ///< attributes that it must have: "operation|direction"
};
const TransformationTraits& traits_of(ElementKind transformation);

/// A name by which models and their configurations know a transformation; an old one beside its
/// successor.
struct TransformationName {
  std::string_view tag;
  ElementKind kind;
  std::string_view handle;  ///< of its type in Fortran and C: "reduce_axis_to_scalar"
  /// The procedure of `module xios` that adds it: "add_inverseaxistoaxis"; empty: there is none.
  std::string_view adder;
  std::string_view meaning;
  std::string_view successor;  ///< of an old name
};
std::span<const TransformationName> transformation_names();
/// Tags that may stand below one kind of element.
std::vector<std::string_view> transformation_tags(ElementKind within);

/// Returns why servers do not work out transformations of a kind of work; empty: they may.
std::string_view why_not_on_servers(TransformationWork work);

/// True if the shape of what a transformation makes follows from what it is applied to; else the
/// element around it says itself what shape it has.
bool keeps_to_source(ElementKind transformation);
/// True if values go to points that the element around it gives, from other points of the same kind
/// of element.
bool is_interpolation(ElementKind transformation);

}  // namespace epios::config
