/// @file
/// Grids of a Model and their elements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/attributes.hpp"
#include "config/element_kind.hpp"
#include "config/grid_element.hpp"

namespace epios::config {

// In all structs below, `attributes` holds resolved values: inheritance is resolved and defaults of
// the table are filled in, so that members with a default are always set. Members of local scope
// are those of this client; they are not part of the canonical bytes.

struct Property {
  std::string name;
  Value value;
};

/// A transformation of data on its way to a domain, an axis or a scalar. If the element is made of
/// another one (FieldExpression::transformed), its last step makes it. Transformations before that
/// step describe its shape; those behind it only look at it.
struct Transformation {
  std::string id;  ///< not canonical
  ElementKind kind = ElementKind::extract_domain;
  std::vector<Property> attributes;        ///< in table order, with the defaults of the table
  std::vector<Property> local_attributes;  ///< attributes of this client; not canonical
  std::string where;                       ///< not canonical
};

struct Scalar {
  std::string id;
  std::string name;  ///< name in files
  ScalarAttributes attributes;
  std::vector<Transformation>
      transformations{};  ///< in the order of application, inherited ones before own
  /// For a scalar that lies in the array of something else: the extent of that array along it, and
  /// the position of the value. Of this client; not canonical.
  std::int64_t places = 1;
  std::int64_t place = 0;
};

struct Axis {
  std::string id;
  std::string name;
  AxisAttributes attributes;  ///< n_glo is always set
  std::vector<Transformation> transformations{};
};

struct Domain {
  std::string id;
  std::string name;
  DomainAttributes attributes;  ///< type, ni_glo and nj_glo are always set
  std::vector<Transformation> transformations{};
};

/// Elements in model order: the first one varies fastest in the array of the model. Without
/// elements the grid has one value.
struct Grid {
  std::string id;
  std::vector<GridElement> elements;
  /// Mask of this client, over its cells of all elements, first element fastest; false means
  /// masked. Not set without mask. Not canonical.
  std::optional<value::booleans> mask{};
};

}  // namespace epios::config
