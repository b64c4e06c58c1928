#include "data/borrowed_buffer.hpp"

#include <gtest/gtest.h>

#include <array>

namespace epios::client::borrowed_buffer_test {
namespace {

TEST(BorrowedBuffer, is_out_until_it_is_released) {
  BorrowedBuffer buffer;
  EXPECT_FALSE(buffer.is_out());
  std::array<std::byte, 16> array{};
  buffer.acquire(3, 4, array, false);
  EXPECT_TRUE(buffer.is_out());
  EXPECT_EQ(buffer.field(), 3);
  EXPECT_EQ(buffer.value_bytes(), 4U);
  EXPECT_EQ(buffer.array().data(), array.data());
  EXPECT_FALSE(buffer.is_own());
  buffer.release();
  EXPECT_FALSE(buffer.is_out());
}

TEST(BorrowedBuffer, a_field_keeps_its_buffer_while_it_is_large_enough) {
  BorrowedBuffer buffer;
  const std::byte* const first = buffer.own(1, 80).data();
  EXPECT_EQ(buffer.own(1, 80).size(), 80U);
  EXPECT_EQ(buffer.own(1, 40).data(), first);
  EXPECT_EQ(buffer.own(1, 40).size(), 40U);
  EXPECT_NE(buffer.own(0, 80).data(), first);
}

// Only a field that nobody needs has no address.
TEST(BorrowedBuffer, a_client_without_points_has_an_address) {
  BorrowedBuffer buffer;
  EXPECT_NE(buffer.own(0, 0).data(), nullptr);
  EXPECT_TRUE(buffer.own(0, 0).empty());
}

}  // namespace
}  // namespace epios::client::borrowed_buffer_test
