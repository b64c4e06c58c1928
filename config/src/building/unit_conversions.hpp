/// @file
/// Fields in another unit than their data (attribute convert_units).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "building/units.hpp"
#include "language/context_store.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"

namespace epios::config {

class UnitConversions {
 public:
  UnitConversions(const ContextStore& store, Inheritance& inheritance, Findings& findings)
      : store_(store), inheritance_(inheritance), findings_(findings) {}

  struct Conversion {
    UnitConversion numbers;
    std::string from, to;
  };
  /// Returns the conversion of the data of `owner` for a field that wants it, or nothing if it is
  /// unchanged. Reports incompatible units once per field.
  std::optional<Conversion> of(int field, int owner);

 private:
  /// Returns the answer of the library, which reads its whole database each time; each question is
  /// asked once.
  const UnitComparison& compared(const std::string& from, const std::string& to);

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  std::map<std::pair<std::string, std::string>, UnitComparison> known_;
  std::unordered_set<int> reported_;  // fields
};

}  // namespace epios::config
