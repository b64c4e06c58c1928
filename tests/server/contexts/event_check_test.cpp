#include "contexts/event_check.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "config/error.hpp"

namespace epios::server::event_check_test {
namespace {

TEST(EventCheck, NamesWhoSentAPartOfAnotherSize) {
  PieceAssignment piece;
  piece.patterns.emplace_back(std::vector<io::PatternFactor>{{3, {{0, 3}}}});
  StreamAssignment share;
  share.piece = &piece;
  std::array<std::byte, 24> payload{};
  std::vector<io::EventQueue::Part> parts{{5, payload}};
  const io::EventQueue::Event event{{}, parts};
  EXPECT_NO_THROW(check_parts("ocean", event, share, "client"));
  parts[0].payload = std::span(payload).first(16);
  for (const std::string_view sender : {"client", "gatherer"}) {
    try {
      check_parts("ocean", event, share, sender);
      FAIL() << "was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), "context 'ocean': " + std::string(sender) +
                                  " 5 sent 16 bytes (expected 24). Is this a bug of EPIOS?");
    }
  }
}

}  // namespace
}  // namespace epios::server::event_check_test
