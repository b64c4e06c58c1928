#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "datatypes/external32.hpp"

namespace ep::external32_copy_test {
namespace {

using Bytes = std::vector<std::byte>;

Bytes numbered(std::size_t count) {
  Bytes out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::byte>(7 * i + 1);
  return out;
}

/// Element by element, as the standard of MPI describes it.
Bytes reversed_elements(Bytes bytes, int width) {
  for (auto at = bytes.begin(); at != bytes.end(); at += width) std::reverse(at, at + width);
  return bytes;
}

// What a processor does with wide registers, another one does word by word.
TEST(External32Copy, both_forms_of_a_copy_have_the_same_bytes) {
  constexpr std::byte untouched{0xEE};
  for (const int width : {1, 2, 4, 8}) {
    for (std::int64_t bytes = 0; bytes <= 400; bytes += width) {
      const Bytes from = numbered(static_cast<std::size_t>(bytes));
      const Bytes expected = reversed_elements(from, width);
      for (const auto copy : {copy_swapped, copy_swapped_by_words}) {
        Bytes to(from.size() + 1, untouched);
        copy(from.data(), to.data(), bytes, width);
        EXPECT_EQ(to.back(), untouched) << bytes << " bytes, elements of " << width;
        to.pop_back();
        EXPECT_EQ(to, expected) << bytes << " bytes, elements of " << width
                                << (copy == copy_swapped ? "" : ", by words");
      }
    }
  }
}

}  // namespace
}  // namespace ep::external32_copy_test
