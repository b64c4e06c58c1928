// Who hears of records although it has no points of them, and that it travels.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/error.hpp"
#include "event/opening.hpp"

namespace epios::io::opening_reading_test {
namespace {

using Windows = std::vector<std::vector<PlaceRun>>;

/// What a server reads of two fields, one on a window of 4 points each; -1: nothing of it.
Pieces pieces_of_two(int first, int second) {
  Pieces out;
  const Box window{{0}, {4}};
  const config::GridElement axis{config::GridElement::Kind::axis, 0};
  for (const int piece : {first, second}) {
    out.of_stream.push_back(piece < 0 ? -1 : static_cast<int>(out.grids.size()));
    if (piece < 0) continue;
    out.grids.push_back({0, window, {static_cast<int>(out.windows.size())}});
    out.windows.push_back({axis, window});
  }
  return out;
}

TEST(HeardPieces, are_those_of_the_first_server_of_what_a_client_has_no_points_of) {
  const std::vector<Pieces> pieces{pieces_of_two(-1, 0), pieces_of_two(0, 0), pieces_of_two(0, 0)};
  using Heard = std::vector<std::vector<std::uint8_t>>;
  const auto heard = [&pieces](const std::vector<Windows>& windows) {
    return notified_pieces(pieces, windows);
  };
  const Windows one{{}};
  const Windows two{{}, {}};
  EXPECT_EQ(heard({one, two, two}), (Heard{{1}, {1, 0}, {0, 0}}));
  // Points of the first field on the last server: nothing more to hear of it.
  EXPECT_EQ(heard({one, two, {{{1, 2}}, {}}}), (Heard{{1}, {0, 0}, {0, 0}}));
  EXPECT_EQ(heard({{{{0, 4}}}, {{{0, 1}}, {}}, two}), (Heard{{0}, {0, 0}, {0, 0}}));
  EXPECT_TRUE(notified_pieces({}, {}).empty());
}

TEST(HeardPieces, travel_and_make_a_part_that_is_not_empty) {
  const Pieces pieces = pieces_of_two(0, 0);
  OpeningPart part;
  part.read_windows = {{}, {}};
  part.is_notified_of = {0, 0};
  EXPECT_TRUE(part.is_empty());
  part.is_notified_of = {0, 1};
  EXPECT_FALSE(part.is_empty());
  const OpeningPart back = decode_opening_part(encode(part));
  EXPECT_EQ(back.is_notified_of, part.is_notified_of);
  check_read_windows(pieces, back);
  part.is_notified_of.push_back(1);
  try {
    check_read_windows(pieces, part);
    FAIL() << "was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("hears of 3 grids"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace epios::io::opening_reading_test
