/// @file
/// Grids of a Model and what they are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/attributes.hpp"
#include "config/element_kind.hpp"
#include "config/grid_element.hpp"

namespace epios::config {

// In all structs below `attributes` holds resolved values: inheritance solved, table defaults
// filled in, so that members with a default in the table are always set. Members of local scope are
// those of this client; they are not part of the canonical bytes.

struct Property {
  std::string name;
  Value value;
};

/// What happens to data on its way to a domain, an axis or a scalar. Of an element that is made of
/// another one (FieldExpression::transformed), the last step makes it; those before say of what
/// shape, those behind look at it.
struct Transformation {
  std::string id;  ///< not canonical
  ElementKind kind = ElementKind::extract_domain;
  std::vector<Property> attributes;        ///< in table order; defaults of the table are filled in
  std::vector<Property> local_attributes;  ///< of this client; not canonical
  std::string where;                       ///< not canonical
};

struct Scalar {
  std::string id;
  std::string name;  ///< name in files
  ScalarAttributes attributes;
  std::vector<Transformation>
      transformations{};  ///< first applied first, inherited ones before own
  /// One that lies in the array of something else: how long that is along it, and where the value
  /// is in it. Of this client; not canonical.
  std::int64_t places = 1;
  std::int64_t place = 0;
};

struct Axis {
  std::string id;
  std::string name;
  AxisAttributes attributes;  ///< n_glo is set
  std::vector<Transformation> transformations{};
};

struct Domain {
  std::string id;
  std::string name;
  DomainAttributes attributes;  ///< type, ni_glo and nj_glo are set
  std::vector<Transformation> transformations{};
};

/// Elements in model order: the first varies fastest in the model's array. No element: one value.
struct Grid {
  std::string id;
  std::vector<GridElement> elements;
  /// Of this client, over its cells of all elements, first element fastest; false: masked. None: no
  /// mask. Not canonical.
  std::optional<value::booleans> mask{};
};

}  // namespace epios::config
