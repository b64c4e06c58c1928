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
  context,
  calendar,
  scalar,
  axis,
  domain,
  grid,
  field,
  file,
  variable
};
/// "axis", "domain", ...: the tag.
std::string_view name(ElementKind kind);

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
  std::string_view words;         ///< "a|b|c", or the kind a reference points to
  std::string_view default_text;  ///< "" for none
  bool inheritable;
  Scope scope;
  std::string_view since;
  std::string_view compatibility;
  std::string_view meaning;
};

/// All rows, in table order.
std::span<const AttributeInfo> attribute_table();
/// The rows of one kind of element, in table order.
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
#undef EPIOS_MEMBER

}  // namespace epios::config
