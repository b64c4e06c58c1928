#include "model/printed_elements.hpp"

#include <algorithm>

#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/transformation_traits.hpp"
#include "model/written_way.hpp"

namespace epios::config {

PrintedElements::PrintedElements(const Model& model) : model_(model), grids_(model.grids.size()) {
  find_grids();
  for (const GridId i : grids_.ids()) {
    if (!grids_[i]) continue;
    for (const GridElement& element : model.grids[i].elements) {
      elements_.try_emplace(key(element),
                            Written{transformations_of(model, element), element.index});
    }
  }
  gather();
}

bool PrintedElements::has_any(GridElement::Kind kind) const {
  return std::any_of(elements_.begin(), elements_.end(),
                     [kind](const auto& element) { return element.first.first == kind; });
}

void PrintedElements::find_grids() {
  const auto mark = [this](GridId grid) {
    if (grid >= 0) grids_[grid] = true;
  };
  for (const Source& source : model_.sources) mark(source.grid);
  for (const ReadField& field : model_.read_fields) mark(field.grid);
  for (const Stream& stream : model_.streams) mark(stream.grid);
  for (const Stream& result : model_.results) mark(result.grid);
  for (const Coupler& coupler : model_.couplers) {
    for (const CoupledField& field : coupler.fields) mark(field.grid);
  }
  for (const FieldExpression& expression : model_.expressions) {
    const bool is_between =
        is_way(expression) && expression.stage == FieldExpression::Stage::between;
    if (!is_between) mark(expression.grid);
  }
}

void PrintedElements::gather() {
  std::map<Key, Written> between;
  for (const FieldExpression& expression : model_.expressions) {
    const auto step = spatial_step(model_, expression);
    if (!step) continue;
    Written all;
    if (const auto before = between.find(key(step->source)); before != between.end()) {
      all = before->second;
    }
    const std::vector<Transformation>& own = transformations_of(model_, step->target);
    all.transformations.insert(all.transformations.end(), own.begin(), own.end());
    const bool has_own_size = !keeps_to_source(step->transformation->kind);
    if (has_own_size || !all.has_own_size) all.written = step->target.index;
    all.has_own_size = all.has_own_size || has_own_size;
    (has(step->target) ? elements_ : between)[key(step->target)] = std::move(all);
  }
}

}  // namespace epios::config
