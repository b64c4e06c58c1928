// What clients of different contexts write to each other.
#include "coupling/coupling_handshake.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <ep/ep.hpp>
#include <string>

#include "config/error.hpp"

namespace epios::io::coupling_handshake_test {
namespace {

TEST(HandshakeMessage, survives_its_bytes) {
  HandshakeMessage message;
  message.kind = HandshakeMessage::Kind::facts;
  message.from_code = "ocean";
  message.facts = {std::byte{1}, std::byte{2}, std::byte{3}};
  const std::vector<std::byte> written = encode(message);
  EXPECT_EQ(decode_handshake(written).facts, message.facts);
  for (std::size_t size = 0; size < written.size(); ++size) {
    EXPECT_THROW(decode_handshake(std::span(written).first(size)), Error);
  }
}

TEST(CouplingHandshake, says_who_was_the_first_to_write_a_file) {
  const ep::Comm self = ep::Comm::from_mpi(MPI_COMM_SELF);
  CouplingHandshake handshake(self);
  for (const char* const code : {"toy_001", "toy_002"}) {
    HandshakeMessage message;
    message.kind = HandshakeMessage::Kind::files;
    message.from_code = code;
    message.from_context = "toy";
    message.facts = encode_paths({"/scratch/a.nc", std::string("/scratch/") + code});
    handshake.send(message, self.rank());
  }
  EXPECT_EQ(handshake.writer_of("/scratch/a.nc"), nullptr) << "nothing has been looked at";
  EXPECT_FALSE(handshake.take([](const HandshakeMessage&) { return true; }));
  ASSERT_NE(handshake.writer_of("/scratch/a.nc"), nullptr);
  EXPECT_EQ(handshake.writer_of("/scratch/a.nc")->code, "toy_001");
  EXPECT_EQ(handshake.writer_of("/scratch/a.nc")->context, "toy");
  ASSERT_NE(handshake.writer_of("/scratch/toy_002"), nullptr);
  EXPECT_EQ(handshake.writer_of("/scratch/toy_002")->code, "toy_002");
  EXPECT_EQ(handshake.writer_of("/scratch/b.nc"), nullptr);
}

/// From this process to itself.
class Post {
 public:
  void send(HandshakeMessage::Kind kind, std::uint64_t opening, const std::string& from = "sky") {
    HandshakeMessage message;
    message.kind = kind;
    message.from_code = "atm";
    message.from_context = from;
    message.to_code = "ocean";
    message.to_context = "sea";
    message.from_opening = opening;
    handshake_.send(message, self_.rank());
  }
  bool has(HandshakeMessage::Kind kind, const std::string& from = "sky") {
    const auto is_wanted = [&](const HandshakeMessage& message) {
      return message.kind == kind && message.from_context == from;
    };
    return handshake_.take(is_wanted).has_value();
  }

 private:
  ep::Comm self_ = ep::Comm::from_mpi(MPI_COMM_SELF);
  CouplingHandshake handshake_{self_};
};

// All clients of a component get them, one of which answers.
TEST(CouplingHandshake, forgets_messages_of_a_context_that_asks_again_or_no_more) {
  using enum HandshakeMessage::Kind;
  Post post;
  post.send(question, 1);
  post.send(question, 1, "air");
  post.send(hello, 2);
  EXPECT_FALSE(post.has(question)) << "who greets has got its grids";
  EXPECT_TRUE(post.has(question, "air"));
  post.send(cancel, 2);
  EXPECT_FALSE(post.has(hello));
  post.send(hello, 3);
  post.send(question, 4);
  EXPECT_FALSE(post.has(hello)) << "the context is opened again";
  EXPECT_TRUE(post.has(question));
}

}  // namespace
}  // namespace epios::io::coupling_handshake_test
