#include "elements/moved_elements.hpp"

#include <algorithm>
#include <ep/ep.hpp>
#include <map>
#include <utility>

#include "config/index.hpp"
#include "config/model.hpp"
#include "config/transformation_traits.hpp"
#include "elements/coarsened_domains.hpp"
#include "elements/dealt_elements.hpp"
#include "elements/element_views.hpp"
#include "elements/local_cells.hpp"
#include "elements/selection.hpp"

namespace epios::io {

namespace {

/// Each client has the result; of what each makes of its own points, those that have some.
void shape_result(const config::Transformation& how, bool has_points, config::Scalar& target) {
  target.attributes.n = has_points || !config::flag_of(how, "local") ? 1 : 0;
  target.places = 1;
  target.place = 0;
}

/// No points here.
void set_empty(config::AxisAttributes& axis) {
  axis.n = axis.data_n = 0;
  axis.index = listed({});
  axis.value = std::nullopt;
  axis.bounds = std::nullopt;
  axis.label = std::nullopt;
  axis.mask = std::nullopt;
}

/// The columns or rows of which this client has cells.
void shape_side(const config::Domain& source, const config::Transformation& how,
                config::Axis& target) {
  const bool is_i = config::is_along_i(how);
  const LocalCells cells = local_cells(source.attributes);
  std::map<std::int64_t, std::int64_t> first;  // cell of each
  for (std::int64_t cell = 0; cell < cells.count(); ++cell) {
    first.emplace(nth((is_i ? cells.i : cells.j), cell), cell);
  }
  SelectedCells kept;
  SelectedCells own;
  for (const auto& [point, cell] : first) {
    own.push_back(point);
    kept.push_back(cell);
  }
  config::AxisAttributes& out = target.attributes;
  const bool is_regular = source.attributes.type.value_or("rectilinear") == "rectilinear";
  config::DomainAttributes sides;
  if (is_regular) sides = source.attributes;
  // A masked cell says nothing of the others.
  sides.mask_1d = sides.mask_2d = std::nullopt;
  describe_line(sides, cells, is_i, kept, own, out);
  out.n = static_cast<std::int64_t>(own.size());
  out.data_n = out.n;
  out.index = listed(std::move(own));
}

/// Gives the target the same points, without places of the source's array that have none.
void shape_copy(const config::Axis& source, config::Axis& target) {
  const config::AxisAttributes& a = source.attributes;
  config::AxisAttributes& out = target.attributes;
  std::vector<std::int64_t> index = local_points(a);
  out.n = static_cast<std::int64_t>(index.size());
  out.data_n = out.n;
  out.index = listed(std::move(index));
  out.value = a.value;
  out.bounds = a.bounds;
  out.label = a.label;
  out.mask = a.mask;
}

/// Where the source is a scalar, each client has the result.
bool has_points(config::Model& model, const config::GridElement& source) {
  if (source.kind == config::GridElement::Kind::domain) {
    return local_cells(model.domains[source.domain()].attributes).count() > 0;
  }
  return source.kind == config::GridElement::Kind::scalar ||
         !local_points(model.axes[source.axis()].attributes).empty();
}

void shape_redistributed(config::Model& model, const config::SpatialStep& step,
                         const ep::Comm& clients) {
  const config::Transformation& how = *step.transformation;
  const config::GridElement& from = step.source;
  const config::GridElement& to = step.target;
  switch (step.target.kind) {
    case config::GridElement::Kind::domain:
      return redistribute(model.domains[from.domain()], how, clients, model.domains[to.domain()]);
    case config::GridElement::Kind::axis:
      return redistribute(model.axes[from.axis()], how, clients, model.axes[to.axis()]);
    case config::GridElement::Kind::scalar:
      return redistribute(how, clients, model.scalars[to.scalar()]);
  }
}

/// The element says itself what it is; of dates that this client has no values of it has no points.
void shape_own(config::Model& model, const config::SpatialStep& step) {
  const config::TransformationTraits& traits = config::traits_of(step.transformation->kind);
  if (traits.work != config::TransformationWork::splitting) return;
  const config::Scalar& source = model.scalars[step.source.scalar()];
  if (source.attributes.n.value_or(1) == 0) {
    set_empty(model.axes[step.target.axis()].attributes);
  }
}

}  // namespace

void shape_moved(config::Model& model, const config::SpatialStep& step, const ep::Comm& clients) {
  using config::ShapeRule;
  const config::TransformationTraits& traits = config::traits_of(step.transformation->kind);
  if (traits.work == config::TransformationWork::redistribution) {
    return shape_redistributed(model, step, clients);
  }
  const config::GridElement& from = step.source;
  const config::GridElement& to = step.target;
  const bool is_axis = step.target.kind == config::GridElement::Kind::axis;
  switch (traits.shape) {
    case ShapeRule::own:
      return shape_own(model, step);
    case ShapeRule::same:
      if (is_axis) return shape_copy(model.axes[from.axis()], model.axes[to.axis()]);
      return shape_result(*step.transformation, true, model.scalars[to.scalar()]);
    case ShapeRule::one:
      return shape_result(*step.transformation, has_points(model, step.source),
                          model.scalars[to.scalar()]);
    case ShapeRule::side:
      return shape_side(model.domains[from.domain()], *step.transformation, model.axes[to.axis()]);
    case ShapeRule::blocks:
      return coarsen(model, step, clients);
    case ShapeRule::ring:
      return expand(model.domains[from.domain()], *step.transformation, clients,
                    model.domains[to.domain()]);
    case ShapeRule::rows:
    case ShapeRule::interval:
    case ShapeRule::window:
    case ShapeRule::point:
      return;  // of views
  }
}

}  // namespace epios::io
