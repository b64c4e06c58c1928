#include "space/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ep/ep.hpp>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "elements/connectivity.hpp"
#include "elements/element_at.hpp"
#include "elements/element_views.hpp"
#include "elements/generated_domains.hpp"
#include "elements/local_cells.hpp"
#include "elements/moved_elements.hpp"
#include "space/steps.hpp"

namespace epios::io {

namespace {

using Key = std::pair<config::GridElement::Kind, int>;
Key key(const config::GridElement& element) { return {element.kind, element.index}; }

Kept shape(config::Model& model, const config::SpatialStep& step) {
  const config::Transformation& how = *step.transformation;
  const int from = step.source.index;
  const int to = step.target.index;
  switch (how.kind) {
    case config::ElementKind::extract_axis:
      return extract_axis(element_at(model.axes, from), how, element_at(model.axes, to));
    case config::ElementKind::inverse_axis:
      return inverse_axis(element_at(model.axes, from), element_at(model.axes, to));
    case config::ElementKind::extract_axis_to_scalar:
      return extract_point(element_at(model.axes, from), how, element_at(model.scalars, to));
    case config::ElementKind::extract_domain:
      return extract_domain(element_at(model.domains, from), how, element_at(model.domains, to));
    case config::ElementKind::reorder_domain:
      return reorder_domain(element_at(model.domains, from), how, element_at(model.domains, to));
    case config::ElementKind::extract_domain_to_axis:
      return extract_line(element_at(model.domains, from), how, element_at(model.axes, to));
    default:
      return {};
  }
}

/// Returns the number of this client's cells. A scalar is no dimension of a mask.
std::int64_t cells_of(const config::Model& model, const config::GridElement& element) {
  const auto index = static_cast<std::size_t>(element.index);
  if (element.kind == config::GridElement::Kind::scalar) return 1;
  if (element.kind == config::GridElement::Kind::axis) {
    return static_cast<std::int64_t>(local_points(model.axes[index].attributes).size());
  }
  return local_cells(model.domains[index].attributes).count();
}

/// Masks in the result what is masked in the source, in addition to its own mask.
void mask_grid(config::Model& model, const config::SpatialStep& step, const Kept& kept) {
  const config::Grid& from = element_at(model.grids, step.from);
  config::Grid& to = element_at(model.grids, step.to);
  if (!from.mask) return;
  std::int64_t before = 1;  // cells of the elements before the one that changes
  std::int64_t behind = 1;
  for (std::size_t e = 0; e < from.elements.size(); ++e) {
    if (e < step.position) before *= cells_of(model, from.elements[e]);
    if (e > step.position) behind *= cells_of(model, from.elements[e]);
  }
  const std::int64_t width = cells_of(model, step.source);
  const auto size = static_cast<std::int64_t>(from.mask->values.size());
  if (size != before * width * behind) return;  // check_masks() tells
  config::value::booleans mask;
  for (std::int64_t b = 0; b < behind; ++b) {
    for (const std::int64_t cell : kept) {
      const auto first = from.mask->values.begin() + (b * width + cell) * before;
      mask.values.insert(mask.values.end(), first, first + before);
    }
  }
  // A scalar that this client has not is no dimension of a mask, and nothing of it counts.
  const bool is_absent = step.target.kind == config::GridElement::Kind::scalar && kept.empty();
  if (is_absent) mask.values.assign(static_cast<std::size_t>(before * behind), 0);
  if (to.mask) {
    if (to.mask->values.size() != mask.values.size()) return;  // nothing has changed
    std::transform(mask.values.begin(), mask.values.end(), to.mask->values.begin(),
                   to.mask->values.begin(), std::logical_and<>());
    return;
  }
  mask.shape = {static_cast<std::int64_t>(mask.values.size())};
  to.mask = std::move(mask);
}

void shape_each(config::Model& model,
                const std::function<void(const config::SpatialStep&)>& shape_moved) {
  std::map<Key, Kept> shaped;  // one element may be in several grids
  for (const config::FieldExpression& expression : model.expressions) {
    const auto step = config::spatial_step(model, expression);
    if (!step) continue;
    const bool is_view = config::is_view(step->transformation->kind);
    const auto [known, is_new] = shaped.try_emplace(key(step->target));
    if (is_new && is_view) known->second = shape(model, *step);
    if (is_new && !is_view) shape_moved(*step);
    if (is_view) mask_grid(model, *step, known->second);
    // Each date has the mask of all.
    if (step->transformation->kind != config::ElementKind::temporal_splitting) continue;
    mask_grid(model, *step, Kept(static_cast<std::size_t>(cells_of(model, step->target)), 0));
  }
}

}  // namespace

void shape_views(config::Model& model) {
  shape_each(model, [](const config::SpatialStep&) {});
}

void check_masks(const config::Model& model) {
  for (const config::Grid& grid : model.grids) {
    if (!grid.mask) continue;
    std::int64_t cells = 1;
    for (const config::GridElement& element : grid.elements) cells *= cells_of(model, element);
    const auto size = static_cast<std::int64_t>(grid.mask->values.size());
    if (size == cells) continue;
    throw Error(
        ErrorCode::configuration,
        fmt::format("grid '{}' has a mask of {} values for {} cells on this client (some of "
                    "its elements are made of others). Mask the grid of its source?",
                    grid.id, size, cells));
  }
}

void shape_elements(config::Model& model, const ep::Comm& clients) {
  generate_domains(model, clients);
  shape_each(model, [&](const config::SpatialStep& step) { shape_moved(model, step, clients); });
  connect_domains(model, clients);
}

}  // namespace epios::io
