#include "contexts/early_parts.hpp"

#include <gtest/gtest.h>

namespace epios::server::early_parts_test {
namespace {

std::vector<std::byte> part(int number) { return {std::byte(number)}; }

TEST(EarlyParts, are_kept_until_their_context_is_opened) {
  EarlyParts parts;
  parts.keep_of_client(0, 5, part(1));
  parts.keep_of_client(1, 5, part(2));
  parts.keep_of_client(0, 5, part(3));
  parts.keep_of_gatherer(7, part(4));
  parts.keep_of_gatherer(8, part(5));
  EXPECT_EQ(parts.take(0, 6, 6), EarlyParts::Parts());
  EXPECT_EQ(parts.take(0, 5, 7), (EarlyParts::Parts{part(1), part(3), part(4)}));
  EXPECT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts.take(1, 5, 8), (EarlyParts::Parts{part(2), part(5)}));
  EXPECT_EQ(parts.size(), 0U);
}

// A client that gave up ended the context before the gatherer's part of it came.
TEST(EarlyParts, of_gatherers_are_not_kept_of_contexts_that_have_been_opened) {
  EarlyParts parts;
  parts.take(0, 1, 3);
  parts.keep_of_gatherer(3, part(1));
  parts.keep_of_gatherer(2, part(2));
  EXPECT_EQ(parts.size(), 0U);
  parts.keep_of_gatherer(4, part(3));
  EXPECT_EQ(parts.size(), 1U);
}

TEST(EarlyParts, of_components_that_are_over_are_not_kept) {
  EarlyParts parts;
  parts.keep_of_client(0, 5, part(1));
  parts.keep_of_client(1, 5, part(2));
  parts.end(0);
  EXPECT_EQ(parts.size(), 1U);
  parts.keep_of_client(0, 6, part(3));
  EXPECT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts.take(1, 5, 0), (EarlyParts::Parts{part(2)}));
}

}  // namespace
}  // namespace epios::server::early_parts_test
