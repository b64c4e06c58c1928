/// @file
/// The way of a field's data to its grid, as it was written; the Model has every step.
#pragma once

#include <string>
#include <vector>

#include "config/model_ids.hpp"

namespace epios::config {

/// Returns true if data only changes to another grid; the field has no expression.
bool is_way(const FieldExpression& expression);

/// The steps of one field, from grid to grid.
struct WrittenWay {
  /// The data at the beginning. For an expression that is on none of its grids: the operands' data.
  const FieldExpressionNode* data = nullptr;
  ExpressionId expression{};  ///< expression of the field itself, an index into Model::expressions;
                              ///< -1 for none
  std::vector<GridId> stops{};  ///< grids of its grid_path
};

/// Returns the way of an expression at the end of a field (FieldExpression::stage).
WrittenWay written_way(const Model& model, ExpressionId expression);

/// Returns the grid_path of the way.
std::string grid_path(const Model& model, const WrittenWay& way);

}  // namespace epios::config
