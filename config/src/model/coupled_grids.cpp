// Describes elements of grids for other contexts, and the questions and answers that carry them.
// First come the tables of coordinate attributes, then descriptions and contradictions, local
// values, and the byte codec.
#include "config/coupled_grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "config/byte_fields.hpp"
#include "config/model.hpp"

namespace epios::config {
namespace {

using Along = CoordinateWish::Along;
using Reals = std::optional<value::reals>;

const Axis& axis_at(const Model& model, const GridElement& element) {
  return model.axes[AxisId(element.index)];
}
const Domain& domain_at(const Model& model, const GridElement& element) {
  return model.domains[DomainId(element.index)];
}

struct AxisCoordinate {
  std::string_view name;
  Reals AxisAttributes::*values;
  std::int64_t width;
};
constexpr std::array<AxisCoordinate, 2> of_axis{
    {{"value", &AxisAttributes::value, 1}, {"bounds", &AxisAttributes::bounds, 2}}};

struct DomainCoordinate {
  std::string_view name;
  Reals DomainAttributes::*values;
  Along side;  ///< side of a rectilinear domain; others have one value per cell
  bool is_bounds;
};
constexpr std::array<DomainCoordinate, 8> of_domain{{
    {"lonvalue_1d", &DomainAttributes::lonvalue_1d, Along::columns, false},
    {"latvalue_1d", &DomainAttributes::latvalue_1d, Along::rows, false},
    {"lonvalue_2d", &DomainAttributes::lonvalue_2d, Along::cells, false},
    {"latvalue_2d", &DomainAttributes::latvalue_2d, Along::cells, false},
    {"bounds_lon_1d", &DomainAttributes::bounds_lon_1d, Along::columns, true},
    {"bounds_lat_1d", &DomainAttributes::bounds_lat_1d, Along::rows, true},
    {"bounds_lon_2d", &DomainAttributes::bounds_lon_2d, Along::cells, true},
    {"bounds_lat_2d", &DomainAttributes::bounds_lat_2d, Along::cells, true},
}};

const Reals* values_of(const Model& model, const GridElement& element, std::string_view name) {
  if (element.kind == GridElement::Kind::axis) {
    for (const AxisCoordinate& one : of_axis) {
      if (one.name == name) return &(axis_at(model, element).attributes.*one.values);
    }
    return nullptr;
  }
  for (const DomainCoordinate& one : of_domain) {
    if (one.name == name) return &(domain_at(model, element).attributes.*one.values);
  }
  return nullptr;
}

/// Returns indices in an element of `size` points.
std::vector<std::int64_t> range(std::int64_t begin, std::int64_t count, std::int64_t size) {
  std::vector<std::int64_t> out;
  if (begin < 0 || count > size - begin) return out;
  for (std::int64_t k = 0; k < count; ++k) out.push_back(begin + k);
  return out;
}

std::vector<std::int64_t> positions_in(const DomainAttributes& d, Along along) {
  if (d.i_index && d.j_index && d.i_index->values.size() != d.j_index->values.size()) return {};
  const std::int64_t i_begin = d.ibegin.value_or(0);
  const std::int64_t j_begin = d.jbegin.value_or(0);
  const auto row_of = [&](std::size_t k) { return d.j_index ? d.j_index->values[k] : j_begin; };
  if (d.i_index) {
    std::vector<std::int64_t> out = d.i_index->values;
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (along == Along::rows) out[k] = row_of(k);
      if (along == Along::cells) out[k] += row_of(k) * d.ni_glo.value_or(0);
    }
    return out;
  }
  const std::int64_t width = d.ni_glo.value_or(0);
  auto columns = range(i_begin, d.ni.value_or(0), width);
  if (along == Along::columns) return columns;
  auto rows = range(j_begin, d.nj.value_or(0), d.nj_glo.value_or(0));
  if (along == Along::rows) return rows;
  std::vector<std::int64_t> out;
  for (const std::int64_t j : rows) {
    for (const std::int64_t i : columns) out.push_back(j * width + i);
  }
  return out;
}

constexpr Magic question_magic{0x51475045};  // "EPGQ" as bytes
constexpr Magic answer_magic{0x41475045};    // "EPGA" as bytes

constexpr std::string_view what_is_told_of_grids = "what a context says of its grids";

std::uint8_t along_code(Along along) { return static_cast<std::uint8_t>(along); }

Along along_of(std::uint8_t code) {
  if (code > along_code(Along::rows))
    refuse_bytes(what_is_told_of_grids, fmt::format("values along {}", code));
  return static_cast<Along>(code);
}

}  // namespace

