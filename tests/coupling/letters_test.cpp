// What clients of different contexts write to each other.
#include "coupling/letters.hpp"

#include <gtest/gtest.h>

#include "config/error.hpp"

namespace epios::io {
namespace {

TEST(Letters, survive_their_bytes) {
  Letter letter;
  letter.kind = Letter::Kind::facts;
  letter.from_code = "ocean";
  letter.facts = {std::byte{1}, std::byte{2}, std::byte{3}};
  const std::vector<std::byte> written = encode(letter);
  EXPECT_EQ(decode_letter(written).facts, letter.facts);
  for (std::size_t size = 0; size < written.size(); ++size) {
    EXPECT_THROW(decode_letter(std::span(written).first(size)), Error);
  }
}

}  // namespace
}  // namespace epios::io
