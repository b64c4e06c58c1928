#include "disk/value_kind.hpp"

#include <netcdf.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace epios::io {

namespace {

template <class T>
std::vector<std::byte> bytes_of(T value) {
  std::vector<std::byte> out(sizeof(T));
  std::memcpy(out.data(), &value, sizeof(T));
  return out;
}

bool fits(double number, float /*kind*/) {
  return std::abs(number) <= std::numeric_limits<float>::max() || std::isinf(number);
}
bool fits(double /*number*/, double /*kind*/) { return true; }
template <class T>
bool fits(double number, T /*kind*/) {
  // The largest 64-bit number has no double: the next double is too large.
  constexpr double end = -static_cast<double>(std::numeric_limits<T>::min());
  return number >= -end && number < end;
}

template <class T>
std::optional<std::size_t> encode_as(std::span<const double> numbers,
                                     std::span<const std::byte> unset, std::span<std::byte> out) {
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    std::byte* to = out.data() + n * sizeof(T);
    if (std::isnan(numbers[n])) {
      std::memcpy(to, unset.data(), sizeof(T));
      continue;
    }
    const double number = std::is_integral_v<T> ? std::nearbyint(numbers[n]) : numbers[n];
    if (!fits(number, T{})) return n;
    const T value = static_cast<T>(number);
    std::memcpy(to, &value, sizeof(T));
  }
  return {};
}

}  // namespace

std::int64_t size_bytes(ValueKind kind) {
  switch (kind) {
    case ValueKind::float64:
    case ValueKind::int64:
      return 8;
    case ValueKind::float32:
    case ValueKind::int32:
      return 4;
    case ValueKind::int16:
      return 2;
    case ValueKind::text:
      return 1;
  }
  return 0;
}

int netcdf_type(ValueKind kind) {
  switch (kind) {
    case ValueKind::float64:
      return NC_DOUBLE;
    case ValueKind::int64:
      return NC_INT64;
    case ValueKind::float32:
      return NC_FLOAT;
    case ValueKind::int32:
      return NC_INT;
    case ValueKind::int16:
      return NC_SHORT;
    case ValueKind::text:
      return NC_CHAR;
  }
  return NC_NAT;
}

std::vector<std::byte> encode_value(ValueKind kind, double value) {
  switch (kind) {
    case ValueKind::float64:
      return bytes_of(value);
    case ValueKind::int64:
      return bytes_of(static_cast<std::int64_t>(value));
    case ValueKind::float32:
      return bytes_of(static_cast<float>(value));
    case ValueKind::int32:
      return bytes_of(static_cast<std::int32_t>(value));
    case ValueKind::int16:
      return bytes_of(static_cast<std::int16_t>(value));
    case ValueKind::text:
      return bytes_of(static_cast<char>(value));
  }
  return {};
}

std::vector<std::byte> unset_bytes(const VariableSpec& variable) {
  if (variable.fill) return encode_value(variable.kind, *variable.fill);
  switch (variable.kind) {
    case ValueKind::float64:
      return bytes_of(std::numeric_limits<double>::quiet_NaN());
    case ValueKind::float32:
      return bytes_of(std::numeric_limits<float>::quiet_NaN());
    case ValueKind::int64:
      return bytes_of(std::int64_t{NC_FILL_INT64});
    case ValueKind::int32:
      return bytes_of(std::int32_t{NC_FILL_INT});
    case ValueKind::int16:
      return bytes_of(std::int16_t{NC_FILL_SHORT});
    case ValueKind::text:
      return bytes_of(char{NC_FILL_CHAR});
  }
  return {};
}

std::optional<std::size_t> encode_numbers(ValueKind kind, std::span<const double> numbers,
                                          std::span<const std::byte> unset,
                                          std::span<std::byte> out) {
  switch (kind) {
    case ValueKind::float64:
      return encode_as<double>(numbers, unset, out);
    case ValueKind::int64:
      return encode_as<std::int64_t>(numbers, unset, out);
    case ValueKind::float32:
      return encode_as<float>(numbers, unset, out);
    case ValueKind::int32:
      return encode_as<std::int32_t>(numbers, unset, out);
    case ValueKind::int16:
      return encode_as<std::int16_t>(numbers, unset, out);
    case ValueKind::text:
      break;
  }
  return 0;
}

}  // namespace epios::io
