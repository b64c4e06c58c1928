#include "stream_share.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "config/error.hpp"

namespace epios::server {
namespace {

/// A file with one field of 4 x 3 points (nj = 4 rows) and two clients.
config::Model model_of(int prec) {
  config::Model model;
  config::Domain domain;
  domain.attributes.ni_glo = 3;
  domain.attributes.nj_glo = 4;
  model.domains.push_back(domain);
  model.grids.push_back({"g", {{config::GridElement::Kind::domain, 0}}});
  config::Stream stream;
  stream.name = "f";
  stream.attributes.prec = prec;
  model.streams.push_back(stream);
  config::File file;
  file.streams = {0};
  model.files.push_back(file);
  return model;
}

io::ClientPart client(io::Box box) {
  io::ClientPart part;
  part.boxes = {std::move(box)};
  return part;
}

struct Case {
  config::Model model = model_of(8);
  io::FilePlacement owned{{0}};
  std::vector<io::ClientPart> halves = {client({{0, 0}, {2, 3}}), client({{2, 0}, {2, 3}})};
};

TEST(StreamShare, WholeFieldFromOneClientIsWrittenInPlace) {
  const Case c;
  const auto share = share_of_stream(c.model, 0, c.owned, 0, {client({{0, 0}, {4, 3}})});
  EXPECT_TRUE(share.concerned);
  EXPECT_TRUE(share.in_place);
  EXPECT_TRUE(share.covered);
  EXPECT_EQ(share.slab_bytes(), 12u * 8u);
}

TEST(StreamShare, TwoClientsAreAssembled) {
  const Case c;
  const auto share = share_of_stream(c.model, 0, c.owned, 0, c.halves);
  EXPECT_EQ(share.expected, (std::vector<int>{0, 1}));
  EXPECT_FALSE(share.in_place);
  EXPECT_TRUE(share.covered);
  std::vector<double> upper = {0, 1, 2, 3, 4, 5};
  std::vector<double> lower = {6, 7, 8, 9, 10, 11};
  const io::EventQueue::Part parts[] = {{0, std::as_writable_bytes(std::span(upper))},
                                        {1, std::as_writable_bytes(std::span(lower))}};
  std::vector<double> record(12, -1);
  assemble(share, parts, std::as_writable_bytes(std::span(record)));
  for (std::size_t i = 0; i < record.size(); ++i) EXPECT_EQ(record[i], static_cast<double>(i));
}

TEST(StreamShare, HolesAreMissingAndTheLowestRankWins) {
  Case c;
  c.model.streams[0].attributes.default_value = -9.0;
  // Rows 0-1 and 1-2: row 1 twice, row 3 nobody's.
  const std::vector<io::ClientPart> clients = {client({{0, 0}, {2, 3}}), client({{1, 0}, {2, 3}})};
  const auto share = share_of_stream(c.model, 0, c.owned, 0, clients);
  EXPECT_FALSE(share.covered);
  std::vector<double> first(6, 1.0);
  std::vector<double> second(6, 2.0);
  second[5] = std::nan("");
  const io::EventQueue::Part parts[] = {{0, std::as_writable_bytes(std::span(first))},
                                        {1, std::as_writable_bytes(std::span(second))}};
  std::vector<double> record(12);
  assemble(share, parts, std::as_writable_bytes(std::span(record)));
  EXPECT_EQ(record, (std::vector<double>{1, 1, 1, 1, 1, 1, 2, 2, -9, -9, -9, -9}));
}

TEST(StreamShare, OtherServersFilesDoNotConcern) {
  const Case c;
  const auto share = share_of_stream(c.model, 0, {{1}}, 0, c.halves);
  EXPECT_FALSE(share.concerned);
  EXPECT_TRUE(share.expected.empty());
}

TEST(StreamShare, ASlabThatNobodyOwnsIsAnnouncedByOneClient) {
  const Case c;
  const auto share = share_of_stream(c.model, 0, c.owned, 0, {client({{0, 0}, {0, 3}})});
  EXPECT_EQ(share.expected, (std::vector<int>{0}));
  EXPECT_EQ(share.region_bytes(0), 0u);
  EXPECT_FALSE(share.covered);
}

TEST(ChannelSpecs, CarryTheLargestPartTwiceAndKeepTheBudget) {
  Case c;
  c.halves[1].remote_rank = 5;
  const std::vector<StreamShare> shares = {share_of_stream(c.model, 0, c.owned, 0, c.halves)};
  const auto specs = channel_specs(shares, c.halves, {1 << 20, 0});
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[1].peer, 5);
  EXPECT_EQ(specs[0].capacity_bytes, io::part_bytes(6 * 8));
  EXPECT_EQ(specs[0].depth, 2);
  const std::size_t least = 2 * io::channel_bytes(io::part_bytes(6 * 8), 1);
  EXPECT_EQ(channel_specs(shares, c.halves, {least, 0})[0].depth, 1);
  EXPECT_THROW(channel_specs(shares, c.halves, {least - 1, 0}), Error);
}

// A client with a large part must not push the others' channels beyond what is left.
TEST(ChannelSpecs, NeverTakeMoreThanTheBudget) {
  std::vector<StreamShare> shares;
  for (const std::int64_t points : {200'000, 1000, 1000, 1000}) {
    StreamShare share;
    share.concerned = true;
    share.expected = {points > 1000 ? 0 : 1};
    share.regions = {io::Box{{0}, {points}}};
    shares.push_back(share);
  }
  const std::vector<io::ClientPart> clients(2);
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

// Contexts that are open together share one budget, and the first does not take all of it.
TEST(ChannelSpecs, ContextsShareTheBudget) {
  const std::vector<io::ClientPart> clients(1);
  StreamShare share;
  share.concerned = true;
  share.expected = {0};
  share.regions = {io::Box{{0}, {100'000}}};
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
            ", of which other contexts hold " + std::to_string(2 * taken) +
            "). Set variable 'buffer_bytes' of context 'xios' higher, or start more servers?");
  }
}

// Disjoint is not enough, nor is the right volume: one point twice and one not at all.
TEST(StreamShare, CoveredMeansEveryPointOnce) {
  const Case c;
  const auto covered = [&](const std::vector<io::Box>& boxes) {
    std::vector<io::ClientPart> clients;
    for (const auto& box : boxes) clients.push_back(client(box));
    return share_of_stream(c.model, 0, c.owned, 0, clients).covered;
  };
  EXPECT_TRUE(covered({{{0, 0}, {4, 3}}}));
  EXPECT_TRUE(covered({{{0, 0}, {1, 3}}, {{1, 0}, {3, 1}}, {{1, 1}, {3, 2}}}));
  EXPECT_FALSE(covered({{{0, 0}, {2, 3}}, {{1, 0}, {2, 3}}}));
  EXPECT_FALSE(covered({{{0, 0}, {2, 3}}, {{2, 0}, {2, 2}}}));
  EXPECT_FALSE(covered({{{0, 0}, {4, 2}}, {{0, 1}, {4, 2}}}));
}

// A pinwheel has no cut from side to side.
TEST(StreamShare, CoveredSeesThroughAPinwheel) {
  Case c;
  c.model.domains[0].attributes.nj_glo = 3;
  std::vector<io::ClientPart> pinwheel = {client({{0, 0}, {1, 2}}), client({{0, 2}, {2, 1}}),
                                          client({{2, 1}, {1, 2}}), client({{1, 0}, {2, 1}})};
  EXPECT_FALSE(share_of_stream(c.model, 0, c.owned, 0, pinwheel).covered) << "hole in the middle";
  pinwheel.push_back(client({{1, 1}, {1, 1}}));
  EXPECT_TRUE(share_of_stream(c.model, 0, c.owned, 0, pinwheel).covered);
}

}  // namespace
}  // namespace epios::server
