/// @file
/// Types generated from the attribute table (attributes.def), and the table itself for whoever is
/// driven by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/calendar.hpp"

namespace epios::config {

/// Values of an array attribute, first index fastest (Fortran order).
template <class T>
struct Array {
  std::vector<T> values;
  std::vector<std::int64_t> shape;  ///< {values.size()} for one dimension
  bool operator==(const Array&) const = default;
};

enum class ElementKind {
  any,
  simulation,
  context,
  calendar,
  scalar,
  axis,
  domain,
  grid,
  field,
  file,
  variable,
  coupler_in,
  coupler_out,
  pool,
  service,
  // Transformations: children of a domain, an axis or a scalar. The same tag below another parent
  // is another kind.
  extract_domain,
  interpolate_domain,
  generate_rectilinear_domain,
  compute_connectivity_domain,
  expand_domain,
  reorder_domain,
  redistribute_domain,
  extract_axis,
  interpolate_axis,
  inverse_axis,
  reduce_axis_to_axis,
  reduce_domain_to_axis,
  extract_domain_to_axis,
  temporal_splitting,
  duplicate_scalar,
  redistribute_axis,
  reduce_axis_to_scalar,
  reduce_domain_to_scalar,
  extract_axis_to_scalar,
  reduce_scalar,
  redistribute_scalar
};
inline constexpr int element_kind_count = static_cast<int>(ElementKind::redistribute_scalar) + 1;
/// "axis", "domain", ...: the tag.
std::string_view name(ElementKind kind);
/// What changes data or grids, written below a domain, an axis or a scalar.
constexpr bool is_transformation(ElementKind kind) { return kind >= ElementKind::extract_domain; }

enum class ValueType {
  boolean,
  integer,
  real,
  string,
  word,
  duration,
  date,
  reference,
  booleans,
  integers,
  reals,
  strings
};
std::string_view name(ValueType type);

/// C++ type of each attribute type. Words, dates and references stay text; booleans in arrays are
/// bytes so that they can be viewed.
namespace value {
using boolean = bool;
using integer = std::int64_t;
using real = double;
using string = std::string;
using word = std::string;
using duration = Duration;
using date = std::string;
using reference = std::string;
using booleans = Array<std::uint8_t>;
using integers = Array<std::int64_t>;
using reals = Array<double>;
using strings = Array<std::string>;
}  // namespace value

/// Any attribute value.
using Value = std::variant<bool, std::int64_t, double, std::string, Duration, value::booleans,
                           value::integers, value::reals, value::strings>;

enum class Scope { global, local };

/// One row of the table.
struct AttributeInfo {
  ElementKind element;
  std::string_view name;
  ValueType type;
  /// Allowed words "a|b|later:c", the kind a reference points to, or the dimensions of an array.
  std::string_view words;
  std::string_view default_text;  ///< "" for none
  bool inheritable;
  Scope scope;
  std::string_view since;  ///< a version, "later", "hint" or "none"
  std::string_view compatibility;
  std::string_view meaning;
};

/// All rows, in table order.
std::span<const AttributeInfo> attribute_table();
/// The rows of one kind of element, in table order; empty for kinds without attributes.
std::span<const AttributeInfo> attributes_of(ElementKind element);
/// The row of one attribute, nullptr when there is none.
const AttributeInfo* find_attribute(ElementKind element, std::string_view name);

// One struct per element with one optional member per attribute, named as in XML.
#define EPIOS_MEMBER(name, type, ...) std::optional<value::type> name;
struct ContextAttributes {
#define CONTEXT(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct CalendarAttributes {
#define CALENDAR(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct ScalarAttributes {
#define SCALAR(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct AxisAttributes {
#define AXIS(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct DomainAttributes {
#define DOMAIN(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct GridAttributes {
#define GRID(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct FieldAttributes {
#define FIELD(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct FileAttributes {
#define FILE_(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct VariableAttributes {
#define VARIABLE(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct CouplerInAttributes {
#define COUPLER_IN(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct CouplerOutAttributes {
#define COUPLER_OUT(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct PoolAttributes {
#define POOL(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct ServiceAttributes {
#define SERVICE(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
#undef EPIOS_MEMBER

}  // namespace epios::config
