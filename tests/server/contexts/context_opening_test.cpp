#include "contexts/context_opening.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "contexts/played_opening.hpp"
#include "event/opening.hpp"

namespace epios::server::test::context_opening_test {
namespace {

using Bytes = std::vector<std::byte>;

/// One server, and a grid of four points in one file. Two clients have two points each.
class ContextOpeningTest : public ::testing::Test {
 protected:
  ContextOpeningTest() {
    config::Axis axis;
    axis.id = "a";
    axis.attributes.n_glo = 4;
    model_.axes.push_back(axis);
    model_.grids.push_back({"g", {{GridElement::Kind::axis, 0}}});
    model_.sources.emplace_back().id = "tos";
    config::Stream stream;
    stream.id = stream.name = "tos";
    stream.source = config::SourceId(0);
    stream.attributes.prec = 8;
    model_.streams.push_back(stream);
    config::File file;
    file.id = "daily";
    file.path = "daily.nc";
    file.streams = {config::StreamId(0)};
    model_.files.push_back(file);
    plan_.number = 5;
    plan_.id = "ocean";
    io::OpenContext& request = plan_.request;
    request.context_id = "ocean";
    request.model = config::encode(model_);
    request.forms.axes.resize(1);
    request.clients = {4, 9};
    request.parts = {2};
    request.shared_record_bytes = 1'000'000;
  }
  /// Returns the opening part of a client that has `count` points.
  Bytes part(int client, std::int64_t count) const {
    config::Model own = model_;
    own.axes[0].attributes.begin = 2 * client;
    own.axes[0].attributes.n = count;
    const io::LocalParts local(own);
    const auto placements = io::place_files(own, 1, 1'000'000);
    io::OpeningPart out =
        io::opening_part(own, local, io::pieces_of(own, placements, 1)[0],
                         io::local_holders(own, local, io::local_forms(own), client), client);
    out.remote_rank = plan_.request.clients.at(static_cast<std::size_t>(client));
    return io::encode(out);
  }
  std::vector<io::OpenReply> replies(ContextOpening& opening) {
    std::vector<io::OpenReply> out;
    opening.reply_to_all([](std::size_t part) { return Bytes(part + 1, std::byte{7}); },
                         [&](const io::OpeningPart& part, const io::OpenReply& reply) {
                           clients_.push_back(part.client);
                           out.push_back(reply);
                         });
    return out;
  }

