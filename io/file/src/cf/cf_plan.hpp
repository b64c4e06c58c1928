/// @file
/// The dimensions and variables of one element in a file, according to CF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/element_names.hpp"
#include "config/model_fwd.hpp"
#include "file/output_file.hpp"
#include "grid/coordinates.hpp"

namespace epios::io {

/// The lists of a CoordinateSlab, in the order in which their variables are defined.
enum class CoordinateList { values, bounds, labels, lat, bounds_lat, lon, bounds_lon, area };

/// Returns true if an element of this form has such a list.
bool has_list(const CoordinateForm& form, CoordinateList list);
/// Returns true if the list contains the bounds of another one.
bool are_bounds(CoordinateList list);
/// Returns the list with the bounds of another one, or the list itself if there is none.
CoordinateList bounds_of(CoordinateList list);

struct PlannedDimension {
  /// The dimensions of `bound` and `text` are those of the file, which has one of each: no name, no
  /// length.
  enum class Role { axis, row, column, cell, vertex, bound, text } role = Role::axis;
  std::string name{};
  std::int64_t length = 0;
  bool operator==(const PlannedDimension&) const = default;
};

struct PlannedVariable {
  CoordinateList list = CoordinateList::values;
  std::string name;
  ValueKind kind = ValueKind::float32;
  std::vector<PlannedDimension> dimensions;
  std::vector<FileAttribute> attributes;
  /// Number of the element that gives the values, if several elements share the variable.
  std::size_t giver = 0;
};

struct ElementPlan {
  std::string what;                          ///< "axis 'depth'", for messages
  std::vector<PlannedDimension> dimensions;  ///< dimensions of the data, in file order
  std::vector<PlannedVariable> variables;    ///< at most one per list
};

/// `form` says what the element has in the file. Source of attributes: CF-1.11 chapters 4 to 7.
ElementPlan plan_scalar(const config::Scalar& scalar, const CoordinateForm& form,
                        const config::ElementNames& names);
ElementPlan plan_axis(const config::Axis& axis, const CoordinateForm& form,
                      const config::ElementNames& names);
/// `vertices` is the number per cell if cells are not products of two intervals; 0 if there are no
/// bounds.
ElementPlan plan_domain(const config::Domain& domain, const CoordinateForm& form,
                        std::int64_t vertices, const config::ElementNames& names);

/// Returns the part of a variable for a writer with `slab`, as a view of the slab; empty without
/// one. `shape` has the lengths of the dimensions.
FixedPart part_of(const PlannedVariable& variable, const Extents& shape,
                  const CoordinateSlab* slab);

/// Returns the kind of coordinates with so many bytes.
ValueKind coordinate_kind(const std::optional<std::int64_t>& prec);

}  // namespace epios::io
