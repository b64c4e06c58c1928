#include "commands/record_size.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace epios::config {

namespace {

/// Points of an element of a grid; those of an axis are along i.
struct Extent {
  std::int64_t i = 1;
  std::int64_t j = 1;
};

template <class T>
const T* value_of(const Transformation& transformation, std::string_view attribute) {
  for (const Property& property : transformation.attributes) {
    if (property.name == attribute) return std::get_if<T>(&property.value);
  }
  return nullptr;
}

std::optional<std::int64_t> integer_of(const Transformation& transformation,
                                       std::string_view attribute) {
  const auto* value = value_of<std::int64_t>(transformation, attribute);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

Extent own_extent(const Model& model, const GridElement& element) {
  const auto at = static_cast<std::size_t>(element.index);
  switch (element.kind) {
    case GridElement::Kind::axis:
      return {model.axes[at].attributes.n_glo.value_or(0), 1};
    case GridElement::Kind::domain: {
      const DomainAttributes& domain = model.domains[at].attributes;
      return {domain.ni_glo.value_or(0), domain.nj_glo.value_or(0)};
    }
    case GridElement::Kind::scalar:
      break;
  }
  return {};
}

const std::vector<Transformation>& transformations_of(const Model& model,
                                                      const GridElement& element) {
  const auto at = static_cast<std::size_t>(element.index);
  if (element.kind == GridElement::Kind::axis) return model.axes[at].transformations;
  if (element.kind == GridElement::Kind::domain) return model.domains[at].transformations;
  return model.scalars[at].transformations;
}

/// Points that are listed, or an interval; without either, all.
Extent extracted_axis(const Transformation& extract, const Extent& from) {
  if (const auto* index = value_of<value::integers>(extract, "index")) {
    return {static_cast<std::int64_t>(index->values.size()), 1};
  }
  const std::int64_t begin = integer_of(extract, "begin").value_or(0);
  return {integer_of(extract, "n").value_or(std::max<std::int64_t>(0, from.i - begin)), 1};
}

/// The side of a domain that is left.
Extent side(const Transformation& transformation, const Extent& from) {
  const auto* direction = value_of<std::string>(transformation, "direction");
  return {direction != nullptr && *direction == "jDir" ? from.j : from.i, 1};
}

/// One ring of neighbours; how many cells of an unstructured domain are in it, its connectivity
/// says.
Extent expanded(const Extent& from) {
  const bool is_row = from.j == 1;
  return is_row ? from : Extent{saturated_sum(from.i, 2), saturated_sum(from.j, 2)};
}

/// What `transformation` makes of an element of extent `from`; `own` is what the element that it
/// stands in says of itself.
Extent result_of(const Transformation& transformation, const Extent& from, const Extent& own) {
  switch (transformation.kind) {
    case ElementKind::extract_domain:
      return {integer_of(transformation, "ni").value_or(from.i),
              integer_of(transformation, "nj").value_or(from.j)};
    case ElementKind::extract_axis:
      return extracted_axis(transformation, from);
    case ElementKind::expand_domain:
      return expanded(from);
    case ElementKind::reduce_domain_to_axis:
    case ElementKind::extract_domain_to_axis:
      return side(transformation, from);
    case ElementKind::reduce_axis_to_scalar:
    case ElementKind::reduce_domain_to_scalar:
    case ElementKind::extract_axis_to_scalar:
      return {};
    case ElementKind::interpolate_domain:
    case ElementKind::generate_rectilinear_domain:
    case ElementKind::interpolate_axis:
    case ElementKind::temporal_splitting:
    case ElementKind::duplicate_scalar:
      return own;
    default:  // another order, another distribution
      return from;
  }
}

/// The data come on `from` and are written on `to`.
Extent extent_on_file(const Model& model, const GridElement& from, const GridElement& to) {
  const Extent own = own_extent(model, to);
  const std::vector<Transformation>& steps = transformations_of(model, to);
  const std::vector<Transformation>& before = transformations_of(model, from);
  const bool is_own = from == to || steps.empty();
  if (is_own) return own;
  // What it has from the element of the data is done already.
  const auto same = [](const Transformation& a, const Transformation& b) {
    return a.kind == b.kind && a.where == b.where;
  };
  auto step = std::mismatch(steps.begin(), steps.end(), before.begin(), before.end(), same).first;
  Extent extent = own_extent(model, from);
  for (; step != steps.end(); ++step) extent = result_of(*step, extent, own);
  return extent;
}

/// Points that are not masked, if the mask of the whole element is there.
std::int64_t unmasked(std::int64_t size, const std::optional<Array<std::uint8_t>>& mask) {
  if (!mask || static_cast<std::int64_t>(mask->values.size()) != size) return size;
  return size - std::count(mask->values.begin(), mask->values.end(), 0);
}

std::int64_t unmasked(const Model& model, const GridElement& element, std::int64_t size) {
  const auto at = static_cast<std::size_t>(element.index);
  if (element.kind == GridElement::Kind::axis) {
    return unmasked(size, model.axes[at].attributes.mask);
  }
  if (element.kind == GridElement::Kind::scalar) return size;
  const DomainAttributes& domain = model.domains[at].attributes;
  return unmasked(size, domain.mask_1d ? domain.mask_1d : domain.mask_2d);
}

int data_grid(const Model& model, const Stream& stream) {
  if (stream.source >= 0) return model.sources[static_cast<std::size_t>(stream.source)].grid;
  return model.expressions[static_cast<std::size_t>(stream.expression)].grid;
}

}  // namespace

std::int64_t saturated_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}

std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}

std::int64_t written_points(const Model& model, const Stream& stream) {
  const std::vector<GridElement>& to = model.grids[static_cast<std::size_t>(stream.grid)].elements;
  const std::vector<GridElement>& from =
      model.grids[static_cast<std::size_t>(data_grid(model, stream))].elements;
  const bool only_unmasked = stream.attributes.indexed_output.value_or(false);
  std::int64_t result = 1;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const Extent extent = extent_on_file(model, from.size() == to.size() ? from[i] : to[i], to[i]);
    const std::int64_t size = saturated_product(extent.i, extent.j);
    result = saturated_product(result, only_unmasked ? unmasked(model, to[i], size) : size);
  }
  return result;
}

}  // namespace epios::config
