/// @file
/// What the writer and the reader of a statistics file (config/statistics.hpp) must agree on.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "config/model_fwd.hpp"

namespace epios::config {

inline constexpr std::string_view statistics_format = "EPIOS statistics 3";
/// In the variable `numbers_variable`: of the run, then of each operation, then the paths.
inline constexpr std::size_t numbers_of_run = 5;
inline constexpr std::size_t numbers_per_operation = 6;

/// FNV-1a of texts and numbers, one behind the other.
class Hash {
 public:
  Hash& add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    return add(static_cast<std::uint64_t>(text.size()));
  }
  Hash& add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) add_byte(number >> shift & 0xff);
    return *this;
  }
  Hash& add(double number) { return add(std::bit_cast<std::uint64_t>(number)); }
  std::uint64_t value() const { return value_; }

 private:
  void add_byte(std::uint64_t byte) { value_ = (value_ ^ byte) * 0x100000001b3U; }
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

/// Name of the attribute that describes an operation.
std::string attribute_of_operation(std::size_t operation);
/// The calendar with all that users may say of one.
std::string calendar_text(const Model& model);
/// Stands for a path; exact in a double.
double path_number(std::string_view path);

}  // namespace epios::config
