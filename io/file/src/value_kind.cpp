#include "value_kind.hpp"

#include <netcdf.h>

#include <cstring>
#include <limits>

namespace epios::io {

namespace {

template <class T>
std::vector<std::byte> bytes_of(T value) {
  std::vector<std::byte> out(sizeof(T));
  std::memcpy(out.data(), &value, sizeof(T));
  return out;
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

double unset_value(const VariableSpec& variable) {
  if (variable.fill) return *variable.fill;
  switch (variable.kind) {
    case ValueKind::float32:
    case ValueKind::float64:
      return std::numeric_limits<double>::quiet_NaN();
    case ValueKind::int64:
      return static_cast<double>(NC_FILL_INT64);
    case ValueKind::int32:
      return NC_FILL_INT;
    case ValueKind::int16:
      return NC_FILL_SHORT;
    case ValueKind::text:
      return NC_FILL_CHAR;
  }
  return 0;
}

}  // namespace epios::io
