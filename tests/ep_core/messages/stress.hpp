#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace ep::test {

inline std::uint32_t seed() {
  const char* const given = std::getenv("EP_TEST_SEED");
  return given != nullptr ? static_cast<std::uint32_t>(std::atol(given)) : 20240607U;
}

/// Byte or element `index` of message `number` of `source`, the same at both ends.
inline std::uint32_t content(int source, int number, int index) {
  std::uint32_t x = 0x9E3779B1U * static_cast<std::uint32_t>(source + 1) ^
                    0x85EBCA77U * static_cast<std::uint32_t>(number + 1) ^
                    0xC2B2AE3DU * static_cast<std::uint32_t>(index + 1);
  x = (x ^ (x >> 15U)) * 0x2C1B3C6DU;
  return x ^ (x >> 13U);
}

/// Runs `body` on pretended MPIs with so few tag bits that identities travel in headers.
template <class Body>
void with_few_tag_bits(const Body& body) {
  const char* const given = std::getenv("EP_TEST_TAG_UB");
  const std::string before = given != nullptr ? given : "";
  for (const char* const bound : {"3", "15", "32767"}) {
    ASSERT_EQ(setenv("EP_TEST_TAG_UB", bound, 1), 0);
    body();
  }
  ASSERT_EQ(
      given != nullptr ? setenv("EP_TEST_TAG_UB", before.c_str(), 1) : unsetenv("EP_TEST_TAG_UB"),
      0);
}

/// Tests by number of endpoints that say in every report, of success and of failure, how to do the
/// same again.
class Seeded : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    RecordProperty("EP_TEST_SEED", std::to_string(seed()));
    std::printf("EP_TEST_SEED=%u\n", static_cast<unsigned>(seed()));
  }
};

}  // namespace ep::test
