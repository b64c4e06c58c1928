/// @file
/// Conversion of units, by the database of udunits2.
#pragma once

#include <optional>
#include <string>

namespace epios::config {

/// Converts numbers of one unit to another: factor * x + offset.
struct UnitConversion {
  double factor = 1;
  double offset = 0;
};

struct UnitComparison {
  std::optional<UnitConversion> conversion;
  std::string why;  ///< there is none
};

/// Any thread: calls of the library, which is not made for several of them, take turns.
UnitComparison compare_units(const std::string& from, const std::string& to);

}  // namespace epios::config
