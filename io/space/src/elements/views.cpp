#include "space/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ep/ep.hpp>
#include <functional>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/transformation_traits.hpp"
#include "elements/connectivity.hpp"
#include "elements/element_views.hpp"
#include "elements/generated_domains.hpp"
#include "elements/local_cells.hpp"
#include "elements/moved_elements.hpp"
#include "space/steps.hpp"

namespace epios::io {

namespace {

using Key = std::pair<config::GridElement::Kind, int>;
Key key(const config::GridElement& element) { return {element.kind, element.index}; }

template <class Element>
Element& element_of(config::Model& model, const config::GridElement& element) {
  if constexpr (std::is_same_v<Element, config::Axis>) {
    return model.axes[element.axis()];
  } else if constexpr (std::is_same_v<Element, config::Domain>) {
    return model.domains[element.domain()];
  } else {
    return model.scalars[element.scalar()];
  }
}

template <class Source, class Target>
SelectedCells shape_by(SelectedCells (*view)(const Source&, const config::Transformation&, Target&),
                       config::Model& model, const config::SpatialStep& step) {
  return view(element_of<Source>(model, step.source), *step.transformation,
              element_of<Target>(model, step.target));
}

/// Calls the view of the kind of the step's transformation.
SelectedCells shape(config::Model& model, const config::SpatialStep& step) {
  using config::TransformationWork;
#define TRANSFORMATION(name, tag, within, source, shape, work, ...)     \
  if constexpr (TransformationWork::work == TransformationWork::view) { \
    if (step.transformation->kind == config::ElementKind::name) {       \
      return shape_by(views::name, model, step);                        \
    }                                                                   \
  }
#include "config/transformations.def"
  return {};
}

/// Returns the number of this client's cells. A scalar is no dimension of a mask.
std::int64_t cells_of(const config::Model& model, const config::GridElement& element) {
  if (element.kind == config::GridElement::Kind::scalar) return 1;
  if (element.kind == config::GridElement::Kind::axis) {
    return static_cast<std::int64_t>(local_points(model.axes[element.axis()].attributes).size());
  }
  return local_cells(model.domains[element.domain()].attributes).count();
}

/// Masks in the result what is masked in the source, in addition to its own mask.
void mask_grid(config::Model& model, const config::SpatialStep& step, const SelectedCells& kept) {
  const config::Grid& from = model.grids[step.from];
  config::Grid& to = model.grids[step.to];
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
  std::map<Key, SelectedCells> shaped;  // one element may be in several grids
  for (const config::FieldExpression& expression : model.expressions) {
    const auto step = config::spatial_step(model, expression);
    if (!step) continue;
    const bool is_view = config::is_view(step->transformation->kind);
    const auto [known, is_new] = shaped.try_emplace(key(step->target));
    if (is_new && is_view) known->second = shape(model, *step);
    if (is_new && !is_view) shape_moved(*step);
    if (is_view) mask_grid(model, *step, known->second);
    // Each date has the mask of all.
    const auto work = config::traits_of(step->transformation->kind).work;
    if (work != config::TransformationWork::splitting) continue;
    mask_grid(model, *step,
              SelectedCells(static_cast<std::size_t>(cells_of(model, step->target)), 0));
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
