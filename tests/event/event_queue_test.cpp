#include "event/event_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "config/error.hpp"
#include "fake_channel.hpp"

namespace epios::io::event_queue_test {
namespace {

using test::FakeChannel;

std::string describe(const EventHeader& header) {
  if (header.kind == EventKind::sync) return "file 'daily'";
  const char* names[] = {"tos", "sss", "ssh", "mean"};
  return std::string("field '") + names[header.stream] + "' of file 'daily'";
}

/// Clients of one context and their channels to one server. Every client has a timeline of its own,
/// so that a test can let them make different calls.
class EventQueueTest : public ::testing::Test {
 protected:
  /// `behind`: of gatherers, whose clients these are.
  void open(int clients, std::vector<std::vector<int>> expected,
            const std::vector<std::vector<PlaceRun>>& behind = {}) {
    expected_ = std::move(expected);
    for (int client = 0; client < clients; ++client) {
      everyone_.push_back(client);
      timelines_.emplace_back(0, 1);
      channels_.push_back(std::make_unique<FakeChannel>());
    }
    std::vector<EventQueue::Input> inputs;
    for (int client = clients; client-- > 0;) {
      const auto c = static_cast<std::size_t>(client);
      inputs.push_back(
          {client, channels_[c].get(), behind.empty() ? std::vector<PlaceRun>() : behind[c]});
    }
    queue_ = std::make_unique<EventQueue>(
        "ocean", inputs,
        [this](EventKind kind, int stream) -> const std::vector<int>& {
          return kind == EventKind::record ? expected_[static_cast<std::size_t>(stream)]
                                           : everyone_;
        },
        describe, behind.empty() ? EventQueue::Senders::clients : EventQueue::Senders::gatherers);
  }
  FakeChannel& channel(int client) { return *channels_[static_cast<std::size_t>(client)]; }
  /// `client` makes the call and sends its part if it is expected to.
  void call(int client, int stream, std::int64_t record, std::int64_t step,
            std::int64_t samples = 1) {
    const auto& senders = expected_[static_cast<std::size_t>(stream)];
    const bool sends = std::binary_search(senders.begin(), senders.end(), client);
    stamp(client, EventKind::record, stream, record, step, sends, samples);
  }
  void finalize(int client, std::int64_t step) {
    stamp(client, EventKind::finalize, -1, -1, step, true);
  }
  void stamp(int client, EventKind kind, int stream, std::int64_t record, std::int64_t step,
             bool sends, std::int64_t samples = 0) {
    const std::vector<std::uint8_t> concerns = {1};
    const auto& stamp = timelines_[static_cast<std::size_t>(client)].stamp(kind, stream, record,
                                                                           step, concerns, samples);
    EventHeader header = stamp.header;
    header.sequence = stamp.sequence[0];
    if (sends) channel(client).push(header, {std::byte(client), std::byte(stream)});
  }
  std::vector<int> clients_of(const EventQueue::Event& event) {
    std::vector<int> out;
    for (const auto& part : event.parts) {
      EXPECT_EQ(part.payload.size(), 2U);
      EXPECT_EQ(static_cast<int>(part.payload[0]), part.client);
      out.push_back(part.client);
    }
    return out;
  }
  std::string failure(ErrorCode code) {
    try {
      queue_->next();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      return error.what();
    }
    return "no error";
  }

