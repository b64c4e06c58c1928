#include "model/used_parts.hpp"

#include <utility>
#include <vector>

#include "config/model.hpp"
#include "model/written_way.hpp"

namespace epios::config {

namespace {

/// New numbers of things, in the order in which they are asked for.
template <class Id>
class Numbers {
 public:
  explicit Numbers(std::size_t size) : new_(size) {}
  /// Returns true at the first request.
  bool need(Id old) {
    Id& number = new_[old];
    if (number >= 0) return false;
    number = order_.push_back(old);
    return true;
  }
  Id operator[](Id old) const { return new_[old]; }
  template <class T>
  void sort(IndexedVector<Id, T>& all) const {
    IndexedVector<Id, T> kept;
    kept.reserve(order_.size());
    for (const Id old : order_) kept.push_back(std::move(all[old]));
    all = std::move(kept);
  }

 private:
  IndexedVector<Id, Id> new_;
  IndexedVector<Id, Id> order_;
};

class Order {
 public:
  explicit Order(Model& model)
      : model_(model),
        grids_(model.grids.size()),
        scalars_(model.scalars.size()),
        axes_(model.axes.size()),
        domains_(model.domains.size()),
        expressions_(model.expressions.size()) {}

  void find() {
    for (const ReadField& field : model_.read_fields) need_grid(field.grid);
    for (const Stream& stream : model_.streams) need(stream);
    for (const Stream& result : model_.results) need(result);
    for (const Coupler& coupler : model_.couplers) {
      for (const CoupledField& field : coupler.fields) need(field);
    }
    // Need what leads to fields that wait for the grid of a partner.
    for (const Source& source : model_.sources) need_grid(source.grid);
    for (const FieldExpression& expression : model_.expressions) need_grid(expression.grid);
  }

  void apply() {
    for (Grid& grid : model_.grids) {
      for (GridElement& element : grid.elements) element.index = new_index(element);
    }
    scalars_.sort(model_.scalars);
    axes_.sort(model_.axes);
    domains_.sort(model_.domains);
    grids_.sort(model_.grids);
    for (ReadField& field : model_.read_fields) renumber(field);
    for (Stream& stream : model_.streams) renumber(stream);
    for (Stream& result : model_.results) renumber(result);
    for (Coupler& coupler : model_.couplers) {
      for (CoupledField& field : coupler.fields) renumber(field);
    }
    for (Source& source : model_.sources) renumber(source);
    for (FieldExpression& expression : model_.expressions) renumber(expression);
  }

 private:
  int new_index(const GridElement& element) const {
    if (element.kind == GridElement::Kind::axis) return axes_[element.axis()];
    if (element.kind == GridElement::Kind::domain) return domains_[element.domain()];
    return scalars_[element.scalar()];
  }

  void need_element(const GridElement& element) {
    if (element.kind == GridElement::Kind::axis) {
      axes_.need(element.axis());
    } else if (element.kind == GridElement::Kind::domain) {
      domains_.need(element.domain());
    } else {
      scalars_.need(element.scalar());
    }
  }

  void need_grid(GridId grid) {
    if (grid < 0 || !grids_.need(grid)) return;
    for (const GridElement& element : model_.grids[grid].elements) need_element(element);
  }

  template <class User>
  void need(const User& user) {
    if (user.expression >= 0) need_expression(user.expression);
    if (user.source >= 0) need_grid(model_.sources[user.source].grid);
    need_grid(user.grid);
  }

  const FieldExpression& expression(ExpressionId number) const {
    return model_.expressions[number];
  }

  /// First the grid that a field asks for, then those of its data, then those between. They may
  /// lean on each other in long chains: no recursion.
  void need_expression(ExpressionId wanted) {
    std::vector<std::pair<ExpressionId, ExpressionNodeId>> open;  // with the node that is next
    const auto begin = [&](ExpressionId number) {
      if (number < 0 || !expressions_.need(number)) return;
      open.emplace_back(number, ExpressionNodeId(0));
      const FieldExpression& e = expression(number);
      if (is_way(e) && e.stage == FieldExpression::Stage::end) need_grid(e.grid);
    };
    begin(wanted);
    while (!open.empty()) {
      auto& [number, next] = open.back();
      const FieldExpression& e = expression(number);
      if (next == e.nodes.end_id()) {
        need_grid(e.grid);
        open.pop_back();
        continue;
      }
      const FieldExpressionNode& node = e.nodes[next++];
      if (node.source >= 0) need_grid(model_.sources[node.source].grid);
      begin(node.expression);
    }
  }

  template <class User>
  void renumber(User& user) const {
    if (user.grid >= 0) user.grid = grids_[user.grid];
  }

  Model& model_;
  Numbers<GridId> grids_;
  Numbers<ScalarId> scalars_;
  Numbers<AxisId> axes_;
  Numbers<DomainId> domains_;
  Numbers<ExpressionId> expressions_;  ///< expressions that have been looked at
};

}  // namespace

void keep_used_grids(Model& model) {
  Order order(model);
  order.find();
  order.apply();
}

}  // namespace epios::config
