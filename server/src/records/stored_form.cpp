// Turns values into what a file stores: packed integers, rounded numbers, fill values. It is done
// in place, so that a record needs no second buffer. In order: packing, rounding, missing values,
// the form of a stream, storing.
#include "records/stored_form.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "config/model_files.hpp"
#include "event/event.hpp"
#include "grid/bit_information.hpp"
#include "grid/box.hpp"
#include "grid/routing.hpp"

namespace epios::server {
namespace {

/// A number as one of kind T on file; false if it is not one.
template <class T>
bool convert(double value, T& out) {
  if constexpr (std::is_integral_v<T>) {
    const double rounded = std::nearbyint(value);
    if (!(rounded >= std::numeric_limits<T>::min() && rounded <= std::numeric_limits<T>::max())) {
      return false;
    }
    out = static_cast<T>(rounded);
    return true;
  } else {
    if (std::isfinite(value) && std::abs(value) > std::numeric_limits<T>::max()) return false;
    out = static_cast<T>(value);
    return true;
  }
}

// Values on file are not larger than those that come, so that the front of the slab has room for
// them: no value is overwritten before it was read.
template <class T>
std::span<std::byte> pack(const StoredForm& form, std::span<std::byte> slab, Unfit& unfit) {
  const std::size_t count = slab.size() / sizeof(double);
  const bool has_fill = !std::isnan(form.fill);
  T fill{};
  if (!convert(form.fill, fill)) fill = {};
  // Arrays of single precision hold another one.
  const auto narrow_mark = static_cast<double>(static_cast<float>(form.mark));
  for (std::size_t i = 0; i < count; ++i) {
    double value = 0;
    std::memcpy(&value, slab.data() + i * sizeof(double), sizeof(double));
    T out = fill;
    if (!std::isnan(value) && value != form.mark && value != narrow_mark) {
      const bool fits = convert((value - form.add_offset) / form.scale_factor, out);
      if (!fits || (has_fill && out == fill)) {
        out = fill;
        ++unfit.missing;
      }
    }
    std::memcpy(slab.data() + i * sizeof(T), &out, sizeof(T));
  }
  return slab.first(count * sizeof(T));
}

/// Rounds to the nearest number with so many bits of mantissa ("BitRound", Kouznetsov 2021,
/// doi:10.5194/gmd-14-377-2021, as netCDF-C does it).
template <class T, class Bits>
void round_bits(std::span<std::byte> slab, int mantissa_bits, T fill, bool has_fill) {
  constexpr int all = std::numeric_limits<T>::digits - 1;
  if (mantissa_bits >= all) return;
  const auto cut = static_cast<unsigned>(all - mantissa_bits);
  const Bits half = Bits{1} << (cut - 1);
  const Bits keep = ~Bits{0} << cut;
  for (std::size_t at = 0; at < slab.size(); at += sizeof(T)) {
    T value{};
    std::memcpy(&value, slab.data() + at, sizeof(T));
    if (!std::isfinite(value) || (has_fill && value == fill)) continue;
    const T rounded = std::bit_cast<T>((std::bit_cast<Bits>(value) + half) & keep);
    // What would be no value any more stays as it is.
    if (!std::isfinite(rounded) || (has_fill && rounded == fill)) continue;
    std::memcpy(slab.data() + at, &rounded, sizeof(T));
  }
}

void set_missing(const StoredForm& form, std::span<std::byte> slab) {
  if (std::isnan(form.fill)) return;
  if (form.file_bytes == 4) {
    io::fill_missing(io::values_of<float>(slab), static_cast<float>(form.fill));
  } else {
    io::fill_missing(io::values_of<double>(slab), form.fill);
  }
}

template <class T>
MeasuredBits measure(const StoredForm& form, std::span<const std::byte> slab,
                     const std::vector<std::int64_t>& shape) {
  const std::span values(reinterpret_cast<const T*>(slab.data()), slab.size() / sizeof(T));
  const io::BitInformation information =
      io::information_of_array<T>(values, shape, static_cast<T>(form.fill));
  const io::KeptBits kept = io::bits_to_keep(information, form.kept_share);
  MeasuredBits out;
  // Zeros and ones, such as of a field that has just begun, say nothing of the mantissa.
  const bool has_information = io::bits_to_keep(information, 1).mantissa_bits > 0;
  out.all = std::numeric_limits<T>::digits - 1;
  out.information = has_information ? kept.total : 0;
  out.is_artificial = kept.artificial_from >= 0;
  out.mantissa_bits = has_information ? std::clamp(kept.mantissa_bits, 1, out.all) : out.all;
  return out;
}

}  // namespace

MeasuredBits measured_bits(const StoredForm& form, std::span<const std::byte> slab,
                           const std::vector<std::int64_t>& shape) {
  return form.file_bytes == 4 ? measure<float>(form, slab, shape)
                              : measure<double>(form, slab, shape);
}

StoredForm stored_form(const config::Stream& stream) {
  StoredForm out;
  out.wire_bytes = io::value_bytes(stream);
  out.file_bytes = io::file_value_bytes(stream);
  out.is_packed = io::is_packed(stream);
  out.scale_factor = stream.attributes.scale_factor.value_or(1);
  out.add_offset = stream.attributes.add_offset.value_or(0);
  out.fill = io::file_fill(stream).value_or(std::numeric_limits<double>::quiet_NaN());
  out.mark = stream.attributes.default_value.value_or(std::numeric_limits<double>::quiet_NaN());
  out.mantissa_bits = io::mantissa_bits(stream);
  out.kept_share = stream.attributes.keep_information.value_or(0);
  return out;
}

bool StoredForm::may_overflow() const {
  return file_bytes == 4 && !is_packed && !std::isinf(static_cast<float>(fill));
}

std::int64_t count_infinite(std::span<const float> values) {
  // Integers of the size of the values, so that many are compared and counted at a time.
  constexpr std::uint32_t magnitude = 0x7fffffff;
  constexpr auto infinity = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity());
  constexpr std::size_t block = std::size_t{1} << 16U;
  std::int64_t sum = 0;
  for (std::size_t begin = 0; begin < values.size(); begin += block) {
    const std::size_t end = std::min(begin + block, values.size());
    std::uint32_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      count += (std::bit_cast<std::uint32_t>(values[i]) & magnitude) == infinity ? 1U : 0U;
    }
    sum += count;
  }
  return sum;
}

