#include "elements/moved_elements.hpp"

#include <algorithm>
#include <ep/ep.hpp>
#include <map>
#include <utility>

#include "config/model.hpp"
#include "elements/dealt_elements.hpp"
#include "elements/element_at.hpp"
#include "elements/element_views.hpp"
#include "elements/local_cells.hpp"
#include "elements/selection.hpp"

namespace epios::io {

namespace {

using config::ElementKind;

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
    first.emplace((is_i ? cells.i : cells.j)[static_cast<std::size_t>(cell)], cell);
  }
  Kept kept;
  Kept own;
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

}  // namespace

void shape_moved(config::Model& model, const config::SpatialStep& step, const ep::Comm& clients) {
  const int from = step.source.index;
  const int to = step.target.index;
  switch (step.transformation->kind) {
    case ElementKind::reduce_domain_to_scalar:
      return shape_result(*step.transformation,
                          local_cells(element_at(model.domains, from).attributes).count() > 0,
                          element_at(model.scalars, to));
    case ElementKind::reduce_axis_to_scalar:
      return shape_result(*step.transformation,
                          !local_points(element_at(model.axes, from).attributes).empty(),
                          element_at(model.scalars, to));
    case ElementKind::reduce_scalar:
      return shape_result(*step.transformation, true, element_at(model.scalars, to));
    case ElementKind::temporal_splitting:
      if (element_at(model.scalars, from).attributes.n.value_or(1) == 0) {
        set_empty(element_at(model.axes, to).attributes);
      }
      return;
    case ElementKind::reduce_domain_to_axis:
      return shape_side(element_at(model.domains, from), *step.transformation,
                        element_at(model.axes, to));
    case ElementKind::reduce_axis_to_axis:
      return shape_copy(element_at(model.axes, from), element_at(model.axes, to));
    case ElementKind::redistribute_domain:
      return redistribute(element_at(model.domains, from), *step.transformation, clients,
                          element_at(model.domains, to));
    case ElementKind::redistribute_axis:
      return redistribute(element_at(model.axes, from), *step.transformation, clients,
                          element_at(model.axes, to));
    case ElementKind::redistribute_scalar:
      return redistribute(*step.transformation, clients, element_at(model.scalars, to));
    case ElementKind::expand_domain:
      return expand(element_at(model.domains, from), *step.transformation, clients,
                    element_at(model.domains, to));
    default:  // it says itself what it is
      return;
  }
}

}  // namespace epios::io
