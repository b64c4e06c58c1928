/// @file
/// How the data of a field came to its grid, as it was written: the Model has every step.
#pragma once

#include <string>
#include <vector>

#include "config/model_fwd.hpp"

namespace epios::config {

/// Returns true if data only changes to another grid; the field has no expression.
bool is_way(const FieldExpression& expression);

/// The steps of one field, from grid to grid.
struct WrittenWay {
  /// The data that it begins with; of an expression that is on none of its grids: the operands'.
  const FieldExpressionNode* data = nullptr;
  int expression = -1;     ///< that of the field itself, into Model::expressions; -1: it has none
  std::vector<int> stops;  ///< the grids of its grid_path, into Model::grids
};

/// Returns the way of an expression at the end of a field (FieldExpression::stage).
WrittenWay written_way(const Model& model, int expression);

/// The grid_path that leads there.
std::string grid_path(const Model& model, const WrittenWay& way);

}  // namespace epios::config
