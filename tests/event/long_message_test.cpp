#include "event/long_message.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): setenv

#include <ep/ep.hpp>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"

namespace epios::io::long_message_test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr int tag = 5;

/// Messages on their way from endpoints 1 and 2 to endpoint 0, all of this thread.
class LongMessage : public ::testing::Test {
 protected:
  LongMessage() : endpoints_(ep::Comm::from_mpi(MPI_COMM_WORLD).create_endpoints(3)) {
    ::setenv("EPIOS_TEST_PIECE_BYTES", "40", 1);
  }
  ~LongMessage() override { ::unsetenv("EPIOS_TEST_PIECE_BYTES"); }
  void send(int from, std::span<const std::byte> bytes) {
    ep::send(endpoints_[static_cast<std::size_t>(from)], bytes, 0, tag);
  }
  ep::Received next(int from) { return ep::receive(endpoints_[0], from, tag); }

  std::vector<ep::Comm> endpoints_;
};

Bytes opening(std::size_t size) {
  OpeningPart part;
  part.error = std::string(size, 'x');
  return encode(part);
}

TEST_F(LongMessage, arrives_as_it_was_sent) {
  for (const std::size_t size : {0U, 1U, 30U, 33U, 400U}) {
    const Bytes bytes = opening(size);
    send_long(endpoints_[1], bytes, 0, tag);
    LongMessages messages;
    ep::Received message = next(1);
    int count = 1;
    for (; !messages.complete(message); ++count) message = next(1);
    EXPECT_EQ(message.bytes, bytes);
    EXPECT_EQ(message.source, 1);
    EXPECT_EQ(count, 1 + (static_cast<int>(bytes.size()) + 39) / 40);
  }
}

// A length that no machine has, before any of its pieces: nothing is allocated for it.
TEST_F(LongMessage, claims_no_more_memory_than_its_pieces_justify) {
  ep::send(endpoints_[1], encode(InPieces{std::uint64_t{1} << 62U}), 0, tag);
  const Bytes piece(40, std::byte{1});
  LongMessages messages;
  ep::Received message = next(1);
  EXPECT_FALSE(messages.complete(message));
  for (int i = 0; i < 3; ++i) {
    send(1, piece);
    message = next(1);
    EXPECT_FALSE(messages.complete(message));
  }
}

TEST_F(LongMessage, that_one_message_carries_has_no_pieces) {
  ::unsetenv("EPIOS_TEST_PIECE_BYTES");
  EXPECT_EQ(longest_piece(), std::size_t{1} << 30U);
  const Bytes bytes = opening(400);
  send_long(endpoints_[1], bytes, 0, tag);
  LongMessages messages;
  ep::Received message = next(1);
  EXPECT_TRUE(messages.complete(message));
  EXPECT_EQ(message.bytes, bytes);
}

TEST_F(LongMessage, is_told_from_those_of_others) {
  const Bytes first = opening(60);
  const Bytes second = opening(70);
  send_long(endpoints_[1], first, 0, tag);
  send_long(endpoints_[2], second, 0, tag);
  LongMessages messages;
  std::vector<Bytes> whole;
  for (int i = 0; whole.size() < 2; ++i) {
    ASSERT_LT(i, 20);
    const int from = 1 + i % 2;
    if (whole.size() == 1 && from == 1) continue;
    ep::Received message = next(from);
    if (messages.complete(message)) whole.push_back(message.bytes);
  }
  EXPECT_EQ(whole, (std::vector<Bytes>{first, second}));
}

TEST_F(LongMessage, is_refused_when_it_is_longer_than_was_said) {
  LongMessages messages;
  send(1, encode(InPieces{10}));
  ep::Received message = next(1);
  EXPECT_FALSE(messages.complete(message));
  send(1, Bytes(11));
  message = next(1);
  EXPECT_THROW(messages.complete(message), Error);
  EXPECT_THROW(decode_in_pieces(encode(InPieces{0})), Error);
}

}  // namespace
}  // namespace epios::io::long_message_test
