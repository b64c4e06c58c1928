#include "model/written_way.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/model.hpp"

namespace epios::config {

bool is_way(const FieldExpression& expression) {
  return expression.text.empty() && (expression.nodes.size() == 1 || expression.transformed != 0);
}

WrittenWay written_way(const Model& model, ExpressionId expression) {
  const auto at = [&model](ExpressionId i) -> const FieldExpression& {
    return model.expressions[i];
  };
  WrittenWay way;
  for (ExpressionId i = expression;; i = way.data->expression) {
    if (!is_way(at(i))) {
      way.expression = i;
      break;
    }
    way.data = &at(i).nodes.front();
    const ExpressionId before = way.data->expression;
    if (before < 0 || at(before).stage == FieldExpression::Stage::end) break;
    if (at(before).stage == FieldExpression::Stage::stop) way.stops.push_back(at(before).grid);
  }
  std::reverse(way.stops.begin(), way.stops.end());
  return way;
}

std::string grid_path(const Model& model, const WrittenWay& way) {
  std::string path;
  for (const GridId grid : way.stops) {
    if (!path.empty()) path += ",";
    path += model.grids[grid].id;
  }
  return path;
}

}  // namespace epios::config