  config::Model model_;
  ContextPlan plan_;
  Log log_{0};
  std::vector<int> clients_;  // that were answered
};

TEST_F(ContextOpeningTest, PartsInAnyOrderBecomeThePlanAndAnswersInTheOrderOfClients) {
  ContextOpening opening(plan_, log_);
  EXPECT_EQ(opening.error(), "");
  EXPECT_TRUE(plan_.request.model.empty());
  EXPECT_EQ(plan_.model.files[0].path, "daily.nc");
  opening.add_part(part(1, 2));
  EXPECT_FALSE(opening.has_all_parts());
  opening.add_part(part(0, 2));
  ASSERT_TRUE(opening.has_all_parts());
  opening.attempt([&] { opening.assign(); });
  opening.attempt([&] { opening.note_missing(); });
  EXPECT_EQ(opening.error(), "");
  EXPECT_EQ(plan_.connected, (std::vector<int>{0, 1}));
  ASSERT_EQ(plan_.streams.size(), 1U);
  EXPECT_EQ(plan_.streams[0].piece->senders, (std::vector<int>{0, 1}));
  const std::vector<io::OpenReply> answers = replies(opening);
  EXPECT_EQ(clients_, (std::vector<int>{0, 1}));
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[1].context, 5U);
  EXPECT_EQ(answers[1].offer.size(), 2U);
  ASSERT_EQ(answers[1].asked.size(), 1U);
  EXPECT_EQ(answers[1].asked[0].points, io::RequestedPoints::Points::all);
  EXPECT_TRUE(answers[0].remarks.empty());
  EXPECT_TRUE(opening.parts().empty());
}

TEST_F(ContextOpeningTest, PointsThatNobodyHasAreARemarkForTheFirstClientOnly) {
  ContextOpening opening(plan_, log_);
  opening.add_part(part(0, 2));
  opening.add_part(part(1, 1));
  opening.assign();
  opening.note_missing();
  const std::vector<io::OpenReply> answers = replies(opening);
  ASSERT_EQ(answers.size(), 2U);
  ASSERT_EQ(answers[0].remarks.size(), 1U);
  EXPECT_EQ(answers[0].remarks[0].what, "no client has field 'tos'");
  EXPECT_EQ(answers[0].remarks[0].points, 1);
  EXPECT_TRUE(answers[1].remarks.empty());
}

// Clients are not trusted: their numbers become indices, and their ranks get the answers.
TEST_F(ContextOpeningTest, SendersThatDoNotTakePartAreRefused) {
  const auto refusal = [this](int client, int rank) {
    ContextPlan plan = plan_;
    ContextOpening opening(plan, log_);
    io::OpeningPart wrong = io::decode_opening_part(part(0, 2));
    wrong.client = client;
    wrong.remote_rank = rank;
    try {
      opening.add_part(io::encode(wrong));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::protocol);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(1, 9), "");
  EXPECT_EQ(refusal(2, 9),
            "context 'ocean': received a part of client 2 with rank 9 (it does not take part). Is "
            "this a bug of EPIOS?");
  EXPECT_NE(refusal(-1, 4), "");
  EXPECT_NE(refusal(0, 9), "");
  EXPECT_NE(refusal(0, -1), "");
}

TEST_F(ContextOpeningTest, PartsThatAreNotDueAreRefused) {
  ContextOpening opening(plan_, log_);
  opening.add_part(part(0, 2));
  EXPECT_THROW(opening.add_part(part(0, 2)), Error) << "client 0 twice, client 1 not at all";
  EXPECT_THROW(opening.add_part(part(1, 2)), Error) << "one too many";
}

TEST_F(ContextOpeningTest, NobodyKnowsWhenToAnswerWithoutTheNumberOfParts) {
  for (const std::vector<int>& parts : {std::vector<int>{}, {-1}, {0}, {2, 2}}) {
    plan_.request.parts = parts;
    EXPECT_THROW(ContextOpening(plan_, log_), Error);
  }
}

// The answer for points that nobody has goes to it: without, the server read beyond its clients
// (opening_fuzz).
TEST_F(ContextOpeningTest, TheFirstClientTakesPart) {
  plan_.request.parts = {1};
  ContextOpening opening(plan_, log_);
  EXPECT_THROW(opening.add_part(part(1, 2)), Error);
}

TEST_F(ContextOpeningTest, ServersThatDoNotExistAreNotChosen) {
  using Files = io::FileServers;
  const auto error_with = [this](const Files& writers, const Files& readers = {},
                                 const std::vector<int>& gatherers = {}) {
    ContextPlan plan = plan_;
    plan.request.choice = {writers, readers, gatherers};
    return ContextOpening(plan, log_).error();
  };
  const auto of_one_file = [](const std::vector<int>& group) {
    return Files{io::ServerGroups{group}};
  };
  EXPECT_EQ(error_with(of_one_file({0})), "");
  EXPECT_EQ(error_with(of_one_file({0, 99})),
            "context 'ocean': servers 0, 99 are chosen (there are 1, each counts once). Is this a "
            "bug of EPIOS?");
  EXPECT_EQ(error_with({{{0}}, {{0}}}),
            "context 'ocean': servers are chosen for 2 files of 1. Is this a bug of EPIOS?");
  for (const std::vector<int>& group : {std::vector<int>{-1}, {0, 0}, {}}) {
    EXPECT_NE(error_with(of_one_file(group)), "");
  }
  EXPECT_NE(error_with({}, of_one_file({0})), "") << "it reads no file";
  EXPECT_NE(error_with({}, {}, {1}), "");
  EXPECT_NE(error_with({}, {}, {0, 0}), "");
}

TEST_F(ContextOpeningTest, TheFirstReasonIsTheAnswerAndNothingIsDoneAfterIt) {
  plan_.request.forms.axes.resize(3);
  ContextOpening opening(plan_, log_);
  const std::string why =
      "context 'ocean': coordinates and elements do not match. Is this a bug of EPIOS?";
  EXPECT_EQ(opening.error(), why);
  opening.add_part(part(0, 2));
  opening.add_part(part(1, 2));
  bool is_done = false;
  opening.attempt([&] { is_done = true; });
  EXPECT_FALSE(is_done);
  opening.refuse("a later reason");
  EXPECT_EQ(opening.error(), why);
  for (const io::OpenReply& answer : replies(opening)) {
    EXPECT_EQ(answer.error, why);
    EXPECT_TRUE(answer.offer.empty());
  }
  EXPECT_EQ(clients_, (std::vector<int>{0, 1}));
  opening.refuse_at_last("client 0 gave up");
  EXPECT_EQ(opening.error(), "client 0 gave up");
}

TEST_F(ContextOpeningTest, WhatAStepThrowsRefusesTheContext) {
  ContextOpening opening(plan_, log_);
  opening.attempt([] { throw std::runtime_error("no memory"); });
  EXPECT_EQ(opening.error(), "no memory");
}

TEST_F(ContextOpeningTest, APartOfAnotherModelIsNotTaken) {
  ContextOpening opening(plan_, log_);
  io::OpeningPart other = io::decode_opening_part(part(0, 2));
  other.windows.clear();
  other.held.clear();
  opening.add_part(io::encode(other));
  EXPECT_NE(opening.error(), "");
}

}  // namespace
}  // namespace epios::server::test::context_opening_test
