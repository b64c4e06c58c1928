/// @file
/// Values of attributes, and their types.
#pragma once

#include <cstdint>
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

/// C++ type of each attribute type. Words, dates and references stay text. Booleans in arrays are
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

/// The value of any attribute.
using Value = std::variant<bool, std::int64_t, double, std::string, Duration, value::booleans,
                           value::integers, value::reals, value::strings>;

}  // namespace epios::config
