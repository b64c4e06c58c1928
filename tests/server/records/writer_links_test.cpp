// A gatherer and two servers that write, as endpoints of one thread.
#include "records/writer_links.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): setenv

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "contexts/played_opening.hpp"
#include "event/event.hpp"
#include "event/long_message.hpp"
#include "grid/levels.hpp"
#include "transport/channel.hpp"

namespace epios::server::test::writer_links_test {
namespace {

constexpr std::uint32_t context = 7;

/// A file of one writer with a field of 3 x 2 cells, one of another writer with a number.
config::Model two_files() {
  config::Model model;
  config::Domain domain{"d", "d", {}};
  domain.attributes.type = "curvilinear";
  domain.attributes.ni_glo = 3;
  domain.attributes.nj_glo = 2;
  model.domains = {domain};
  model.scalars.push_back({"s", "s", {}});
  model.grids = {{"cells", {{config::GridElement::Kind::domain, 0}}},
                 {"number", {{config::GridElement::Kind::scalar, 0}}}};
  for (int s = 0; s < 2; ++s) {
    config::Stream stream;
    stream.name = s == 0 ? "sst" : "index";
    stream.file = config::FileId(s);
    stream.grid = config::GridId(s);
    stream.attributes.prec = 8;
    model.streams.push_back(stream);
    config::File file;
    file.id = "f" + std::to_string(s);
    file.streams = {config::StreamId(s)};
    model.files.push_back(file);
  }
  return model;
}

/// Server 0 gathers for servers 1 and 2, each of which has a channel for one part.
class WriterLinksTest : public ::testing::Test {
 protected:
  WriterLinksTest()
      : endpoints_(ep::Comm::from_mpi(MPI_COMM_WORLD).create_endpoints(3)), model_(two_files()) {
    choice_.gatherers = {0};
    choice_.writers = {{{1}}, {{2}}};
    placements_ = io::place_files(model_, 3, 1'000'000, choice_);
    for (const io::Pieces& its : io::pieces_of(model_, placements_, 3)) {
      pieces_.push_back(io::separate_windows(its));
    }
    clients_.emplace_back(model_);
    gatherer_ = open_server(model_, io::gathered_pieces(model_, choice_, 3)[0], clients_);
    gatherer_.streams = assign_streams(model_, gatherer_.pieces, gatherer_.shares, gatherer_.parts);
    pass_as_sent(gatherer_.streams);
    links_ = std::make_unique<WriterLinks>(
        WriterLinks::Environment{&endpoints_[0], &outbox_, context, &model_, &choice_});
  }

  /// The opening part that a writer has got.
  io::OpeningPart received(int writer) {
    const auto& comm = endpoints_[static_cast<std::size_t>(writer)];
    io::LongMessages messages;
    ep::Received message;
    messages_ = 0;
    ep::wait_until(comm, {"an opening part", 0}, [&] {
      outbox_.progress();
      const bool has_come =
          ep::try_receive(comm, 0, static_cast<int>(io::ControlTag::inter_level), message);
      if (has_come) ++messages_;
      return has_come && messages.complete(message);
    });
    EXPECT_EQ(io::opening_of(message.bytes), context);
    EXPECT_EQ(message.source, 0);
    io::OpeningPart part = io::decode_opening_part(message.bytes);
    if (!part.error.empty()) return part;
    io::check_opening_part(model_, pieces_[static_cast<std::size_t>(writer)], part);
    return part;
  }

  void ask() { links_->ask(placements_, gatherer_.pieces, gatherer_.parts, {}); }

  void connect() {
    ask();
    for (const int writer : {1, 2}) {
      std::vector<io::OpeningPart> parts{received(writer)};
      const auto shares = assign_pieces(pieces_[static_cast<std::size_t>(writer)], parts);
      const std::vector<io::ChannelSpec> specs{{parts.front().remote_rank, io::part_bytes(48), 1}};
      channels_.push_back(std::make_unique<io::ChannelGroup>(
          endpoints_[static_cast<std::size_t>(writer)], io::channel_tag(context), specs));
      io::OpenReply reply;
      reply.context = context;
      reply.offer = channels_.back()->offer(0);
      for (const PieceAssignment& share : shares) reply.asked.push_back(share.asked.front());
      links_->add_reply(writer, std::move(reply));
    }
    EXPECT_TRUE(links_->unanswered().empty());
    EXPECT_EQ(links_->refusal(), "");
    links_->connect(gatherer_.streams);
  }

  bool pass(io::EventKind kind, int stream, std::int64_t event, std::vector<double> values = {}) {
    io::EventHeader header;
    header.kind = kind;
    header.context = context;
    header.stream = stream;
    header.event = event;
    header.sequence = 0;
    header.hash = io::event_hash(header);
    io::EventQueue::Part part{0, std::as_writable_bytes(std::span(values))};
    return links_->pass({header, std::span(&part, 1)});
  }

  /// What has come to a writer: "event 3, number 1: 1 2 3".
  std::string next(int writer) {
    io::ChannelReceiver& receiver = channels_[static_cast<std::size_t>(writer - 1)]->receiver(0);
    const std::span<std::byte> part = receiver.front();
    if (part.empty()) return "nothing";
    const io::EventHeader header = io::read_header(part);
    std::string out = "event " + std::to_string(header.event) + ", number " +
                      std::to_string(header.sequence) + ":";
    for (const double value :
         io::values_of<double>(part.subspan(io::EventHeader::payload_offset))) {
      out += " " + std::to_string(static_cast<int>(value));
    }
    receiver.release();
    return out;
  }

