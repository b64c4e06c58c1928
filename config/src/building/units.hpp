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
  std::string why;  ///< why there is no conversion
};

/// Compares two units. Any thread may call it; calls of the library, which is not thread-safe, are
/// serialised.
UnitComparison compare_units(const std::string& from, const std::string& to);

}  // namespace epios::config
