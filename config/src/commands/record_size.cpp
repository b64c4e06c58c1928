#include "commands/record_size.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "config/model.hpp"

namespace epios::config {

namespace {

/// Points of an element of a grid; those of an axis are along i.
struct Extent {
  std::int64_t i = 1;
  std::int64_t j = 1;
};

Extent own_extent(const Model& model, const GridElement& element) {
  switch (element.kind) {
    case GridElement::Kind::axis:
      return {model.axes[element.axis()].attributes.n_glo.value_or(0), 1};
    case GridElement::Kind::domain: {
      const DomainAttributes& domain = model.domains[element.domain()].attributes;
      return {domain.ni_glo.value_or(0), domain.nj_glo.value_or(0)};
    }
    case GridElement::Kind::scalar:
      break;
  }
  return {};
}

/// Points that are not masked, if the mask of the whole element is there.
std::int64_t unmasked(std::int64_t size, const std::optional<Array<std::uint8_t>>& mask) {
  if (!mask || static_cast<std::int64_t>(mask->values.size()) != size) return size;
  return size - std::count(mask->values.begin(), mask->values.end(), 0);
}

std::int64_t unmasked(const Model& model, const GridElement& element, std::int64_t size) {
  if (element.kind == GridElement::Kind::axis) {
    return unmasked(size, model.axes[element.axis()].attributes.mask);
  }
  if (element.kind == GridElement::Kind::scalar) return size;
  const DomainAttributes& domain = model.domains[element.domain()].attributes;
  return unmasked(size, domain.mask_1d ? domain.mask_1d : domain.mask_2d);
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
  const bool only_unmasked = stream.attributes.indexed_output.value_or(false);
  std::int64_t result = 1;
  for (const GridElement& element : model.grids[stream.grid].elements) {
    const Extent extent = own_extent(model, element);
    const std::int64_t size = saturated_product(extent.i, extent.j);
    result = saturated_product(result, only_unmasked ? unmasked(model, element, size) : size);
  }
  return result;
}

std::int64_t read_points(const Model& model, const ReadField& field) {
  std::int64_t result = 1;
  for (const GridElement& element : model.grids[field.grid].elements) {
    const Extent extent = own_extent(model, element);
    result =
        saturated_product(result, saturated_product(extent.i, std::max<std::int64_t>(extent.j, 1)));
  }
  return result;
}

}  // namespace epios::config
