#include "grid/pieces.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "models.hpp"
#include "random.hpp"
#include "steps_on_servers.hpp"

namespace epios::io::pieces_test {
namespace {

using test::Random;

/// A client's offer with the memory that it views.
struct OwnedOffer {
  int client = 0;
  std::vector<std::vector<PlaceRun>> positions;
  std::vector<std::uint64_t> mask;

  Offer view() const {
    Offer out{client, {}, mask};
    for (const auto& runs : positions) out.positions.emplace_back(runs);
    return out;
  }
};

std::vector<PlaceRun> random_positions(Random& random, std::int64_t points) {
  switch (random.pick(0, 4)) {
    case 0:
    case 1:
      return {{0, points}};
    case 2: {
      const std::int64_t count = random.pick(0, points);
      if (count == 0) return {};
      return {{random.pick(0, points - count), count}};
    }
    default: {
      std::vector<PlaceRun> runs;
      for (std::int64_t p = 0; p < points; ++p) {
        if (random.flip()) continue;
        if (!runs.empty() && runs.back().place + runs.back().count == p) {
          ++runs.back().count;
        } else {
          runs.push_back({p, 1});
        }
      }
      return runs;
    }
  }
}

Pattern pattern_of(const std::vector<std::vector<PlaceRun>>& positions,
                   const std::vector<std::int64_t>& points) {
  std::vector<PatternFactor> factors;
  for (std::size_t e = 0; e < points.size(); ++e) factors.push_back({points[e], positions[e]});
  return Pattern(factors);
}

OwnedOffer random_offer(Random& random, int client, const std::vector<std::int64_t>& points,
                        bool may_mask) {
  OwnedOffer offer;
  offer.client = client;
  for (const std::int64_t p : points) offer.positions.push_back(random_positions(random, p));
  if (may_mask && random.flip()) {
    const std::int64_t count = pattern_of(offer.positions, points).count();
    offer.mask.resize(static_cast<std::size_t>((count + 63) / 64));
    for (auto& word : offer.mask) {
      word = static_cast<std::uint64_t>(random.pick(0, std::numeric_limits<std::int64_t>::max()));
    }
  }
  return offer;
}

bool is_set(const std::vector<std::uint64_t>& mask, std::int64_t bit) {
  return mask.empty() ||
         (mask[static_cast<std::size_t>(bit / 64)] >> static_cast<unsigned>(bit % 64) & 1U) != 0;
}

/// Every point of the slab gets the value of the lowest client that has one, whatever was asked
/// for.
TEST(Settle, GivesEveryPointToTheLowestClientThatHasAValueThere) {
  for (unsigned seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<std::int64_t> points(static_cast<std::size_t>(random.pick(0, 3)));
    for (auto& p : points) p = random.pick(1, 6);
    std::int64_t volume = 1;
    for (const auto p : points) volume *= p;
    const bool may_mask = random.pick(0, 2) == 0;
    std::vector<OwnedOffer> owned;
    for (int c = 0; c < random.pick(0, 5); ++c) {
      owned.push_back(random_offer(random, c, points, may_mask));
    }
    std::vector<Offer> offers;
    for (const auto& offer : owned) offers.push_back(offer.view());

    std::vector<int> expected(static_cast<std::size_t>(volume), -1);
    for (std::size_t c = owned.size(); c-- > 0;) {
      pattern_of(owned[c].positions, points).for_each([&](std::int64_t bit, std::int64_t place) {
        if (is_set(owned[c].mask, bit)) expected[static_cast<std::size_t>(place)] = owned[c].client;
      });
    }
    const Settlement settlement = settle(offers, points);
    std::vector<int> placed(static_cast<std::size_t>(volume), -1);
    std::set<int> needed(expected.begin(), expected.end());
    needed.erase(-1);
    std::set<int> asked;
    for (std::size_t s = settlement.senders.size(); s-- > 0;) {
      const auto& sender = settlement.senders[s];
      asked.insert(sender.client);
      const OwnedOffer& offer = owned[static_cast<std::size_t>(sender.client)];
      const auto& positions = sender.sends_all ? offer.positions : sender.positions;
      ASSERT_TRUE(sender.sends_all || offer.mask.empty());
      pattern_of(positions, points).for_each([&](std::int64_t bit, std::int64_t place) {
        if (is_set(offer.mask, bit)) placed[static_cast<std::size_t>(place)] = sender.client;
      });
    }
    ASSERT_EQ(placed, expected);
    ASSERT_EQ(asked, needed) << "asks whom nothing belongs to, or not whom something does";
    const auto missing = std::count(expected.begin(), expected.end(), -1);
    ASSERT_EQ(settlement.missing, missing);
    ASSERT_EQ(settlement.first_missing.empty(), missing == 0);
    for (const std::int64_t point : settlement.first_missing) {
      ASSERT_EQ(expected[static_cast<std::size_t>(point)], -1);
    }
  }
}

/// Overlaps along one element, the usual case, cost no traffic.
TEST(Settle, AsksForNoPointTwiceWhereOneElementIsShared) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const std::vector<std::int64_t> points = {random.pick(1, 30), random.pick(1, 3)};
    std::vector<OwnedOffer> owned;
    for (int c = 0; c < random.pick(1, 5); ++c) {
      owned.push_back({c, {random_positions(random, points[0]), {{0, points[1]}}}, {}});
    }
    std::vector<Offer> offers;
    for (const auto& offer : owned) offers.push_back(offer.view());
    const Settlement settlement = settle(offers, points);
    std::int64_t sent = 0;
    for (const auto& sender : settlement.senders) {
      const OwnedOffer& offer = owned[static_cast<std::size_t>(sender.client)];
      sent += pattern_of(sender.sends_all ? offer.positions : sender.positions, points).count();
    }
    ASSERT_EQ(sent, points[0] * points[1] - settlement.missing);
  }
}

