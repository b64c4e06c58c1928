// Determines the shape of what a transformation makes from the shape of its source. First come the
// shapes of extractions and expansions, then what an element inherits from its source, then the
// rule for each kind of transformation.
#include "grids/element_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/transformation_traits.hpp"

namespace epios::config {

namespace {

using Kind = GridElement::Kind;

std::string_view kind_name(Kind kind) {
  if (kind == Kind::axis) return "an axis";
  return kind == Kind::domain ? "a domain" : "a scalar";
}

bool is_row(const ElementShape& shape) { return is_row_of_cells(shape.type); }

std::string beyond(std::string_view what, const Interval& wanted,
                   const std::optional<std::int64_t>& size) {
  if (!size || (wanted.begin >= 0 && wanted.begin <= *size && wanted.n >= 0 &&
                wanted.n <= *size - wanted.begin)) {
    return {};
  }
  if (wanted.n == 1) {
    return fmt::format("there is no {} {} among the {} of its source", what, wanted.begin, *size);
  }
  return fmt::format("there are no {}s {} to {} among the {} of its source", what, wanted.begin,
                     wanted.begin + wanted.n - 1, *size);
}

TransformedShape listed_axis(std::vector<std::int64_t> points, const ElementShape& from) {
  ElementShape shape{Kind::axis};
  if (points.empty()) return {shape, "no point is left of its source"};
  shape.ni = static_cast<std::int64_t>(points.size());
  for (const std::int64_t point : points) {
    if (std::string why = beyond("point", {point, 1}, from.ni); !why.empty()) {
      return {shape, std::move(why)};
    }
  }
  std::sort(points.begin(), points.end());
  const auto twice = std::adjacent_find(points.begin(), points.end());
  if (twice == points.end()) return {shape, {}};
  return {shape, fmt::format("it lists point {} twice", *twice)};
}

TransformedShape extracted_axis(const Transformation& extract, const ElementShape& from) {
  if (const auto list = extracted_list(extract)) return listed_axis(*list, from);
  const bool is_open = !from.ni && !integer_of(extract, "n");
  const Interval interval = extracted_interval(extract, from.ni.value_or(0));
  ElementShape shape{Kind::axis};
  if (!is_open && interval.n > 0) shape.ni = interval.n;
  std::string complaint = beyond("point", interval, from.ni);
  if (complaint.empty() && from.ni && interval.n == 0) complaint = "no point is left of its source";
  return {shape, std::move(complaint)};
}

TransformedShape extracted_domain(const Transformation& extract, const ElementShape& from) {
  const DomainWindow window = extracted_window(extract, from.ni.value_or(0), from.nj.value_or(0));
  ElementShape shape{Kind::domain, std::nullopt, std::nullopt, from.type};
  if (window.i.n > 0) shape.ni = window.i.n;
  if (window.j.n > 0) shape.nj = window.j.n;
  std::string complaint = beyond("column", window.i, from.ni);
  if (complaint.empty()) complaint = beyond("row", window.j, from.nj);
  return {shape, std::move(complaint)};
}

/// The side of a domain that is left.
TransformedShape side(const Transformation& transformation, const ElementShape& from) {
  const bool is_i = is_along_i(transformation);
  const ElementShape shape{Kind::axis, is_i ? from.ni : from.nj};
  if (is_row(from)) {
    return {shape, fmt::format("cells of a domain of type {} form no rows", from.type)};
  }
  const auto position = integer_of(transformation, "position");
  if (!position) return {shape, {}};
  return {shape, beyond(is_i ? "row" : "column", {*position, 1}, is_i ? from.nj : from.ni)};
}

/// Empty unless a running mean has a window that is longer than the axis.
std::string beyond_window(const Transformation& transformation, const ElementShape& from) {
  if (transformation.kind != ElementKind::smooth_axis || !from.ni) return {};
  const std::int64_t levels = integer_of(transformation, "n").value_or(1);
  if (levels <= *from.ni) return {};
  return fmt::format("its window has {} levels, its source {}", levels, *from.ni);
}

ElementShape expanded(const ElementShape& from) {
  ElementShape shape = from;
  const auto widen = [](std::optional<std::int64_t>& size) {
    if (size) *size += 2;
  };
  widen(shape.ni);
  widen(shape.nj);
  return shape;
}

/// Blocks of two columns and two rows, of fewer at the ends of an odd number.
TransformedShape coarsened(const ElementShape& from) {
  ElementShape shape = from;
  if (from.type == "healpix") {
    constexpr std::int64_t base_pixels = 12;
    if (from.ni) shape.ni = *from.ni / 4;
    return {shape, from.ni == base_pixels ? "HEALPix with nside=\"1\" has no coarser level" : ""};
  }
  if (is_row(from)) {
    return {shape, fmt::format("cells of a domain of type {} form no blocks", from.type)};
  }
  if (from.ni == 1 && from.nj == 1) return {shape, "one cell has no coarser level"};
  const auto halve = [](std::optional<std::int64_t>& size) {
    if (size) *size = (*size + 1) / 2;
  };
  halve(shape.ni);
  halve(shape.nj);
  return {shape, {}};
}

template <class T>
void inherit(std::optional<T>& own, const std::optional<T>& from) {
  if (!own) own = from;
}

void describe(AxisAttributes& own, const AxisAttributes& from) {
  inherit(own.standard_name, from.standard_name);
  inherit(own.long_name, from.long_name);
  inherit(own.unit, from.unit);
  inherit(own.positive, from.positive);
  inherit(own.axis_type, from.axis_type);
  inherit(own.formula, from.formula);
  inherit(own.formula_term, from.formula_term);
  inherit(own.formula_bounds, from.formula_bounds);
  inherit(own.formula_term_bounds, from.formula_term_bounds);
}

/// A point of an axis.
void describe(ScalarAttributes& own, const AxisAttributes& from) {
  inherit(own.standard_name, from.standard_name);
  inherit(own.long_name, from.long_name);
  inherit(own.unit, from.unit);
  inherit(own.positive, from.positive);
  inherit(own.axis_type, from.axis_type);
}

void describe(DomainAttributes& own, const DomainAttributes& from) {
  inherit(own.standard_name, from.standard_name);
  inherit(own.long_name, from.long_name);
  inherit(own.lon_name, from.lon_name);
  inherit(own.lat_name, from.lat_name);
  inherit(own.bounds_lon_name, from.bounds_lon_name);
  inherit(own.bounds_lat_name, from.bounds_lat_name);
  inherit(own.dim_i_name, from.dim_i_name);
  inherit(own.dim_j_name, from.dim_j_name);
  inherit(own.nvertex_name, from.nvertex_name);
  inherit(own.radius, from.radius);
  // Some of the pixels of HEALPix, or a ring around them, are no HEALPix.
  own.type = from.type == "healpix" ? "unstructured" : from.type;
  own.nside = std::nullopt;
  own.order = std::nullopt;
  own.nvertex = from.nvertex;
}

/// Removes the local part of an axis. With `keeps_values`, values for the whole axis stay.
void clear_part(AxisAttributes& axis, bool keeps_values) {
  axis.begin = axis.n = axis.data_n = std::nullopt;
  axis.data_begin = 0;
  axis.index = axis.data_index = std::nullopt;
  axis.mask = std::nullopt;
  const auto has = [&](const auto& list, std::int64_t each) {
    return keeps_values && list && axis.n_glo &&
           static_cast<std::int64_t>(list->values.size()) == each * *axis.n_glo;
  };
  if (!has(axis.value, 1)) axis.value = std::nullopt;
  if (!has(axis.bounds, 2)) axis.bounds = std::nullopt;
  if (!has(axis.label, 1)) axis.label = std::nullopt;
}

void clear_part(DomainAttributes& d) {
  d.ibegin = d.ni = d.jbegin = d.nj = d.data_ni = d.data_nj = std::nullopt;
  d.data_ibegin = d.data_jbegin = 0;
  for (auto* list : {&d.i_index, &d.j_index, &d.data_i_index, &d.data_j_index, &d.tile_ni,
                     &d.tile_nj, &d.tile_ibegin, &d.tile_jbegin, &d.tile_data_ibegin,
                     &d.tile_data_jbegin, &d.tile_data_ni, &d.tile_data_nj}) {
    *list = std::nullopt;
  }
  for (auto* list :
       {&d.lonvalue_1d, &d.latvalue_1d, &d.lonvalue_2d, &d.latvalue_2d, &d.bounds_lon_1d,
        &d.bounds_lat_1d, &d.bounds_lon_2d, &d.bounds_lat_2d, &d.area, &d.area_1d, &d.area_2d}) {
    *list = std::nullopt;
  }
  d.mask_1d = d.mask_2d = std::nullopt;
  d.ntiles = std::nullopt;
}

/// An axis along a side of a domain whose sides are coordinates is one of them.
void describe_side(AxisAttributes& axis, bool is_i) {
  if (axis.value) return;
  inherit(axis.standard_name, std::optional<std::string>(is_i ? "longitude" : "latitude"));
  inherit(axis.unit, std::optional<std::string>(is_i ? "degrees_east" : "degrees_north"));
}

}  // namespace

namespace {
/// 0 stands for what the model will set.
std::optional<std::int64_t> known(const std::optional<std::int64_t>& size) {
  return size == 0 ? std::nullopt : size;
}
}  // namespace

ElementShape shape_of(const Scalar& /*scalar*/) { return {Kind::scalar}; }

ElementShape shape_of(const Axis& axis) { return {Kind::axis, known(axis.attributes.n_glo)}; }

ElementShape shape_of(const Domain& domain) {
  const DomainAttributes& a = domain.attributes;
  return {Kind::domain, known(a.ni_glo), known(a.nj_glo), a.type.value_or("rectilinear")};
}

ElementShape shape_of(const Model& model, const GridElement& element) {
  if (element.kind == Kind::axis) return shape_of(model.axes[element.axis()]);
  if (element.kind == Kind::domain) return shape_of(model.domains[element.domain()]);
  return shape_of(model.scalars[element.scalar()]);
}

namespace {

/// Of the elements of a grid, but for those of one point; nothing where one is not known.
std::optional<std::vector<std::int64_t>> lengths_of(const Model& model, GridId grid) {
  std::vector<std::int64_t> out;
  for (const GridElement& element : model.grids[grid].elements) {
    const ElementShape shape = shape_of(model, element);
    if (shape.kind == Kind::scalar) continue;
    if (!shape.ni || (shape.kind == Kind::domain && !is_row(shape) && !shape.nj)) {
      return std::nullopt;
    }
    const std::int64_t nj = is_row(shape) ? 1 : shape.nj.value_or(1);
    if (*shape.ni * nj == 1) continue;
    out.push_back(*shape.ni);
    if (shape.kind == Kind::domain) out.push_back(nj);
  }
  return out;
}

bool has_window(const Model& model, GridId grid) {
  const auto& elements = model.grids[grid].elements;
  return std::any_of(elements.begin(), elements.end(), [&](const GridElement& element) {
    const auto& steps = transformations_of(model, element);
    return std::any_of(steps.begin(), steps.end(),
                       [](const Transformation& t) { return is_view(t.kind); });
  });
}

}  // namespace

std::string misfit_of_window(const Model& model, GridId grid, GridId other) {
  if (!has_window(model, grid) && !has_window(model, other)) return {};
  const auto lengths = lengths_of(model, grid);
  const auto theirs = lengths_of(model, other);
  if (!lengths || !theirs || *lengths == *theirs) return {};
  const auto id = [&](GridId g) { return model.grids[g].id; };
  return fmt::format("elements of grid '{}' have {} points, those of grid '{}' {}", id(grid),
                     fmt::join(*lengths, " x "), id(other), fmt::join(*theirs, " x "));
}

std::vector<IdleAttribute> idle_attributes(const Transformation& transformation,
                                           const ElementShape& from) {
  std::vector<IdleAttribute> out;
  if (transformation.kind != ElementKind::expand_domain) return out;
  const bool is_listed = is_row(from);
  for (const std::string_view attribute : {"i_periodic", "j_periodic"}) {
    if (is_listed && flag_of(transformation, attribute)) {
      out.push_back({attribute, "cells of its type form no rows and columns"});
    }
  }
  if (!is_listed && text_of(transformation, "type") == "node") {
    out.push_back({"type", "a ring around rows and columns has its corners either way"});
  }
  return out;
}

TransformedShape transformed_shape(const Transformation& transformation, const ElementShape& from,
                                   const ElementShape& own) {
  const TransformationTraits& traits = traits_of(transformation.kind);
  if (from.kind != traits.source) {
    return {own, fmt::format("it is made of {}, its source is {}", kind_name(traits.source),
                             kind_name(from.kind))};
  }
  switch (traits.shape) {
    case ShapeRule::own:
      return {own, {}};
    case ShapeRule::same:
      return {from, beyond_window(transformation, from)};
    case ShapeRule::rows:
      if (!is_row(from)) return {from, {}};
      return {from, fmt::format("cells of a domain of type {} form no rows", from.type)};
    case ShapeRule::interval:
      return extracted_axis(transformation, from);
    case ShapeRule::window:
      return extracted_domain(transformation, from);
    case ShapeRule::blocks:
      return coarsened(from);
    case ShapeRule::ring:
      // Cells in a row get neighbours of other clients, no new ones.
      return {is_row(from) ? from : expanded(from), {}};
    case ShapeRule::side:
      return side(transformation, from);
    case ShapeRule::point:
      return {{Kind::scalar},
              beyond("point", {integer_of(transformation, "position").value_or(0), 1}, from.ni)};
    case ShapeRule::one:
      return {{Kind::scalar}, {}};
  }
  return {own, {}};
}

void set_shape(Model& model, const GridElement& target, const GridElement& source,
               const ElementShape& shape, const Transformation& transformation) {
  const ShapeRule rule = traits_of(transformation.kind).shape;
  if (rule == ShapeRule::own) return;
  if (target.kind == Kind::domain) {
    DomainAttributes& domain = model.domains[target.domain()].attributes;
    const DomainAttributes& from = model.domains[source.domain()].attributes;
    describe(domain, from);
    clear_part(domain);
    if (rule == ShapeRule::blocks && from.type == "healpix") {
      domain.type = from.type;
      domain.nside = from.nside.value_or(2) / 2;
      domain.order = from.order;
    }
    domain.ni_glo = shape.ni;
    domain.nj_glo = shape.nj;
  } else if (target.kind == Kind::axis) {
    AxisAttributes& axis = model.axes[target.axis()].attributes;
    if (source.kind == Kind::axis) describe(axis, model.axes[source.axis()].attributes);
    axis.n_glo = shape.ni;
    clear_part(axis, source.kind != Kind::axis);
    const bool has_sides =
        source.kind == Kind::domain &&
        model.domains[source.domain()].attributes.type.value_or("rectilinear") == "rectilinear";
    if (has_sides) describe_side(axis, is_along_i(transformation));
  } else if (rule == ShapeRule::point) {
    describe(model.scalars[target.scalar()].attributes, model.axes[source.axis()].attributes);
  }
}

}  // namespace epios::config
