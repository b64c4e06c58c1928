#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "config/model_fwd.hpp"

namespace epios::server {

/// The change of a stream's values between the wire and the file: packing (CF-1.11, 8.1) and
/// rounding to significant digits.
struct StoredForm {
  int wire_bytes = 8;  ///< of a value as it comes: 4 or 8
  int file_bytes = 8;  ///< as it goes: 2 (an integer), 4 or 8
  bool is_packed = false;
  double scale_factor = 1;
  double add_offset = 0;
  double mark = 0;        ///< what also means missing where it comes (default_value); NaN: nothing
  double fill = 0;        ///< of missing and of unfit values; NaN: none
  int mantissa_bits = 0;  ///< that are kept; 0: all

  /// Values go as they come.
  bool is_plain() const { return !is_packed && mantissa_bits == 0; }
  /// Returns true if an infinite value on file may have been another one.
  bool may_overflow() const;
};

StoredForm stored_form(const config::Stream& stream);

/// Values that the file did not get as they came.
struct Unfit {
  std::int64_t missing = 0;   ///< the file could not hold them
  std::int64_t infinite = 0;  ///< in single precision
  bool operator==(const Unfit&) const = default;
};

/// How many are infinite. As fast as they come from memory.
std::int64_t count_infinite(std::span<const float> values);

/// Doubles as single precision, at the front of the slab, as clients send them.
std::span<std::byte> narrow(std::span<std::byte> slab);

/// Puts the values of a slab into their form on file, in place, and returns the bytes: fewer than
/// came where values on file are smaller. NaN becomes the fill value; so does a value that the file
/// cannot hold, or that would read as missing: `unfit` counts those, and what is infinite in single
/// precision that is not packed.
std::span<std::byte> store(const StoredForm& form, std::span<std::byte> slab, Unfit& unfit);

}  // namespace epios::server
