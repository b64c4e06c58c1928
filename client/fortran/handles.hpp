#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "config/attribute_table.hpp"
#include "config/transformation_traits.hpp"
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

inline Handle handle_of(const config::TransformationName& transformation) {
  const std::string_view within = name(config::traits_of(transformation.kind).within);
  return {std::string(transformation.handle), fmt::format("{}/{}", within, transformation.tag),
          transformation.kind};
}

/// Returns the handles that `module xios` exports.
inline std::vector<Handle> handles() {
  using K = ElementKind;
  std::vector<Handle> out{{"context", "context", K::context}};
  for (const K kind : {K::scalar, K::axis, K::domain, K::grid, K::field, K::file, K::variable}) {
    const std::string tag(name(kind));
    out.push_back({tag, tag, kind});
    out.push_back({tag + "group", tag + "_group", kind, true});
  }
  for (const config::TransformationName& its : config::transformation_names()) {
    if (!its.adder.empty()) out.push_back(handle_of(its));
  }
  return out;
}

/// Returns the handles that have modules of their own and C names, but that `module xios` does not
/// export.
inline std::vector<Handle> handles_beside() {
  std::vector<Handle> out;
  for (const config::TransformationName& its : config::transformation_names()) {
    if (its.adder.empty()) out.push_back(handle_of(its));
  }
  return out;
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

inline constexpr Child element_children[] = {
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
    {"add_domaintogrid", "grid", "domain", "domain"}};

inline std::vector<Child> children() {
  std::vector<Child> out(std::begin(element_children), std::end(element_children));
  for (const config::TransformationName& its : config::transformation_names()) {
    if (its.adder.empty()) continue;
    out.push_back({its.adder, name(config::traits_of(its.kind).within), its.handle, its.tag});
  }
  return out;
}

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
