#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "config/attribute_table.hpp"
#include "config/value.hpp"

/// What of `module xios` follows from the attribute table: for the generators of its accessors and
/// of their test.
namespace epios::fortran {

using config::AttributeInfo;
using config::ElementKind;
using config::ValueType;

/// A type of the Fortran interface: "axisgroup", the tag that finds it, and whose attributes it
/// has.
struct Handle {
  std::string name;
  std::string tag;
  ElementKind kind;
  bool is_group = false;
};

/// All of them.
inline std::vector<Handle> handles() {
  using K = ElementKind;
  std::vector<Handle> out{{"context", "context", K::context}};
  for (const K kind : {K::scalar, K::axis, K::domain, K::grid, K::field, K::file, K::variable}) {
    const std::string tag(name(kind));
    out.push_back({tag, tag, kind});
    out.push_back({tag + "group", tag + "_group", kind, true});
  }
  const std::vector<Handle> transformations{
      {"extract_domain", "domain/extract_domain", K::extract_domain},
      {"zoom_domain", "domain/zoom_domain", K::extract_domain},
      {"interpolate_domain", "domain/interpolate_domain", K::interpolate_domain},
      {"generate_rectilinear_domain", "domain/generate_rectilinear_domain",
       K::generate_rectilinear_domain},
      {"compute_connectivity_domain", "domain/compute_connectivity_domain",
       K::compute_connectivity_domain},
      {"expand_domain", "domain/expand_domain", K::expand_domain},
      {"redistribute_domain", "domain/redistribute_domain", K::redistribute_domain},
      {"extract_axis", "axis/extract_axis", K::extract_axis},
      {"zoom_axis", "axis/zoom_axis", K::extract_axis},
      {"interpolate_axis", "axis/interpolate_axis", K::interpolate_axis},
      {"inverse_axis", "axis/inverse_axis", K::inverse_axis},
      {"reduce_domain_to_axis", "axis/reduce_domain", K::reduce_domain_to_axis},
      {"extract_domain_to_axis", "axis/extract_domain", K::extract_domain_to_axis},
      {"redistribute_axis", "axis/redistribute_axis", K::redistribute_axis},
      {"reduce_axis_to_scalar", "scalar/reduce_axis", K::reduce_axis_to_scalar},
      {"reduce_domain_to_scalar", "scalar/reduce_domain", K::reduce_domain_to_scalar},
      {"extract_axis_to_scalar", "scalar/extract_axis", K::extract_axis_to_scalar},
      {"redistribute_scalar", "scalar/redistribute_scalar", K::redistribute_scalar}};
  out.insert(out.end(), transformations.begin(), transformations.end());
  return out;
}

/// Their keywords.
inline std::vector<const AttributeInfo*> rows_of(const Handle& handle) {
  std::vector<const AttributeInfo*> rows;
  for (const AttributeInfo& row : attributes_of(handle.kind)) rows.push_back(&row);
  if (handle.is_group) {
    rows.push_back(config::find_attribute(ElementKind::any, "group_ref"));
  }
  return rows;
}

/// ", dimension(:,:)", "" for single values.
inline std::string dimensions(const AttributeInfo& row) {
  if (row.type < ValueType::booleans) return "";
  const int rank = row.words.empty() ? 1 : row.words.front() - '0';
  std::string colons = ":";
  for (int i = 1; i < rank; ++i) colons += ",:";
  return fmt::format(", dimension({})", colons);
}

inline std::string_view fortran_type(const AttributeInfo& row) {
  switch (row.type) {
    case ValueType::boolean:
    case ValueType::booleans:
      return "logical";
    case ValueType::integer:
    case ValueType::integers:
      return "integer";
    case ValueType::real:
    case ValueType::reals:
      return "real(kind=8)";
    case ValueType::duration:
      return "type(xios_duration)";
    default:
      return "character(len=*)";
  }
}

/// Arrays of texts have one rank, and are told from single ones by it.
inline bool is_array(const AttributeInfo& row) {
  return row.type >= ValueType::booleans && row.type != ValueType::strings;
}

}  // namespace epios::fortran
