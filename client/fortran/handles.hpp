#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "config/attribute_table.hpp"
#include "config/value.hpp"

/// The part of XIOS's interfaces in Fortran and C that follows from the attribute table, for both
/// generators and for the test of the accessors.
namespace epios::fortran {

using config::AttributeInfo;
using config::ElementKind;
using config::ValueType;

/// A type of the Fortran interface: "axisgroup", the tag that finds it, and the kind whose
/// attributes it has.
struct Handle {
  std::string name;
  std::string tag;
  ElementKind kind;
  bool is_group = false;
};

/// Returns the handles that `module xios` exports.
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

/// Returns the handles that have modules of their own and C names, but that `module xios` does not
/// export.
inline std::vector<Handle> handles_beside() {
  using K = ElementKind;
  return {{"reorder_domain", "domain/reorder_domain", K::reorder_domain},
          {"reduce_axis_to_axis", "axis/reduce_axis", K::reduce_axis_to_axis},
          {"temporal_splitting", "axis/temporal_splitting", K::temporal_splitting},
          {"duplicate_scalar_to_axis", "axis/duplicate_scalar", K::duplicate_scalar},
          {"reduce_scalar_to_scalar", "scalar/reduce_scalar", K::reduce_scalar}};
}

/// Returns the attributes of a handle.
inline std::vector<const AttributeInfo*> rows_of(const Handle& handle) {
  std::vector<const AttributeInfo*> rows;
  for (const AttributeInfo& row : attributes_of(handle.kind)) rows.push_back(&row);
  if (handle.is_group) {
    rows.push_back(config::find_attribute(ElementKind::any, "group_ref"));
  }
  return rows;
}

/// A keyword of the accessors, and the attribute that it stands for.
struct Keyword {
  std::string_view name;
  const AttributeInfo* row;
};

/// Returns the keywords of a handle: the names of attributes, and earlier words of XIOS.
inline std::vector<Keyword> keywords_of(const Handle& handle) {
  std::vector<Keyword> keywords;
  for (const AttributeInfo* row : rows_of(handle)) keywords.push_back({row->name, row});
  if (handle.kind == ElementKind::grid) {
    keywords.push_back({"mask3", config::find_attribute(ElementKind::grid, "mask_3d")});
  }
  return keywords;
}

/// How a child comes into its parent: "add_fieldtofile", of types xios_file and xios_field, by tag.
struct Child {
  std::string_view procedure, parent, child, tag;
};

inline constexpr Child children[] = {
    {"add_scalar", "scalargroup", "scalar", "scalar"},
    {"add_axis", "axisgroup", "axis", "axis"},
    {"add_file", "filegroup", "file", "file"},
    {"add_grid", "gridgroup", "grid", "grid"},
    {"add_field", "fieldgroup", "field", "field"},
    {"add_domain", "domaingroup", "domain", "domain"},
    {"add_scalargroup", "scalargroup", "scalargroup", "scalar_group"},
    {"add_axisgroup", "axisgroup", "axisgroup", "axis_group"},
    {"add_filegroup", "filegroup", "filegroup", "file_group"},
    {"add_gridgroup", "gridgroup", "gridgroup", "grid_group"},
    {"add_fieldgroup", "fieldgroup", "fieldgroup", "field_group"},
    {"add_domaingroup", "domaingroup", "domaingroup", "domain_group"},
    {"add_fieldtofile", "file", "field", "field"},
    {"add_fieldgrouptofile", "file", "fieldgroup", "field_group"},
    {"add_variabletofile", "file", "variable", "variable"},
    {"add_variablegrouptofile", "file", "variablegroup", "variable_group"},
    {"add_variabletofield", "field", "variable", "variable"},
    {"add_variablegrouptofield", "field", "variablegroup", "variable_group"},
    {"add_scalartogrid", "grid", "scalar", "scalar"},
    {"add_axistogrid", "grid", "axis", "axis"},
    {"add_domaintogrid", "grid", "domain", "domain"},
    {"add_zoomdomaintodomain", "domain", "zoom_domain", "zoom_domain"},
    {"add_extractdomaintodomain", "domain", "extract_domain", "extract_domain"},
    {"add_interpolatedomaintodomain", "domain", "interpolate_domain", "interpolate_domain"},
    {"add_generatedomaintodomain", "domain", "generate_rectilinear_domain",
     "generate_rectilinear_domain"},
    {"add_computeconnectivitydomaintodomain", "domain", "compute_connectivity_domain",
     "compute_connectivity_domain"},
    {"add_expanddomaintodomain", "domain", "expand_domain", "expand_domain"},
    {"add_redistributedomain", "domain", "redistribute_domain", "redistribute_domain"},
    {"add_zoomaxistoaxis", "axis", "zoom_axis", "zoom_axis"},
    {"add_extractaxistoaxis", "axis", "extract_axis", "extract_axis"},
    {"add_interpolateaxistoaxis", "axis", "interpolate_axis", "interpolate_axis"},
    {"add_inverseaxistoaxis", "axis", "inverse_axis", "inverse_axis"},
    {"add_reducedomaintoaxistoaxis", "axis", "reduce_domain_to_axis", "reduce_domain"},
    {"add_extractdomaintoaxistoaxis", "axis", "extract_domain_to_axis", "extract_domain"},
    {"add_redistributeaxis", "axis", "redistribute_axis", "redistribute_axis"},
    {"add_reduceaxistoscalartoscalar", "scalar", "reduce_axis_to_scalar", "reduce_axis"},
    {"add_extractaxistoscalartoscalar", "scalar", "extract_axis_to_scalar", "extract_axis"},
    {"add_reducedomaintoscalartoscalar", "scalar", "reduce_domain_to_scalar", "reduce_domain"},
    {"add_redistributescalar", "scalar", "redistribute_scalar", "redistribute_scalar"}};

/// Returns the number of dimensions, 0 for single values.
inline int rank_of(const AttributeInfo& row) {
  if (row.type < ValueType::booleans) return 0;
  return row.words.empty() ? 1 : row.words.front() - '0';
}

/// Returns "(:,:)", or "" for single values.
inline std::string colons(int rank) {
  std::string out;
  for (int d = 0; d < rank; ++d) out += d == 0 ? "(:" : ",:";
  return rank > 0 ? out + ')' : out;
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

/// Arrays of texts have one dimension, which distinguishes them from single texts.
inline bool is_array(const AttributeInfo& row) {
  return rank_of(row) > 0 && row.type != ValueType::strings;
}

/// Calls `use` for all forms in which fields are sent and received: bytes of a number, dimensions
/// of an array.
template <class Use>
void for_kinds_and_ranks(const Use& use) {
  for (const int kind : {8, 4}) {
    for (int rank = 0; rank <= 7; ++rank) use(kind, rank);
  }
}

}  // namespace epios::fortran