std::int64_t GivenElement::size(Along along) const {
  if (along == Along::columns) return ni_glo;
  return along == Along::rows ? nj_glo : ni_glo * nj_glo;
}

std::uint64_t CoupledGrids::hash() const {
  std::vector<std::string> also;
  for (const Field& field : fields) {
    also.insert(also.end(), {field.partner_code, field.partner_context, field.id});
    for (const int element : field.elements) also.push_back(std::to_string(element));
  }
  return grids.hash(also);
}

std::optional<GivenElement> given_element(const Model& model, const GridElement& element,
                                          GridsOf of) {
  const auto is_to_come = [&](const std::vector<Transformation>& transformations) {
    return of == GridsOf::draft && !transformations.empty();
  };
  GivenElement out;
  if (element.kind == GridElement::Kind::axis) {
    const Axis& axis = axis_at(model, element);
    out.ni_glo = axis.attributes.n_glo.value_or(0);
    for (const AxisCoordinate& one : of_axis) {
      out.coordinates.push_back({std::string(one.name), Along::cells, one.width});
    }
    if (out.ni_glo == 0 || is_to_come(axis.transformations)) return std::nullopt;
    return out;
  }
  const Domain& domain = domain_at(model, element);
  const DomainAttributes& d = domain.attributes;
  out.kind = ElementKind::domain;
  // The other end gets cells with coordinates.
  out.type = d.type == "healpix" ? "unstructured" : d.type.value_or("");
  out.ni_glo = d.ni_glo.value_or(0);
  out.nj_glo = d.nj_glo.value_or(0);
  out.nvertex = d.nvertex.value_or(0);
  if (out.type.empty() || out.ni_glo * out.nj_glo == 0 || is_to_come(domain.transformations)) {
    return std::nullopt;
  }
  const bool has_sides = out.type == "rectilinear";
  for (const DomainCoordinate& one : of_domain) {
    const Along along = has_sides ? one.side : Along::cells;
    const std::int64_t corners = along == Along::cells ? out.nvertex : 2;
    if (one.is_bounds && corners == 0) continue;
    out.coordinates.push_back({std::string(one.name), along, one.is_bounds ? corners : 1});
  }
  return out;
}

std::string contradiction(const Model& draft, ElementKind kind, const std::string& id,
                          const GivenElement& given) {
  const auto differ = [](std::string_view name, const auto& here, const auto& there) {
    return here && *here != there
               ? fmt::format("its {} is '{}' here, '{}' there", name, *here, there)
               : std::string();
  };
  if (kind != ElementKind::domain) return {};  // the size alone is taken, as nobody has said it
  const auto domain = std::find_if(draft.domains.begin(), draft.domains.end(),
                                   [&](const Domain& one) { return one.id == id; });
  if (domain == draft.domains.end()) return {};
  const DomainAttributes& own = domain->attributes;
  const bool has_pixels = own.type == "healpix" && given.type == "unstructured";
  std::string out = has_pixels ? "" : differ("type", own.type, given.type);
  if (out.empty()) out = differ("ni_glo", own.ni_glo, given.ni_glo);
  if (out.empty()) out = differ("nj_glo", own.nj_glo, given.nj_glo);
  if (out.empty() && given.nvertex > 0) out = differ("nvertex", own.nvertex, given.nvertex);
  return out;
}

std::vector<std::int64_t> global_positions(const Model& model, const GridElement& element,
                                           Along along) {
  if (element.kind == GridElement::Kind::domain) {
    return positions_in(domain_at(model, element).attributes, along);
  }
  const AxisAttributes& axis = axis_at(model, element).attributes;
  if (axis.index) return axis.index->values;
  return range(axis.begin.value_or(0), axis.n.value_or(0), axis.n_glo.value_or(0));
}

namespace {

/// Corners of the cells of a rectilinear domain are told as those in two dimensions, also where the
/// client has them in one list. Two of each cell are bounds of columns and rows.
const Reals* corners_in_one_list(const Model& model, const GridElement& element,
                                 const GivenElement::Coordinate& coordinate) {
  if (element.kind != GridElement::Kind::domain || coordinate.width == 2) return nullptr;
  const DomainAttributes& d = domain_at(model, element).attributes;
  if (d.type.value_or("") != "rectilinear") return nullptr;
  if (coordinate.attribute == "bounds_lon_2d") return &d.bounds_lon_1d;
  return coordinate.attribute == "bounds_lat_2d" ? &d.bounds_lat_1d : nullptr;
}

}  // namespace

