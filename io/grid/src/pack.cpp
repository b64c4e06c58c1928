#include <limits>

#include "grid/pattern.hpp"

namespace epios::io {

namespace {

/// Whatever equals the marker becomes NaN.
template <class T, class W>
auto without(T missing) {
  return [missing](T value, std::int64_t) {
    return value == missing ? std::numeric_limits<W>::quiet_NaN() : static_cast<W>(value);
  };
}

}  // namespace

template <class T, class W>
void pack(const Pattern& pattern, std::span<const T> array, std::optional<double> marker,
          std::span<W> packed) {
  if (!marker) return pattern.gather(array.data(), packed.data());
  pattern.gather(array.data(), packed.data(), without<T, W>(static_cast<T>(*marker)));
}

template <class T, class W>
void pack_slice(const Pattern& pattern, std::span<const T> array, std::optional<double> marker,
                std::int64_t first, std::span<W> packed) {
  const std::int64_t last = first + static_cast<std::int64_t>(packed.size());
  if (!marker) return pattern.gather_slice(array.data(), first, last, packed.data());
  pattern.gather_slice(array.data(), first, last, packed.data(),
                       without<T, W>(static_cast<T>(*marker)));
}

#define EPIOS_PACK(T, W)                                                                       \
  template void pack(const Pattern&, std::span<const T>, std::optional<double>, std::span<W>); \
  template void pack_slice(const Pattern&, std::span<const T>, std::optional<double>,          \
                           std::int64_t, std::span<W>)
EPIOS_PACK(double, double);
EPIOS_PACK(double, float);
EPIOS_PACK(float, double);
EPIOS_PACK(float, float);
#undef EPIOS_PACK

}  // namespace epios::io
