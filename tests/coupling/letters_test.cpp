// What clients of different contexts write to each other.
#include "coupling/letters.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <ep/ep.hpp>
#include <string>

#include "config/error.hpp"

namespace epios::io::letters_test {
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

TEST(Letters, say_who_was_the_first_to_write_a_file) {
  const ep::Comm self = ep::Comm::from_mpi(MPI_COMM_SELF);
  Letters letters(self);
  for (const char* const code : {"toy_001", "toy_002"}) {
    Letter letter;
    letter.kind = Letter::Kind::files;
    letter.from_code = code;
    letter.from_context = "toy";
    letter.facts = encode_paths({"/scratch/a.nc", std::string("/scratch/") + code});
    letters.send(letter, self.rank());
  }
  EXPECT_EQ(letters.writer_of("/scratch/a.nc"), nullptr) << "nothing has been looked at";
  EXPECT_FALSE(letters.take([](const Letter&) { return true; }));
  ASSERT_NE(letters.writer_of("/scratch/a.nc"), nullptr);
  EXPECT_EQ(letters.writer_of("/scratch/a.nc")->code, "toy_001");
  EXPECT_EQ(letters.writer_of("/scratch/a.nc")->context, "toy");
  ASSERT_NE(letters.writer_of("/scratch/toy_002"), nullptr);
  EXPECT_EQ(letters.writer_of("/scratch/toy_002")->code, "toy_002");
  EXPECT_EQ(letters.writer_of("/scratch/b.nc"), nullptr);
}

/// From this process to itself.
class Post {
 public:
  void send(Letter::Kind kind, std::uint64_t opening, const std::string& from = "sky") {
    Letter letter;
    letter.kind = kind;
    letter.from_code = "atm";
    letter.from_context = from;
    letter.to_code = "ocean";
    letter.to_context = "sea";
    letter.from_opening = opening;
    letters_.send(letter, self_.rank());
  }
  bool has(Letter::Kind kind, const std::string& from = "sky") {
    const auto is_wanted = [&](const Letter& letter) {
      return letter.kind == kind && letter.from_context == from;
    };
    return letters_.take(is_wanted).has_value();
  }

 private:
  ep::Comm self_ = ep::Comm::from_mpi(MPI_COMM_SELF);
  Letters letters_{self_};
};

// All clients of a component get them, one of which answers.
TEST(Letters, of_a_context_that_asks_again_or_no_more_are_not_kept) {
  using enum Letter::Kind;
  Post post;
  post.send(question, 1);
  post.send(question, 1, "air");
  post.send(greeting, 2);
  EXPECT_FALSE(post.has(question)) << "who greets has got its grids";
  EXPECT_TRUE(post.has(question, "air"));
  post.send(withdrawal, 2);
  EXPECT_FALSE(post.has(greeting));
  post.send(greeting, 3);
  post.send(question, 4);
  EXPECT_FALSE(post.has(greeting)) << "the context is opened again";
  EXPECT_TRUE(post.has(question));
}

}  // namespace
}  // namespace epios::io::letters_test