// What servers make of records is made by one, of whole grids; steps and grids stand once.
TEST(Pieces, OfWhatServersMakeAreWholeGridsOfOneServer) {
  const config::Model model = test::model_with_steps();
  const auto placements = place_files(model, 2, 1);
  ASSERT_EQ(placements.size(), 2U);
  ASSERT_EQ(placements[0].writers.size(), 1U) << "however large it is";
  EXPECT_EQ(placements[1].writers.size(), 2U);
  const std::vector<Pieces> all = pieces_of(model, placements, 2);
  const Pieces& maker = all[static_cast<std::size_t>(placements[0].writers[0])];
  const Pieces& other = all[static_cast<std::size_t>(1 - placements[0].writers[0])];
  ASSERT_EQ(maker.steps.size(), 2U);
  EXPECT_EQ(maker.steps_of_stream, (std::vector<std::vector<int>>{{0}, {0, 1}, {0}, {}}));
  EXPECT_EQ(maker.steps[0].to, maker.steps[1].from);
  for (const std::size_t stream : {0U, 1U, 2U}) {
    EXPECT_EQ(maker.of_stream[stream], maker.steps[0].from) << "what crosses";
    EXPECT_EQ(other.of_stream[stream], -1);
    EXPECT_EQ(wire_value_bytes(model)[stream], 8);
    EXPECT_EQ(value_bytes(nth(model.streams, stream)), 4);
  }
  EXPECT_EQ(wire_value_bytes(model)[3], 4);
  const auto slab_on_file = [&](std::size_t stream) {
    return maker.grids[static_cast<std::size_t>(piece_on_file(maker, stream))].slab;
  };
  EXPECT_EQ(maker.grids[static_cast<std::size_t>(maker.of_stream[0])].slab,
            (Box{{0, 0, 0}, {2, 3, 4}}));
  EXPECT_EQ(slab_on_file(0), (Box{{0, 0, 0}, {2, 3, 2}}));
  EXPECT_EQ(slab_on_file(1), (Box{{0, 0, 0}, {2, 3, 1}}));
  EXPECT_TRUE(other.steps.empty());
}

// Would have found levels that cross the wire or that another server has, and a finest one that is
// divided among servers or crosses in single precision.
TEST(Pieces, OfCoarserLevelsAreMadeWhereTheFinestOneIs) {
  const config::Model model = test::model_with_levels();
  ASSERT_EQ(model.streams.size(), 3U);
  const auto placements = place_files(model, 2, 1);
  for (const FilePlacement& placement : placements) {
    EXPECT_EQ(placement.writers, placements[0].writers);
    EXPECT_EQ(placement.writers.size(), 1U);
  }
  EXPECT_EQ(wire_value_bytes(model), (std::vector<int>{8, 8, 8}));
  const std::vector<Pieces> all = pieces_of(model, placements, 2);
  const Pieces& maker = all[static_cast<std::size_t>(placements[0].writers[0])];
  EXPECT_EQ(maker.continued, (std::vector<int>{-1, 0, 1}));
  EXPECT_EQ(maker.steps_of_stream, (std::vector<std::vector<int>>{{}, {0}, {1}}));
  const auto slab_of = [&](int piece) { return nth(maker.grids, piece).slab; };
  EXPECT_EQ(slab_of(maker.of_stream[0]), (Box{{0, 0}, {4, 4}}));
  EXPECT_TRUE(slab_of(maker.of_stream[1]).is_empty());
  EXPECT_TRUE(slab_of(maker.of_stream[2]).is_empty());
  EXPECT_EQ(slab_of(piece_on_file(maker, 1)), (Box{{0, 0}, {2, 2}}));
  EXPECT_EQ(slab_of(piece_on_file(maker, 2)), (Box{{0, 0}, {1, 1}}));
}

}  // namespace
}  // namespace epios::io::pieces_test
