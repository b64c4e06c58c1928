/// @file
/// The layout of a statistics file (config/statistics.hpp), which its writer and its reader share.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "config/model_fwd.hpp"

namespace epios::config {

inline constexpr std::string_view statistics_format = "EPIOS statistics 3";
/// Contents of the variable `numbers_variable`: numbers of the run, then of each operation, then of
/// the paths.
inline constexpr std::size_t numbers_of_run = 5;
inline constexpr std::size_t numbers_per_operation = 6;

/// FNV-1a hash of consecutive texts and numbers.
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

/// Returns the name of the attribute that describes an operation.
std::string attribute_of_operation(std::size_t operation);
/// Returns a text with everything that users may set of a calendar.
std::string calendar_text(const Model& model);
/// Returns a number that identifies a path; exact in a double.
double path_number(std::string_view path);

}  // namespace epios::config
