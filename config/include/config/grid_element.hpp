/// @file
/// One element of a grid, by its place in the Model.
#pragma once

namespace epios::config {

struct GridElement {
  enum class Kind { scalar, axis, domain } kind = Kind::scalar;
  int index = 0;  ///< index into Model::scalars, axes or domains
  bool operator==(const GridElement&) const = default;
};

}  // namespace epios::config
