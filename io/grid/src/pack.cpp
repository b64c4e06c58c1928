#include <limits>

#include "grid/pattern.hpp"

namespace epios::io {

template <class T, class W>
void pack(const Pattern& pattern, std::span<const T> array, std::optional<double> marker,
          std::span<W> packed) {
  if (!marker) return pattern.gather(array.data(), packed.data());
  const T missing = static_cast<T>(*marker);
  pattern.gather(array.data(), packed.data(), [missing](T value, std::int64_t) {
    return value == missing ? std::numeric_limits<W>::quiet_NaN() : static_cast<W>(value);
  });
}

#define EPIOS_PACK(T, W) \
  template void pack(const Pattern&, std::span<const T>, std::optional<double>, std::span<W>)
EPIOS_PACK(double, double);
EPIOS_PACK(double, float);
EPIOS_PACK(float, double);
EPIOS_PACK(float, float);
#undef EPIOS_PACK

}  // namespace epios::io
