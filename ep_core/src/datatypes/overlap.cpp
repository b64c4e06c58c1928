#include "datatypes/overlap.hpp"

#include <functional>

#include "process/error.hpp"

namespace ep {

bool coincide(const MappedView& one, const MappedView& other) noexcept {
  const std::byte* const first = one.block();
  const std::byte* const second = other.block();
  if (first != nullptr && second != nullptr) return first == second;
  return one.data == other.data && one.map == other.map;
}

bool overlap(const MappedView& one, const MappedView& other) noexcept {
  if (one.bytes() == 0 || other.bytes() == 0) return false;
  const std::byte* const first = one.block();
  const std::byte* const second = other.block();
  if (first == nullptr || second == nullptr) return coincide(one, other);
  const std::less<> before;
  return before(first, second + other.bytes()) && before(second, first + one.bytes());
}

void check_disjoint(const MappedView& one, const MappedView& other, const char* what) {
  if (!overlap(one, other)) return;
  fail(EP_ERR_BUFFER, what, ": two of its buffers overlap (MPI forbids it).");
}

void check_size(std::int64_t count, std::int64_t size, std::int64_t extent) {
  std::int64_t bytes = 0;
  const bool fits = !__builtin_mul_overflow(count, size, &bytes) &&
                    !__builtin_mul_overflow(count, extent, &bytes);
  if (!fits) fail(EP_ERR_COUNT, "count ", count, " of elements of ", size, " bytes (too many).");
}

}  // namespace ep
