#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
  /// Share of the information to keep (keep_information): the first record says how many bits; 0:
  /// that is known.
  double kept_share = 0;

  /// Values go as they come.
  bool is_plain() const { return !is_packed && mantissa_bits == 0 && kept_share == 0; }
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

/// What the bits of a record say (keep_information).
struct MeasuredBits {
  int mantissa_bits = 0;       ///< to keep: at least 1, all if nothing can be left out
  int all = 0;                 ///< bits of mantissa that values have
  double information = 0;      ///< of a value, in bits; 0: none was found, so that all stay
  bool is_artificial = false;  ///< last bits repeat others
};
/// Measures the values of a slab of this shape, in the kind of the file, before they are stored.
/// Allocates memory.
MeasuredBits measured_bits(const StoredForm& form, std::span<const std::byte> slab,
                           const std::vector<std::int64_t>& shape);

/// Puts the values of a slab into their form on file, in place, and returns the bytes: fewer than
/// came where values on file are smaller. NaN becomes the fill value; so does a value that the file
/// cannot hold, or that would read as missing: `unfit` counts those, and what is infinite in single
/// precision that is not packed.
std::span<std::byte> store(const StoredForm& form, std::span<std::byte> slab, Unfit& unfit);

}  // namespace epios::server