  std::vector<ep::Comm> endpoints_;
  config::Model model_;
  io::ServerChoice choice_;
  std::vector<io::FilePlacement> placements_;
  std::vector<io::Pieces> pieces_;
  std::vector<Client> clients_;
  PlayedServer gatherer_;
  Outbox outbox_;
  int messages_ = 0;  // that the last part came in
  std::vector<std::unique_ptr<io::ChannelGroup>> channels_;
  std::unique_ptr<WriterLinks> links_;  // before the channels
};

TEST_F(WriterLinksTest, EventsGoOnWithTheirNumbers) {
  connect();
  EXPECT_TRUE(pass(io::EventKind::record, 0, 0, {1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(pass(io::EventKind::record, 1, 1, {7}));
  EXPECT_EQ(next(1), "event 0, number 0: 1 2 3 4 5 6");
  EXPECT_EQ(next(2), "event 1, number 0: 7");
  EXPECT_TRUE(pass(io::EventKind::sync, 1, 2));
  EXPECT_EQ(next(1), "nothing") << "not its file";
  EXPECT_EQ(next(2), "event 2, number 1:");
  EXPECT_TRUE(pass(io::EventKind::finalize, -1, 3));
  EXPECT_EQ(links_->undrained(), (std::vector<int>{1, 2}));
  EXPECT_EQ(next(1), "event 3, number 1:");
  EXPECT_EQ(links_->undrained(), (std::vector<int>{2}));
  EXPECT_EQ(next(2), "event 3, number 2:");
  EXPECT_EQ(links_->undrained(), (std::vector<int>()));
}

TEST_F(WriterLinksTest, WhatHasNoRoomEverywhereGoesNowhere) {
  connect();
  EXPECT_TRUE(pass(io::EventKind::record, 0, 0, {1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(pass(io::EventKind::finalize, -1, 1)) << "writer 1 has not taken the record";
  EXPECT_EQ(links_->full(), (std::vector<int>{1}));
  EXPECT_EQ(next(2), "nothing");
  EXPECT_EQ(next(1), "event 0, number 0: 1 2 3 4 5 6");
  EXPECT_TRUE(pass(io::EventKind::finalize, -1, 1));
  EXPECT_TRUE(links_->full().empty());
  EXPECT_EQ(next(1), "event 1, number 1:");
  EXPECT_EQ(next(2), "event 1, number 0:");
}

TEST_F(WriterLinksTest, WhatIsNotPassedOnAfterAllLeavesNoTrace) {
  connect();
  EXPECT_TRUE(pass(io::EventKind::record, 0, 0, {1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(pass(io::EventKind::finalize, -1, 1));
  links_->cancel();
  EXPECT_EQ(next(1), "event 0, number 0: 1 2 3 4 5 6");
  EXPECT_EQ(next(1), "nothing");
  EXPECT_EQ(next(2), "nothing");
  EXPECT_TRUE(links_->undrained().empty());
}

TEST_F(WriterLinksTest, WhoCannotOpenTheContextSaysSoToWriters) {
  links_->refuse("no memory");
  for (const int writer : {1, 2}) {
    const io::OpeningPart part = received(writer);
    EXPECT_EQ(part.error, "no memory");
    EXPECT_EQ(part.client, 0);
    EXPECT_EQ(part.remote_rank, 0);
    io::OpenReply reply;
    reply.error = writer == 1 ? "" : "the disk is full";
    links_->add_reply(writer, std::move(reply));
  }
  EXPECT_EQ(links_->refusal(), "the disk is full");
}

// What is wrong with a model, or too large, is found when there is somebody to tell.
TEST_F(WriterLinksTest, WritersCanBeToldWithoutAModel) {
  WriterLinks to_writers(
      WriterLinks::Environment{&endpoints_[0], &outbox_, context, nullptr, &choice_});
  EXPECT_EQ(to_writers.servers(), (std::vector<int>{1, 2}));
  to_writers.refuse("the model cannot be read");
  for (const int writer : {1, 2}) EXPECT_EQ(received(writer).error, "the model cannot be read");
}

TEST_F(WriterLinksTest, PartsSayOfWhichClientsTheyAre) {
  ask();
  for (const int writer : {1, 2}) {
    EXPECT_EQ(received(writer).clients, (std::vector<io::PlaceRun>{{0, 1}}));
  }
}

TEST_F(WriterLinksTest, PartsThatAreLongerThanAMessageComeInPieces) {
  ask();
  const std::vector<std::byte> whole = io::encode(received(1));
  EXPECT_EQ(messages_, 1);
  received(2);
  ::setenv("EPIOS_TEST_PIECE_BYTES", "50", 1);
  ask();
  EXPECT_EQ(io::encode(received(1)), whole);
  EXPECT_EQ(messages_, 1 + (static_cast<int>(whole.size()) + 49) / 50);
  received(2);
  EXPECT_GT(messages_, 2);
  ::unsetenv("EPIOS_TEST_PIECE_BYTES");
  outbox_.progress();
  EXPECT_TRUE(outbox_.is_empty());
}

TEST_F(WriterLinksTest, AnAnswerThatDoesNotFitIsRefused) {
  ask();
  received(1);
  received(2);
  for (const int writer : {1, 2}) links_->add_reply(writer, {});
  try {
    links_->connect(gatherer_.streams);
    FAIL() << "connected";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "server 1 asks for 0 parts of grids (it writes 1). Is this a bug of EPIOS?");
  }
}

}  // namespace
}  // namespace epios::server::test::writer_links_test
