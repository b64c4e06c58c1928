// Rows of what servers work out: on the wire, and refused where they are none.
#include <gtest/gtest.h>

#include <string>

#include "../grid/steps_on_servers.hpp"
#include "config/error.hpp"
#include "event/opening.hpp"
#include "grid/routing.hpp"

namespace epios::io::opening_rows_test {
namespace {

class OpeningRows : public ::testing::Test {
 protected:
  OpeningRows() {
    const LocalParts parts(model);
    part =
        opening_part(model, parts, pieces, local_holders(model, parts, local_forms(model), 0), 0);
    part.rows = {{{0, 1, 4}, {0, 1, 3, 3}, {0, 1, 5}, {0.5, 0.25, 0.75}, {1, 0.5, 0.5}},
                 {{0}, {0, 1}, {1}, {}, {}}};
  }
  std::string complaint() const {
    try {
      check_opening_part(model, pieces, part);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::protocol);
      return error.what();
    }
    return "";
  }

  config::Model model = test::model_with_steps();
  Pieces pieces = pieces_of(model, place_files(model, 1, 1), 1)[0];
  OpeningPart part;
};

TEST_F(OpeningRows, travel) {
  EXPECT_EQ(complaint(), "");
  const OpeningPart back = decode_opening_part(encode(part));
  EXPECT_EQ(back.rows, part.rows);
  OpeningPart nothing;
  nothing.rows.resize(2);
  EXPECT_TRUE(nothing.is_empty());
  nothing.rows[1] = part.rows[1];
  EXPECT_FALSE(nothing.is_empty());
}

TEST_F(OpeningRows, are_refused_where_they_are_none) {
  const std::string none =
      "the part of client 0 does not belong to the context (rows of <extract_domain> for field "
      "'b' are none). Do all clients see the same configuration?";
  const StepRows good = part.rows[0];
  const auto damaged = [&](const auto& damage) {
    part.rows[0] = good;
    damage(part.rows[0]);
    return complaint();
  };
  EXPECT_EQ(damaged([](StepRows& rows) { rows.targets[2] = 6; }), none) << "it has 6 points";
  EXPECT_EQ(damaged([](StepRows& rows) { rows.targets[1] = 5; }), none) << "not ascending";
  EXPECT_EQ(damaged([](StepRows& rows) { rows.sources[0] = 12; }), none);
  EXPECT_EQ(damaged([](StepRows& rows) { rows.sources[0] = -1; }), none);
  EXPECT_EQ(damaged([](StepRows& rows) { rows.begin[1] = 4; }), none);
  EXPECT_EQ(damaged([](StepRows& rows) { rows.begin.pop_back(); }), none);
  EXPECT_EQ(damaged([](StepRows& rows) { rows.begin.clear(); }), none);
  EXPECT_EQ(damaged([](StepRows& rows) { rows.weights.pop_back(); }), none);
  EXPECT_EQ(damaged([](StepRows& rows) { rows.first_order.push_back(1); }), none);
  part.rows.pop_back();
  EXPECT_EQ(complaint(),
            "the part of client 0 does not belong to the context (it has rows of 1 "
            "transformations, the server works out 2). Do all clients see the same configuration?");
}

}  // namespace
}  // namespace epios::io::opening_rows_test
