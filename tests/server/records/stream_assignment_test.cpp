#include "records/stream_assignment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "ring_memory.hpp"

namespace epios::server::stream_assignment_test {
namespace {

/// A piece of a line that clients share: so many points each, one after the other.
struct Parts {
  std::vector<io::OpeningPart> clients;
  PieceAssignment piece;

  explicit Parts(const std::vector<std::int64_t>& points) {
    std::int64_t total = 0;
    for (const std::int64_t count : points) total += count;
    piece.slab = io::Box{{0}, {total}};
    piece.covered = true;
    std::int64_t begin = 0;
    for (std::size_t c = 0; c < points.size(); ++c) {
      io::OpeningPart part;
      part.client = static_cast<int>(c);
      part.remote_rank = static_cast<int>(10 + c);
      clients.push_back(part);
      if (points[c] == 0) continue;
      const std::vector<io::PatternFactor> factors = {{total, {{begin, points[c]}}}};
      piece.senders.push_back(part.client);
      piece.patterns.emplace_back(factors);
      piece.masks.emplace_back();
      begin += points[c];
    }
  }
  StreamAssignment share() const {
    StreamAssignment out;
    out.piece = &piece;
    return out;
  }
};

TEST(FillMissing, CountsWhatIsInfiniteInSinglePrecision) {
  const Parts parts({10'000});
  StreamAssignment share = parts.share();
  share.value_bytes = 4;
  share.fill = -9.0;
  std::vector<float> values(10'000, 1);
  values[3] = values[9'999] = std::numeric_limits<float>::infinity();
  values[4'096] = std::numeric_limits<float>::quiet_NaN();
  const auto slab = std::as_writable_bytes(std::span(values));
  EXPECT_EQ(fill_missing(share, slab), 0) << "of a server that gathers";
  share.counts_infinite = true;
  values[5'000] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(fill_missing(share, slab), 2);
  EXPECT_EQ(values[4'096], -9);
  EXPECT_EQ(values[5'000], -9);
  share.fill.reset();
  EXPECT_EQ(fill_missing(share, slab), 2);
}

TEST(Assemble, HolesAreTheFillValueAndTheLowestRankWins) {
  Parts parts({4, 4});
  const std::vector<io::PatternFactor> overlapping = {{8, {{2, 4}}}};
  parts.piece.patterns[1] = io::Pattern(overlapping);
  parts.piece.covered = false;
  StreamAssignment share = parts.share();
  share.fill = -9.0;
  std::vector<double> first = {1, 1, std::nan(""), 1};
  std::vector<double> second = {2, 2, 2, std::nan("")};
  const io::EventQueue::Part received[] = {{0, std::as_writable_bytes(std::span(first))},
                                           {1, std::as_writable_bytes(std::span(second))}};
  std::vector<double> record(8);
  assemble(share, received, std::as_writable_bytes(std::span(record)));
  EXPECT_EQ(record, (std::vector<double>{1, 1, -9, 1, 2, -9, -9, -9}))
      << "a missing value of the lowest rank is its value";
}

TEST(Assemble, MaskedPointsOfALowRankHideNothing) {
  Parts parts({4, 4});
  const std::vector<io::PatternFactor> same = {{8, {{0, 4}}}};
  parts.piece.patterns[1] = io::Pattern(same);
  parts.piece.masks[0] = {0b1101};
  parts.piece.covered = false;
  std::vector<float> first = {1, 1, 1, 1};
  std::vector<float> second = {2, 2, 2, 2};
  const io::EventQueue::Part received[] = {{0, std::as_writable_bytes(std::span(first))},
                                           {1, std::as_writable_bytes(std::span(second))}};
  StreamAssignment share = parts.share();
  share.value_bytes = 4;
  share.fill = 5.0;
  std::vector<float> record(8);
  assemble(share, received, std::as_writable_bytes(std::span(record)));
  EXPECT_EQ(record, (std::vector<float>{1, 2, 1, 1, 5, 5, 5, 5}));
}

TEST(ChannelSpecs, CarryTheLargestPartTwiceAndKeepTheBudget) {
  const Parts parts({6, 6});
  const std::vector<StreamAssignment> shares = {parts.share()};
  const auto specs = channel_specs(shares, parts.clients, {1 << 20, 0});
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[1].peer, 11);
  EXPECT_EQ(specs[0].capacity_bytes, io::part_bytes(6 * 8));
  EXPECT_EQ(specs[0].depth, 2);
  const std::size_t least = 2 * io::channel_bytes(io::part_bytes(6 * 8), 1);
  EXPECT_EQ(channel_specs(shares, parts.clients, {least, 0})[0].depth, 1);
  EXPECT_THROW(channel_specs(shares, parts.clients, {least - 1, 0}), Error);
}

// A client with a large part must not push the others' channels beyond what is left.
TEST(ChannelSpecs, NeverTakeMoreThanTheBudget) {
  const Parts large({200'000});
  const Parts small({0, 1000});
  const std::vector<StreamAssignment> shares = {large.share(), small.share(), small.share(),
                                                small.share()};
  const std::vector<io::OpeningPart>& clients = small.clients;
  for (const std::size_t budget :
       {1'650'000U, 1'700'000U, 1'800'000U, 3'000'000U, 5'000'000U, 100'000'000U}) {
    std::size_t sum = 0;
    for (const auto& spec : channel_specs(shares, clients, {budget, 0})) {
      EXPECT_GE(spec.depth, 1);
      sum += io::channel_bytes(spec.capacity_bytes, spec.depth);
    }
    EXPECT_LE(sum, budget);
  }
  EXPECT_THROW(channel_specs(shares, clients, {1'600'000, 0}), Error);
}

// A model that receives many small fields sends as many requests before the server looks at any.
TEST(ChannelSpecs, HaveRoomForAllRequestsThatMayBeUnderWay) {
  const Parts nothing({0, 0});
  const auto specs = channel_specs({}, nothing.clients, {1 << 20, 0, 0, 400});
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[1].capacity_bytes, io::part_bytes(0));
  EXPECT_EQ(specs[1].depth, 400);
  EXPECT_EQ(channel_specs({}, nothing.clients, {1 << 20, 0}).front().depth, 2) << "nothing is read";
  // Beside large parts they take as much room: all fit a ring at once, with two records.
  for (const std::int64_t points : {2, 10, 6000}) {
    const Parts parts({points});
    const auto spec = channel_specs({parts.share()}, parts.clients, {1 << 20, 0, 0, 1000}).front();
    const io::test::RingMemory memory(spec.capacity_bytes, spec.depth);
    io::RingWriter writer(memory.data());
    const auto send = [&](std::size_t bytes) {
      if (writer.try_reserve(bytes).empty()) return false;
      writer.commit();
      return true;
    };
    for (int record = 0; record < 2; ++record) EXPECT_TRUE(send(spec.capacity_bytes)) << points;
    int sent = 0;
    while (sent < 1000 && send(io::part_bytes(0))) ++sent;
    EXPECT_EQ(sent, 1000) << "beside " << points << " values";
  }
  // As far as the budget goes.
  const auto small = channel_specs({}, nothing.clients, {40'000, 0, 0, 400});
  EXPECT_LE(2 * io::channel_bytes(small[0].capacity_bytes, small[0].depth), 40'000u);
}

/// One channel fits into a budget of which `use` leaves it just enough, and none if that is a byte
/// more.
void expect_room_beside(std::size_t ChannelBudget::*use, const std::string& what) {
  const Parts parts({100'000});
  const std::vector<io::OpeningPart>& clients = parts.clients;
  const StreamAssignment share = parts.share();
  const std::size_t least = io::channel_bytes(io::part_bytes(800'000), 1);
  ChannelBudget budget{2 * least, 0};
  budget.*use = least;
  EXPECT_EQ(channel_specs({share}, clients, budget).front().depth, 1);
  budget.*use = least + 1;
  try {
    channel_specs({share}, clients, budget);
    FAIL() << "there is nothing left";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "the channels of a server need at least " + std::to_string(least) +
                  " bytes (the budget is " + std::to_string(2 * least) + ", of which " +
                  std::to_string(least + 1) + " are for what is " + what +
                  "). Set variable 'buffer_bytes' of context 'xios' higher, or start more "
                  "servers?");
  }
}

// What is read takes its part of the budget first.
TEST(ChannelSpecs, LeaveRoomForAnswers) {
  expect_room_beside(&ChannelBudget::answer_bytes, "read");
}

// What records are transformed with is memory of the server, too.
TEST(ChannelSpecs, LeaveRoomForTransformations) {
  expect_room_beside(&ChannelBudget::step_bytes, "transformed here");
}

// Contexts that are open together share one budget, and the first does not take all of it.
TEST(ChannelSpecs, ContextsShareTheBudget) {
  const Parts parts({100'000});
  const std::vector<io::OpeningPart>& clients = parts.clients;
  const StreamAssignment share = parts.share();
  const std::size_t least = io::channel_bytes(io::part_bytes(800'000), 1);
  const ChannelBudget budget{2 * least, 0};
  const auto first = channel_specs({share}, clients, budget).front();
  const std::size_t taken = io::channel_bytes(first.capacity_bytes, first.depth);
  EXPECT_EQ(channel_specs({share}, clients, {budget.bytes, taken}).front().depth, 1);
  try {
    channel_specs({share}, clients, {budget.bytes, 2 * taken});
    FAIL() << "there is nothing left";
  } catch (const Error& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "the channels of a server need at least " + std::to_string(least) +
            " bytes (the budget is " + std::to_string(2 * least) +
            ", of which other contexts and couplings hold " + std::to_string(2 * taken) +
            "). Set variable 'buffer_bytes' of context 'xios' higher, or start more servers?");
  }
}

}  // namespace
}  // namespace epios::server::stream_assignment_test
