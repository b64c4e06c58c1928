#include "grids/data_on_grids.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "config/model.hpp"

namespace epios::config {

DataOrigin DataOnGrids::on(GridId grid, int field, const DataOrigin& data) {
  const GridId before = data.source >= 0 ? model_.sources[data.source].grid
                                         : model_.expressions[data.expression].grid;
  if (before == grid || !model_.grids[grid].mask) return data;
  if (transformed_.settled(grid, before) != grid) return data;
  const auto [known, is_new] = made_.try_emplace({data.source, data.expression, grid});
  if (is_new) {
    FieldExpression made;
    made.id = inheritance_.public_id(field);
    made.where = store_.at(field).origin.text();
    made.grid = grid;
    made.stage = FieldExpression::Stage::between;
    FieldExpressionNode node;
    node.op = ExpressionOp::field;
    node.type = ExpressionType::field;
    node.source = data.source;
    node.expression = data.expression;
    made.nodes.push_back(std::move(node));
    known->second = model_.expressions.push_back(std::move(made));
  }
  return {SourceId(), known->second};
}

void DataOnGrids::put_on(GridId grid, int field, FieldExpressionNode& data) {
  const DataOrigin origin = on(grid, field, {data.source, data.expression});
  data.source = origin.source;
  data.expression = origin.expression;
}

DataOrigin DataOnGrids::on_named(int field, int owner, DataOrigin data) {
  std::vector<int> fields;
  for (int at = field; at != owner; at = inheritance_.reference(at)) fields.push_back(at);
  for (auto at = fields.rbegin(); at != fields.rend() && data.is_known(); ++at) {
    if (!grids_.names_grid(*at)) continue;
    const GridId named = grids_.grid_of(*at);
    if (named >= 0) data = on(named, *at, data);
  }
  return data;
}

bool DataOnGrids::has_made(ExpressionId expression) const {
  return std::any_of(made_.begin(), made_.end(),
                     [expression](const auto& made) { return made.second == expression; });
}

}  // namespace epios::config
