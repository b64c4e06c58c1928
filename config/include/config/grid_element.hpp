/// @file
/// One element of a grid, by its place in the Model.
#pragma once

#include "config/model_ids.hpp"

namespace epios::config {

struct GridElement {
  enum class Kind { scalar, axis, domain } kind = Kind::scalar;
  int index = 0;  ///< index into Model::scalars, axes or domains
  /// Return the index as one into Model::scalars, axes or domains; `kind` says which of them fits.
  ScalarId scalar() const { return ScalarId(index); }
  AxisId axis() const { return AxisId(index); }
  DomainId domain() const { return DomainId(index); }
  bool operator==(const GridElement&) const = default;
};

}  // namespace epios::config
