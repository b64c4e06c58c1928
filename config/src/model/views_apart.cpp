#include "model/views_apart.hpp"

#include <map>
#include <string>
#include <utility>

#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/value_print.hpp"

namespace epios::config {

namespace {

/// Data that lie in one array have equal ones.
using Lineage = std::vector<std::string>;

class Windows {
 public:
  explicit Windows(const Model& model)
      : model_(model), is_apart_(model.expressions.size()), is_mixed_(model.expressions.size()) {}

  IndexedVector<ExpressionId, bool> find() {
    for (const ExpressionId e : model_.expressions.ids()) {
      const FieldExpression& expression = model_.expressions[e];
      const auto step = spatial_step(model_, expression);
      if (!step) {
        look_at_operands(e);
      } else if (is_view(step->transformation->kind)) {
        add_lineage(*step);
        const ExpressionId data = expression.nodes.front().expression;
        is_apart_[e] = data >= 0 && !is_on_servers(model_, expression) && is_mixed_[data];
      }
    }
    return is_apart_;
  }

 private:
  GridId grid_of(const FieldExpressionNode& data) const {
    return data.source >= 0 ? model_.sources[data.source].grid
                            : model_.expressions[data.expression].grid;
  }
  std::string lineage_of(const GridElement& element) const {
    const auto known = lineages_.find({static_cast<int>(element.kind), element.index});
    if (known != lineages_.end()) return known->second;
    return std::to_string(static_cast<int>(element.kind)) + " " + std::to_string(element.index);
  }
  Lineage lineage_of(GridId grid) const {
    Lineage out;
    for (const GridElement& element : model_.grids[grid].elements) {
      out.push_back(lineage_of(element));
    }
    return out;
  }
  /// Two windows are the same points where they are made alike of one element.
  void add_lineage(const SpatialStep& step) {
    std::string text = lineage_of(step.source);
    text.append(" ").append(name(step.transformation->kind));
    for (const Property& property : step.transformation->attributes) {
      text.append(" ").append(property.name).append("=").append(printed(property.value));
    }
    lineages_.try_emplace({static_cast<int>(step.target.kind), step.target.index}, text);
  }

  void look_at_operands(ExpressionId e) {
    const FieldExpression& expression = model_.expressions[e];
    const Lineage own = lineage_of(expression.grid);
    bool is_mixed = false;
    for (const FieldExpressionNode& node : expression.nodes) {
      if (!is_data(node.op)) continue;
      const bool is_inlined = node.expression >= 0 && !node.is_temporal;
      is_mixed = is_mixed || lineage_of(grid_of(node)) != own ||
                 (is_inlined && is_mixed_[node.expression]);
    }
    is_mixed_[e] = is_mixed;
    if (is_mixed) set_apart(expression);
  }

  /// What arithmetic leads to is worked out together with it.
  void set_apart(const FieldExpression& expression) {
    std::vector<const FieldExpression*> open{&expression};
    IndexedVector<ExpressionId, bool> is_seen(model_.expressions.size());
    while (!open.empty()) {
      const FieldExpression& next = *open.back();
      open.pop_back();
      for (const FieldExpressionNode& node : next.nodes) {
        if (!is_data(node.op) || node.expression < 0 || node.is_temporal) continue;
        if (is_seen[node.expression]) continue;
        is_seen[node.expression] = true;
        const FieldExpression& operand = model_.expressions[node.expression];
        const auto step = spatial_step(model_, operand);
        if (!step) {
          open.push_back(&operand);
        } else if (is_view(step->transformation->kind) && !is_on_servers(model_, operand)) {
          is_apart_[node.expression] = true;
        }
      }
    }
  }

  const Model& model_;
  IndexedVector<ExpressionId, bool> is_apart_;
  IndexedVector<ExpressionId, bool> is_mixed_;  ///< operands of arithmetic lie in several arrays
  std::map<std::pair<int, int>, std::string> lineages_;  ///< of elements that views make
};

}  // namespace

IndexedVector<ExpressionId, bool> views_apart(const Model& model) { return Windows(model).find(); }

}  // namespace epios::config