  std::vector<std::vector<int>> expected_;
  std::vector<int> everyone_;
  std::vector<Timeline> timelines_;
  std::vector<std::unique_ptr<FakeChannel>> channels_;
  std::unique_ptr<EventQueue> queue_;
};

TEST_F(EventQueueTest, OfGatherersItIsSaidWhoseCallsTheyPassOn) {
  open(3, {{0, 1, 2}, {0, 1, 2}}, {{{0, 2}}, {{2, 1}, {7, 1}}, {{1, 2}}});
  call(0, 0, 0, 1);
  EXPECT_FALSE(queue_->next());
  EXPECT_EQ(queue_->waiting_for(),
            "event 0: sent field 'tos' of file 'daily', record 0, step 1: has parts of 1 of 3 "
            "gatherers, waits for gatherers 1 and 2");
  call(1, 1, 0, 1);
  call(2, 0, 0, 1);
  EXPECT_EQ(failure(ErrorCode::mismatch),
            "context 'ocean': clients made different calls at event 0 (gatherers 0 and 2 for "
            "clients 0, 1 and 2 sent field 'tos' of file 'daily', record 0, step 1; gatherer 1 for "
            "clients 2 and 7 sent field 'sss' of file 'daily', record 0, step 1). Do all processes "
            "make the same calls in the same order?");
}

TEST_F(EventQueueTest, OfAGathererThatIsLateItIsSaid) {
  open(2, {{0}, {0, 1}}, {{{0, 1}}, {}});
  call(0, 0, 0, 1);
  ASSERT_TRUE(queue_->next());
  queue_->release();
  EventHeader late;
  late.stream = 1;
  late.record = 0;
  late.hash = event_hash(late);
  channel(1).push(late);
  EXPECT_EQ(failure(ErrorCode::mismatch),
            "context 'ocean': clients made different calls at event 0 (gatherer 1 sent field 'sss' "
            "of file 'daily', record 0, step 0; the others sent field 'tos' of file 'daily', "
            "record 0, step 1). Do all processes make the same calls in the same order?");
}

TEST_F(EventQueueTest, AsksChannelsWhetherTheirSendersHaveBeenTold) {
  open(2, {{0, 1}});
  EXPECT_TRUE(queue_->acks_sent());
  channel(1).acks = false;
  EXPECT_FALSE(queue_->acks_sent());
  channel(1).acks = true;
  EXPECT_TRUE(queue_->acks_sent());
}

TEST_F(EventQueueTest, AnEventIsWholeWhenAllItsPartsAreThere) {
  open(3, {{0, 1, 2}});
  EXPECT_FALSE(queue_->next());
  EXPECT_EQ(queue_->waiting_for(), "");
  call(2, 0, 0, 1);
  call(0, 0, 0, 1);
  EXPECT_FALSE(queue_->next());
  EXPECT_EQ(queue_->waiting_for(),
            "event 0: sent field 'tos' of file 'daily', record 0, step 1: has parts of 2 of 3 "
            "clients, waits for client 1");
  call(1, 0, 0, 1);
  const auto event = queue_->next();
  ASSERT_TRUE(event);
  EXPECT_EQ(clients_of(*event), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(event->header.stream, 0);
  EXPECT_EQ(channel(0).released, 0);
  EXPECT_TRUE(queue_->next()) << "the same event until release()";
  queue_->release();
  for (const int client : everyone_) EXPECT_EQ(channel(client).released, 1);
  EXPECT_FALSE(queue_->next());
}

TEST_F(EventQueueTest, ASyncPointNeedsAllClients) {
  open(2, {{0}});
  stamp(0, EventKind::sync, 0, 3, 6, true);
  EXPECT_FALSE(queue_->next());
  EXPECT_EQ(queue_->waiting_for(),
            "event 0: synchronised file 'daily' after 3 records, step 6: has parts of 1 of 2 "
            "clients, waits for client 1");
  stamp(1, EventKind::sync, 0, 3, 6, true);
  const auto event = queue_->next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->header.kind, EventKind::sync);
  EXPECT_EQ(clients_of(*event), (std::vector<int>{0, 1}));
}

TEST_F(EventQueueTest, EventsComeInOrderThoughChannelsRunAhead) {
  open(2, {{0, 1}, {0}});
  call(0, 0, 0, 1);
  call(0, 1, 0, 1);
  call(0, 0, 1, 2);
  EXPECT_FALSE(queue_->next());
  call(1, 0, 0, 1);
  call(1, 1, 0, 1);
  call(1, 0, 1, 2);
  std::vector<std::int64_t> order;
  while (const auto event = queue_->next()) {
    order.push_back(event->header.event);
    queue_->release();
  }
  EXPECT_EQ(order, (std::vector<std::int64_t>{0, 1, 2}));
}

TEST_F(EventQueueTest, ClientsThatAreNotExpectedSendNothing) {
  open(3, {{1}, {0, 2}});
  for (const int client : everyone_) {
    call(client, 0, 0, 1);
    call(client, 1, 0, 1);
    finalize(client, 1);
  }
  auto event = queue_->next();
  ASSERT_TRUE(event);
  EXPECT_EQ(clients_of(*event), (std::vector<int>{1}));
  queue_->release();
  event = queue_->next();
  ASSERT_TRUE(event);
  EXPECT_EQ(clients_of(*event), (std::vector<int>{0, 2}));
  queue_->release();
  event = queue_->next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->header.kind, EventKind::finalize);
  EXPECT_EQ(event->parts.size(), 3U);
}

TEST_F(EventQueueTest, DifferentCallsNameBothVersionsAndTheirRanks) {
  open(3, {{0, 1, 2}, {0, 1, 2}});
  for (const int client : everyone_) call(client, 0, 0, 6);
  ASSERT_TRUE(queue_->next());
  queue_->release();
  call(0, 0, 3, 12);
  call(2, 0, 3, 12);
  call(1, 1, 3, 12);
  const std::string text =
      "context 'ocean': clients made different calls at event 1 (ranks 0 and 2 sent field 'tos' of "
      "file 'daily', record 3, step 12; rank 1 sent field 'sss' of file 'daily', record 3, step "
      "12). Do all processes make the same calls in the same order?";
  EXPECT_EQ(failure(ErrorCode::mismatch), text);
  EXPECT_EQ(failure(ErrorCode::mismatch), text) << "it stays so";
  EXPECT_EQ(channel(0).released, 1);
}

TEST_F(EventQueueTest, ADifferentStepIsADifferentCall) {
  open(2, {{0, 1}});
  call(0, 0, 0, 1);
  call(1, 0, 0, 2);
  EXPECT_EQ(failure(ErrorCode::mismatch),
            "context 'ocean': clients made different calls at event 0 (rank 0 sent field 'tos' of "
            "file 'daily', record 0, step 1; rank 1 sent field 'tos' of file 'daily', record 0, "
            "step 2). Do all processes make the same calls in the same order?");
}

TEST_F(EventQueueTest, AMissingCallShowsWhenTheClientEnds) {
  open(2, {{0, 1}});
  call(0, 0, 0, 1);
  EXPECT_FALSE(queue_->next());
  finalize(1, 1);
  EXPECT_EQ(failure(ErrorCode::mismatch),
            "context 'ocean': clients made different calls at event 0 (rank 0 sent field 'tos' of "
            "file 'daily', record 0, step 1; rank 1 ended the context, step 1). Do all processes "
            "make the same calls in the same order?");
}

// A mean must not be made from other samples here and there.
TEST_F(EventQueueTest, RecordsOfDifferentSamplesAreDifferentCalls) {
  open(3, {{0, 1, 2}});
  call(0, 0, 0, 4, 4);
  call(1, 0, 0, 4, 3);
  call(2, 0, 0, 4, 4);
  EXPECT_EQ(failure(ErrorCode::mismatch),
            "context 'ocean': clients made different calls at event 0 (ranks 0 and 2 sent field "
            "'tos' of file 'daily', record 0, step 4 (4 samples); rank 1 sent field 'tos' of file "
            "'daily', record 0, step 4 (3 samples)). Do all processes make the same calls in the "
            "same order?");
}

TEST_F(EventQueueTest, AnExpectedClientThatWentPastTheEventIsNamed) {
  // Client 1 sends 'sss', to which it gives no part here, where client 0 sends 'tos'.
  open(2, {{0, 1}, {0}});
  call(1, 1, 0, 1);
  call(1, 0, 0, 2);
  EXPECT_FALSE(queue_->next()) << "client 0 may still send 'sss'";
  call(0, 0, 0, 1);
  EXPECT_EQ(failure(ErrorCode::mismatch),
            "context 'ocean': clients made different calls at event 0 (rank 0 sent field 'tos' of "
            "file 'daily', record 0, step 1; rank 1 sent field 'tos' of file 'daily', record 0, "
            "step 2 as its event 1). Do all processes make the same calls in the same order?");
}

TEST_F(EventQueueTest, ACallOfSomeoneNotExpectedIsSeenWhileOthersAreAwaited) {
  open(3, {{0, 1}, {2}});
  call(0, 0, 0, 1);
  EXPECT_FALSE(queue_->next());
  call(2, 1, 0, 1);
  EXPECT_EQ(failure(ErrorCode::mismatch),
            "context 'ocean': clients made different calls at event 0 (rank 0 sent field 'tos' of "
            "file 'daily', record 0, step 1; rank 2 sent field 'sss' of file 'daily', record 0, "
            "step 1). Do all processes make the same calls in the same order?");
}

TEST_F(EventQueueTest, ACallThatComesTooLateIsSeen) {
  open(2, {{0}, {1}});
  call(0, 0, 0, 1);
  ASSERT_TRUE(queue_->next());
  queue_->release();
  call(1, 1, 0, 1);
  EXPECT_EQ(failure(ErrorCode::mismatch),
            "context 'ocean': clients made different calls at event 0 (rank 1 sent field 'sss' of "
            "file 'daily', record 0, step 1; the others sent field 'tos' of file 'daily', record "
            "0, step 1). Do all processes make the same calls in the same order?");
}

TEST_F(EventQueueTest, AnEventThatAllArePastNeverComes) {
  open(2, {{0, 1}, {}});
  for (const int client : everyone_) {
    call(client, 1, 0, 1);
    call(client, 0, 0, 1);
  }
  EXPECT_EQ(failure(ErrorCode::mismatch),
            "context 'ocean': clients made different calls at event 0 (ranks 0 and 1 sent field "
            "'tos' of file 'daily', record 0, step 1 as its event 1). Do all processes make the "
            "same calls in the same order?");
}

TEST_F(EventQueueTest, APartOfSomeoneNotExpectedIsAProtocolError) {
  open(2, {{0}});
  call(0, 0, 0, 1);
  stamp(1, EventKind::record, 0, 0, 1, true, 1);
  EXPECT_EQ(failure(ErrorCode::protocol),
            "context 'ocean': client 1 sent a part of event 0, sent field 'tos' of file 'daily', "
            "record 0, step 1 (which this server does not expect from it). Do all clients and "
            "servers see the same configuration?");
}

TEST_F(EventQueueTest, ADamagedPartNamesTheClient) {
  open(2, {{0, 1}});
  call(1, 0, 0, 1);
  channel(1).parts.front()[20] = std::byte{1};
  EXPECT_EQ(failure(ErrorCode::protocol),
            "context 'ocean': client 1: received a part that is not an event's (its hash does not "
            "fit its members). Are all programs of this job linked with the same EPIOS?");
}

TEST_F(EventQueueTest, ManyRanksAreCut) {
  std::vector<int> all(40);
  for (int i = 0; i < 40; ++i) all[static_cast<std::size_t>(i)] = i;
  open(40, {all, all});
  for (const int client : everyone_) call(client, client == 17 ? 1 : 0, 0, 1);
  EXPECT_EQ(failure(ErrorCode::mismatch),
            "context 'ocean': clients made different calls at event 0 (ranks 0, 1, 2, 3 and 35 "
            "others sent field 'tos' of file 'daily', record 0, step 1; rank 17 sent field 'sss' "
            "of file 'daily', record 0, step 1). Do all processes make the same calls in the same "
            "order?");
}

TEST_F(EventQueueTest, DiscardReleasesEverythingUnseen) {
  open(2, {{0, 1}, {0, 1}});
  call(0, 0, 0, 1);
  call(1, 1, 0, 1);
  EXPECT_NE(failure(ErrorCode::mismatch), "no error");
  std::vector<std::int64_t> thrown_away;
  queue_->discard([&](const EventHeader& header) { thrown_away.push_back(header.record); });
  EXPECT_EQ(channel(0).released, 1);
  EXPECT_EQ(channel(1).released, 1);
  call(0, 1, 0, 1);
  call(0, 1, 1, 2);
  channel(1).parts.emplace_back(std::vector<std::byte>(3));
  EXPECT_FALSE(queue_->next());
  EXPECT_EQ(channel(0).released, 3);
  EXPECT_EQ(channel(1).released, 2);
  EXPECT_EQ(queue_->waiting_for(), "");
  EXPECT_EQ(thrown_away, (std::vector<std::int64_t>{0, 0, 0, 1})) << "all that could be read";
}

TEST_F(EventQueueTest, ABrokenChannelNamesItsClientAndIsLeftAlone) {
  open(2, {{0, 1}});
  channel(1).broken = true;
  EXPECT_EQ(failure(ErrorCode::communication),
            "context 'ocean': channel of client 1: the cable is cut");
  call(0, 0, 0, 1);
  int thrown_away = 0;
  queue_->discard([&](const EventHeader&) { ++thrown_away; });
  EXPECT_FALSE(queue_->next());
  EXPECT_EQ(thrown_away, 1);
}

TEST_F(EventQueueTest, DiscardGivesAHeldEventBack) {
  open(2, {{0, 1}});
  call(0, 0, 0, 1);
  call(1, 0, 0, 1);
  ASSERT_TRUE(queue_->next());
  queue_->discard([](const EventHeader&) {});
  EXPECT_EQ(channel(0).released, 1);
  queue_->release();
  EXPECT_EQ(channel(0).released, 1) << "nothing is held any more";
}

TEST_F(EventQueueTest, KnownFrontsAreNotAskedAgain) {
  open(2, {{0, 1}});
  call(0, 0, 0, 1);
  queue_->next();
  const int polls = channel(0).polls;
  for (int i = 0; i < 10; ++i) queue_->next();
  EXPECT_EQ(channel(0).polls, polls);
}

TEST_F(EventQueueTest, AnyInterleavingGivesTheSameOrder) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto pick = [&](int most) { return static_cast<int>(random() % unsigned(most)); };
    everyone_.clear(), timelines_.clear(), channels_.clear();
    const int clients = 1 + pick(5);
    std::vector<std::vector<int>> expected(4);
    for (auto& senders : expected) {
      for (int client = 0; client < clients; ++client) {
        if (pick(2) == 0) senders.push_back(client);
      }
      if (senders.empty()) senders.push_back(pick(clients));
    }
    open(clients, expected);
    std::vector<int> streams(30);
    for (int& stream : streams) stream = pick(4);
    std::vector<std::size_t> done(static_cast<std::size_t>(clients));
    std::vector<int> seen;
    while (seen.size() < streams.size()) {
      const int client = pick(clients);
      auto& position = done[static_cast<std::size_t>(client)];
      if (position < streams.size()) {
        call(client, streams[position], static_cast<std::int64_t>(position), 0);
        ++position;
      }
      while (const auto event = queue_->next()) {
        EXPECT_EQ(clients_of(*event), expected_[static_cast<std::size_t>(event->header.stream)]);
        EXPECT_EQ(event->header.record, static_cast<std::int64_t>(seen.size()));
        seen.push_back(event->header.stream);
        queue_->release();
      }
    }
    EXPECT_EQ(seen, streams);
  }
}

}  // namespace
}  // namespace epios::io::event_queue_test
