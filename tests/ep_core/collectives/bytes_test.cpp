// Byte strings of any length, moved in pieces.
#include <gtest/gtest.h>

#include <ep/bytes.hpp>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace ep::test::bytes_test {
namespace {

class Bytes : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Bytes, testing::Values(1, 2, 3, 5));

// Rank r has 7 r + 3 bytes; rank 1 has none.
std::vector<std::byte> bytes_of(int rank) {
  std::vector<std::byte> out(rank == 1 ? 0U : static_cast<std::size_t>(7 * rank + 3));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<std::byte>(static_cast<std::size_t>(rank) * 31 + i);
  }
  return out;
}

TEST_P(Bytes, gather_brings_all_whatever_the_piece) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    for (const std::int64_t piece : {std::int64_t{1}, std::int64_t{10}, largest_piece_bytes}) {
      const int root = comm.size() - 1;
      const auto all = gather_bytes(comm, root, bytes_of(comm.rank()), piece);
      ASSERT_EQ(static_cast<int>(all.size()), comm.rank() == root ? comm.size() : 0);
      for (std::size_t r = 0; r < all.size(); ++r) {
        EXPECT_EQ(all[r], bytes_of(static_cast<int>(r))) << "rank " << r << ", piece " << piece;
      }
    }
  });
}

TEST_P(Bytes, broadcast_brings_all_whatever_the_piece) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    for (const std::int64_t piece : {std::int64_t{1}, std::int64_t{4}, largest_piece_bytes}) {
      const int root = comm.size() - 1;
      auto own = comm.rank() == root ? bytes_of(root) : std::vector<std::byte>();
      EXPECT_EQ(broadcast_bytes(comm, root, std::move(own), piece), bytes_of(root));
    }
  });
}

TEST(MessageCount, NamesWhatDoesNotFit) {
  EXPECT_EQ(message_count(2147483647), 2147483647);
  try {
    message_count(2147483648);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), EP_ERR_COUNT);
    EXPECT_EQ(std::string(error.what()),
              "a message of 2147483648 bytes cannot be sent (one has at most 2147483647). Can more "
              "processes share the work?");
  }
}

}  // namespace
}  // namespace ep::test::bytes_test