std::span<std::byte> narrow(std::span<std::byte> slab) {
  const std::size_t count = slab.size() / sizeof(double);
  for (std::size_t i = 0; i < count; ++i) {
    double value = 0;
    std::memcpy(&value, slab.data() + i * sizeof(double), sizeof(double));
    const auto out = static_cast<float>(value);
    std::memcpy(slab.data() + i * sizeof(float), &out, sizeof(float));
  }
  return slab.first(count * sizeof(float));
}

std::span<std::byte> store(const StoredForm& form, std::span<std::byte> slab, Unfit& unfit) {
  if (form.is_packed) {
    if (form.file_bytes == 2) return pack<std::int16_t>(form, slab, unfit);
    slab = form.file_bytes == 4 ? pack<float>(form, slab, unfit) : pack<double>(form, slab, unfit);
  }
  if (form.mantissa_bits == 0) return slab;  // packed
  const bool has_fill = !std::isnan(form.fill);
  if (form.file_bytes == 4) {
    round_bits<float, std::uint32_t>(slab, form.mantissa_bits, static_cast<float>(form.fill),
                                     has_fill);
  } else {
    round_bits<double, std::uint64_t>(slab, form.mantissa_bits, form.fill, has_fill);
  }
  if (form.is_packed) return slab;
  if (form.may_overflow()) unfit.infinite += count_infinite(io::values_of<float>(slab));
  set_missing(form, slab);
  return slab;
}

}  // namespace epios::server