std::vector<double> local_values(const Model& model, const GridElement& element,
                                 const GivenElement::Coordinate& coordinate) {
  const Reals* own = values_of(model, element, coordinate.attribute);
  if (own != nullptr && !*own) own = corners_in_one_list(model, element, coordinate);
  if (own == nullptr || !*own) return {};
  const std::vector<double>& values = (*own)->values;
  const auto width = static_cast<std::size_t>(coordinate.width);
  const std::size_t points = global_positions(model, element, coordinate.along).size();
  if (values.size() == points * width) return values;
  if (coordinate.along == Along::cells || points == 0) return {};
  // A block that has them per cell: as in files, those of its first row or column count.
  const std::size_t cells = global_positions(model, element, Along::cells).size();
  if (cells == 0 || values.size() != cells * width) return {};
  const std::size_t step = coordinate.along == Along::columns ? 1 : cells / points;
  std::vector<double> out;
  for (std::size_t point = 0; point < points; ++point) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(point * step * width);
    out.insert(out.end(), first, first + coordinate.width);
  }
  return out;
}

Value attribute_value(const Model& model, const GridElement& element,
                      const GivenElement::Coordinate& coordinate, std::vector<double> values) {
  std::vector<std::int64_t> shape;
  if (coordinate.width > 1) shape.push_back(coordinate.width);
  const auto points = static_cast<std::int64_t>(values.size()) / coordinate.width;
  if (element.kind == GridElement::Kind::domain) {
    const DomainAttributes& d = domain_at(model, element).attributes;
    if (coordinate.attribute.ends_with("_2d")) {
      shape.push_back(d.ni.value_or(0));
      shape.push_back(d.nj.value_or(0));
      return value::reals{std::move(values), std::move(shape)};
    }
  }
  shape.push_back(points);
  return value::reals{std::move(values), std::move(shape)};
}

template <class Archive>
void fields(Archive& archive, Described<GridQuestion> auto& question) {
  archive(question.fields, question.clients);
  archive.check(!question.clients.empty(), "nobody asks");
}

template <class Archive>
void fields(Archive& archive, Described<GivenElement::Coordinate> auto& coordinate) {
  archive(coordinate.attribute);
  archive.as(coordinate.along, along_code, along_of);
  archive(coordinate.width);
  archive.check(coordinate.width >= 1, "a point has no values");
}

template <class Archive>
void fields(Archive& archive, Described<GivenElement> auto& element) {
  archive.as(
      element.kind, [](ElementKind kind) { return kind == ElementKind::domain; },
      [](bool is_domain) { return is_domain ? ElementKind::domain : ElementKind::axis; });
  archive(element.type, element.ni_glo, element.nj_glo, element.nvertex, element.coordinates);
  archive.check(element.ni_glo >= 0 && element.nj_glo >= 0, "a size is negative");
}

template <class Archive>
void fields(Archive& archive, Described<GridAnswer::Field> auto& field) {
  archive(field.is_sent, field.elements);
}

template <class Archive>
void fields(Archive& archive, Described<GridAnswer> auto& answer) {
  archive(answer.elements, answer.fields, answer.clients);
  archive.check(!answer.clients.empty(), "nobody answers");
  for (const GridAnswer::Field& field : answer.fields) {
    for (const int element : field.elements) {
      archive.check(element >= 0 && static_cast<std::size_t>(element) < answer.elements.size(),
                    "a field has an element that is not there");
    }
  }
}

std::vector<std::byte> encode(const GridQuestion& question) {
  return encode_fields(question_magic, question);
}

std::vector<std::byte> encode(const GridAnswer& answer) {
  return encode_fields(answer_magic, answer);
}

GridQuestion decode_grid_question(std::span<const std::byte> bytes) {
  GridQuestion out;
  decode_fields(bytes, what_is_told_of_grids, question_magic, out);
  return out;
}

GridAnswer decode_grid_answer(std::span<const std::byte> bytes) {
  GridAnswer out;
  decode_fields(bytes, what_is_told_of_grids, answer_magic, out);
  return out;
}

}  // namespace epios::config
