// Describes elements of grids for other contexts, and the questions and answers that carry them.
// First come the tables of coordinate attributes, then descriptions and contradictions, local
// values, and the byte codec.
#include "config/coupled_grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "config/bytes.hpp"
#include "config/error.hpp"
#include "config/model.hpp"

namespace epios::config {
namespace {

using Along = CoordinateWish::Along;
using Reals = std::optional<value::reals>;

const Axis& axis_at(const Model& model, const GridElement& element) {
  return model.axes[static_cast<std::size_t>(element.index)];
}
const Domain& domain_at(const Model& model, const GridElement& element) {
  return model.domains[static_cast<std::size_t>(element.index)];
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

constexpr std::uint32_t question_magic = 0x51475045;  // "EPGQ" as bytes
constexpr std::uint32_t answer_magic = 0x41475045;    // "EPGA" as bytes

[[noreturn]] void refuse() {
  throw Error(ErrorCode::protocol,
              "what a context says of its grids cannot be understood. Are all programs of this job "
              "linked with the same EPIOS?");
}

GivenElement get_element(ByteReader& reader) {
  GivenElement out;
  out.kind = reader.get<bool>() ? ElementKind::domain : ElementKind::axis;
  out.type = reader.get_string();
  for (std::int64_t* number : {&out.ni_glo, &out.nj_glo, &out.nvertex}) {
    *number = reader.get<std::int64_t>();
  }
  out.coordinates.resize(reader.get_length(17));
  for (GivenElement::Coordinate& coordinate : out.coordinates) {
    coordinate.attribute = reader.get_string();
    const auto along = reader.get<std::uint8_t>();
    if (along > static_cast<std::uint8_t>(Along::rows)) refuse();
    coordinate.along = static_cast<Along>(along);
    coordinate.width = reader.get<std::int64_t>();
    if (coordinate.width < 1) refuse();
  }
  if (out.ni_glo < 0 || out.nj_glo < 0) refuse();
  return out;
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
  out.type = d.type.value_or("");
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
  std::string out = differ("type", own.type, given.type);
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

std::span<const double> local_values(const Model& model, const GridElement& element,
                                     const GivenElement::Coordinate& coordinate) {
  const Reals* const own = values_of(model, element, coordinate.attribute);
  if (own == nullptr || !*own) return {};
  const std::size_t points = global_positions(model, element, coordinate.along).size();
  const std::span<const double> values = (*own)->values;
  if (values.size() != points * static_cast<std::size_t>(coordinate.width)) return {};
  return values;
}

std::optional<Value> attribute_value(const Model& model, const GridElement& element,
                                     const GivenElement::Coordinate& coordinate,
                                     std::vector<double> values) {
  std::vector<std::int64_t> shape;
  if (coordinate.width > 1) shape.push_back(coordinate.width);
  const auto points = static_cast<std::int64_t>(values.size()) / coordinate.width;
  if (element.kind == GridElement::Kind::domain) {
    const DomainAttributes& d = domain_at(model, element).attributes;
    if (d.i_index && coordinate.along != Along::cells && coordinate.width > 1) return std::nullopt;
    if (coordinate.attribute.ends_with("_2d")) {
      shape.push_back(d.ni.value_or(0));
      shape.push_back(d.nj.value_or(0));
      return value::reals{std::move(values), std::move(shape)};
    }
  }
  shape.push_back(points);
  return value::reals{std::move(values), std::move(shape)};
}

std::vector<std::byte> encode(const GridQuestion& question) {
  ByteWriter writer;
  writer.put(question_magic);
  writer.put(static_cast<std::uint64_t>(question.fields.size()));
  for (const std::string& field : question.fields) writer.put(std::string_view(field));
  writer.put(question.clients);
  return writer.take();
}

std::vector<std::byte> encode(const GridAnswer& answer) {
  ByteWriter writer;
  writer.put(answer_magic);
  writer.put(static_cast<std::uint64_t>(answer.elements.size()));
  for (const GivenElement& element : answer.elements) {
    writer.put(element.kind == ElementKind::domain);
    writer.put(std::string_view(element.type));
    for (const std::int64_t number : {element.ni_glo, element.nj_glo, element.nvertex}) {
      writer.put(number);
    }
    writer.put(static_cast<std::uint64_t>(element.coordinates.size()));
    for (const GivenElement::Coordinate& coordinate : element.coordinates) {
      writer.put(std::string_view(coordinate.attribute));
      writer.put(static_cast<std::uint8_t>(coordinate.along));
      writer.put(coordinate.width);
    }
  }
  writer.put(static_cast<std::uint64_t>(answer.fields.size()));
  for (const GridAnswer::Field& field : answer.fields) {
    writer.put(field.is_sent);
    writer.put(field.elements);
  }
  writer.put(answer.clients);
  return writer.take();
}

GridQuestion decode_grid_question(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  if (reader.get<std::uint32_t>() != question_magic) refuse();
  GridQuestion out;
  out.fields.resize(reader.get_length(sizeof(std::uint64_t)));
  for (std::string& field : out.fields) field = reader.get_string();
  out.clients = reader.get_vector<int>();
  if (!reader.at_end() || out.clients.empty()) refuse();
  return out;
}

GridAnswer decode_grid_answer(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  if (reader.get<std::uint32_t>() != answer_magic) refuse();
  GridAnswer out;
  const std::size_t elements = reader.get_length(33);
  for (std::size_t e = 0; e < elements; ++e) out.elements.push_back(get_element(reader));
  out.fields.resize(reader.get_length(9));
  for (GridAnswer::Field& field : out.fields) {
    field.is_sent = reader.get<bool>();
    field.elements = reader.get_vector<int>();
    for (const int element : field.elements) {
      if (element < 0 || static_cast<std::size_t>(element) >= elements) refuse();
    }
  }
  out.clients = reader.get_vector<int>();
  if (!reader.at_end() || out.clients.empty()) refuse();
  return out;
}

}  // namespace epios::config
