#include "event/wire.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

#include "config/error.hpp"
#include "event/opening.hpp"

namespace epios::io::wire_test {
namespace {

using Bytes = std::vector<std::byte>;

OpenContext sample_open() {
  OpenContext message;
  message.context_id = "ocean";
  message.model = Bytes(37, std::byte{9});
  message.opening = (std::uint64_t{3} << 32U) + 1;
  message.forms.axes = {{.has_values = true}, {.label_bytes = 12}};
  message.forms.domains = {{.has_lon = true, .has_bounds_lat = true, .has_area = true}};
  message.clients = {3, 4, 9};
  message.parts = {3, 1};
  message.shared_record_bytes = 1'000'000;
  message.choice.writers = {{{0, 2}, {1}}, {}, {{3}}, {}};
  message.choice.readers = {{}, {{4, 5}}};
  message.choice.gatherers = {6, 7};
  message.buffer_bytes = -1;
  message.patience_s = 0.5;
  message.give_up_s = 7;
  message.metrics_file = "run.prom";
  message.stop_on_signal = "TERM+USR2";
  message.repeated = std::int64_t{3} << 32U;
  message.carrier = 3;
  return message;
}

OpenReply sample_reply() {
  RequestedPoints some;
  some.points = RequestedPoints::Points::some;
  some.positions = {{{0, 2}, {7, 1}}, {}, {{3, 300}}};
  RequestedPoints all;
  all.points = RequestedPoints::Points::all;
  const std::vector<Remark> remarks = {{"a.nc", "points", 3, {"(1)", "(2, 5)"}, "So?"},
                                       {"", "none", 0, {}, ""}};
  return {5, "no memory", Bytes(11, std::byte{1}), {RequestedPoints{}, some, all}, remarks};
}

ContextReport sample_report() {
  const RecordSet first({{0, 6}});
  FileReport whole = {"out/daily.nc",
                      4096,
                      "full",
                      {{"tos", first, RecordSet({{6, 7}, {9, 10}})}, {"sos", first, {}}}};
  whole.file = 3;
  whole.writing_s = 2.5;
  const FileReport empty = {"b.nc", 0, "", {}};
  return {5, true, true, 6, "disk full", {whole, empty}, {4, 60, 2, 30}, {{2, 7, 0}, {0, 1, 9}},
          15};
}

TEST(Wire, OpenContextComesBack) {
  const OpenContext wanted = sample_open();
  const OpenContext got = decode_open_context(encode(wanted));
  EXPECT_EQ(got.context_id, wanted.context_id);
  EXPECT_EQ(got.model, wanted.model);
  EXPECT_EQ(got.opening, wanted.opening);
  EXPECT_EQ(got.forms, wanted.forms);
  EXPECT_EQ(got.clients, wanted.clients);
  EXPECT_EQ(got.parts, wanted.parts);
  EXPECT_EQ(got.shared_record_bytes, wanted.shared_record_bytes);
  EXPECT_EQ(got.choice, wanted.choice);
  EXPECT_EQ(got.buffer_bytes, wanted.buffer_bytes);
  EXPECT_EQ(got.patience_s, wanted.patience_s);
  EXPECT_EQ(got.give_up_s, wanted.give_up_s);
  EXPECT_EQ(got.metrics_file, wanted.metrics_file);
  EXPECT_EQ(got.stop_on_signal, wanted.stop_on_signal);
  EXPECT_EQ(got.repeated, wanted.repeated);
  EXPECT_EQ(got.carrier, wanted.carrier);
}

TEST(Wire, OpenReplyComesBack) {
  const OpenReply wanted = sample_reply();
  const OpenReply got = decode_open_reply(encode(wanted));
  EXPECT_EQ(got.context, wanted.context);
  EXPECT_EQ(got.error, wanted.error);
  EXPECT_EQ(got.offer, wanted.offer);
  EXPECT_EQ(got.remarks, wanted.remarks);
  ASSERT_EQ(got.asked.size(), wanted.asked.size());
  for (std::size_t g = 0; g < got.asked.size(); ++g) {
    EXPECT_EQ(got.asked[g].points, wanted.asked[g].points);
    EXPECT_EQ(got.asked[g].positions, wanted.asked[g].positions);
  }
}

TEST(Wire, ContextReportComesBack) {
  const ContextReport wanted = sample_report();
  const ContextReport got = decode_context_report(encode(wanted));
  EXPECT_EQ(got.context, wanted.context);
  EXPECT_EQ(got.closed, wanted.closed);
  EXPECT_EQ(got.failed, wanted.failed);
  EXPECT_EQ(got.error_code, wanted.error_code);
  EXPECT_EQ(got.error, wanted.error);
  EXPECT_EQ(got.infinite, wanted.infinite);
  EXPECT_EQ(got.stop_signal, 15);
  ASSERT_EQ(got.files.size(), 2U);
  EXPECT_EQ(got.files[0].path, "out/daily.nc");
  EXPECT_EQ(got.files[0].records_written(), 12);
  EXPECT_EQ(losses_text(got.files[0]), "tos 2");
  EXPECT_EQ(got.files[0].fields[0].lost, wanted.files[0].fields[0].lost);
  EXPECT_EQ(losses_text(got.files[1]), "");
  EXPECT_EQ(got.files[0].bytes, 4096);
  EXPECT_EQ(got.files[0].error, "full");
  EXPECT_EQ(got.files[0].writing_s, 2.5);
  EXPECT_EQ(got.files[1].path, "b.nc");
  EXPECT_EQ(got.load.server, 4);
  EXPECT_EQ(got.load.open_s, 60);
  EXPECT_EQ(got.load.busy_s, 2);
  EXPECT_EQ(got.load.writing_s, 30);
}

TEST(Wire, ContextOpenedComesBack) {
  EXPECT_EQ(decode_context_opened(encode(ContextOpened{8})).context, 8U);
}

TEST(Wire, GoodbyeComesBack) {
  const Goodbye got = decode_goodbye(encode(Goodbye{true, "exception"}));
  EXPECT_TRUE(got.aborted);
  EXPECT_EQ(got.reason, "exception");
}

TEST(Wire, KindIsKnownBeforeDecoding) {
  EXPECT_EQ(message_kind(encode(OpeningPart{})), MessageKind::opening_part);
  EXPECT_EQ(message_kind(encode(Passed{})), MessageKind::passed);
  EXPECT_EQ(message_kind(encode(sample_open())), MessageKind::open_context);
  EXPECT_EQ(message_kind(encode(sample_reply())), MessageKind::open_reply);
  EXPECT_EQ(message_kind(encode(ContextOpened{})), MessageKind::context_opened);
  EXPECT_EQ(message_kind(encode(sample_report())), MessageKind::context_report);
  EXPECT_EQ(message_kind(encode(Goodbye{})), MessageKind::goodbye);
  EXPECT_EQ(message_kind(encode(InPieces{1})), MessageKind::in_pieces);
}

TEST(Wire, MessagesHaveTheFrontOfTheWireFormat) {
  const Bytes bytes = encode(Goodbye{});
  const Bytes front = {std::byte{'E'}, std::byte{'I'}, std::byte{'P'},
                       std::byte{'M'}, std::byte{29},  std::byte{0},
                       std::byte{0},   std::byte{0},   std::byte{6}};
  EXPECT_EQ(Bytes(bytes.begin(), bytes.begin() + 9), front);
}

std::string refusal(const Bytes& bytes) {
  try {
    decode_goodbye(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::protocol);
    return error.what();
  }
  return "accepted";
}

TEST(Wire, RefusalsSayWhy) {
  const std::string head = "received a message that cannot be understood (";
  const std::string tail = "). Are all programs of this job linked with the same EPIOS?";
  const Bytes good = encode(Goodbye{});
  Bytes bytes = good;
  bytes[0] = std::byte{0};
  EXPECT_EQ(refusal(bytes), head + "it begins with 0x4d504900" + tail);
  bytes = good;
  bytes[4] = std::byte{1};
  EXPECT_EQ(refusal(bytes), head + "its version is 1, understood is 29" + tail);
  bytes = good;
  bytes[8] = std::byte{99};
  EXPECT_EQ(refusal(bytes), head + "its kind is 99" + tail);
  bytes[8] = std::byte{1};
  EXPECT_EQ(refusal(bytes), head + "its kind is 1, expected was 6" + tail);
  bytes = good;
  bytes[9] = std::byte{7};
  EXPECT_EQ(refusal(bytes), head + "a flag has the value 7" + tail);
  bytes = good;
  bytes.resize(bytes.size() + 1);
  EXPECT_EQ(refusal(bytes), head + "it is longer than its content" + tail);
  EXPECT_EQ(refusal({}).substr(0, 32), "message is shorter than it says ");
}

TEST(Wire, PassedComesBack) {
  const Passed got = decode_passed(encode(Passed{4, 1234567890123}));
  EXPECT_EQ(got.context, 4U);
  EXPECT_EQ(got.event, 1234567890123);
}

std::vector<config::FileFacts> facts() {
  config::FileFacts file;
  file.path = "a.nc";
  file.exists = true;
  file.dimensions = {{"time", 3, true}, {"x", 4, false}};
  file.variables = {{"sst", true, {0, 1}, {{"coordinates", "lon lat"}}}};
  return {file};
}

TEST(Wire, InspectAndInspectedComeBack) {
  const Inspect asked = decode_inspect(encode(Inspect{{{"a.nc", {"sst", "x"}}, {"b.nc", {}}}}));
  ASSERT_EQ(asked.files.size(), 2U);
  EXPECT_EQ(asked.files[0], (config::FileQuestion{"a.nc", {"sst", "x"}}));
  const Inspected told = decode_inspected(encode(Inspected{facts()}));
  ASSERT_EQ(told.files.size(), 1U);
  EXPECT_EQ(told.files[0].shape(told.files[0].variables[0]), (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(told.files[0].variables[0].attribute("coordinates"), "lon lat");
}

TEST(Wire, AnswerChannelComesBack) {
  const AnswerChannel got =
      decode_answer_channel(encode(AnswerChannel{4, 7, Bytes{std::byte{1}, std::byte{2}}}));
  EXPECT_EQ(got.context, 4U);
  EXPECT_EQ(got.client, 7);
  EXPECT_EQ(got.offer, (Bytes{std::byte{1}, std::byte{2}}));
}

/// Every message with the call that decodes it.
struct Case {
  Bytes bytes;
  std::function<void(const Bytes&)> decode;
};

std::vector<Case> cases() {
  return {{encode(Passed{1, 2}), [](const Bytes& b) { decode_passed(b); }},
          {encode(AnswerChannel{1, 2, Bytes(9)}), [](const Bytes& b) { decode_answer_channel(b); }},
          {encode(Inspect{{{"a.nc", {"sst"}}}}), [](const Bytes& b) { decode_inspect(b); }},
          {encode(Inspected{facts()}), [](const Bytes& b) { decode_inspected(b); }},
          {encode(InPieces{7}), [](const Bytes& b) { decode_in_pieces(b); }},
          {encode(sample_open()), [](const Bytes& b) { decode_open_context(b); }},
          {encode(sample_reply()), [](const Bytes& b) { decode_open_reply(b); }},
          {encode(ContextOpened{8}), [](const Bytes& b) { decode_context_opened(b); }},
          {encode(sample_report()), [](const Bytes& b) { decode_context_report(b); }},
          {encode(Goodbye{true, "why"}), [](const Bytes& b) { decode_goodbye(b); }}};
}

TEST(Wire, EveryTruncationIsRefused) {
  for (const Case& message : cases()) {
    for (std::size_t size = 0; size < message.bytes.size(); ++size) {
      const Bytes cut(message.bytes.begin(),
                      message.bytes.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_THROW(message.decode(cut), Error) << size;
    }
  }
}

TEST(Wire, MutationsNeverCrash) {
  std::mt19937 random(20260101);
  int refused = 0;
  int accepted = 0;
  for (const Case& message : cases()) {
    for (int round = 0; round < 4000; ++round) {
      Bytes bytes = message.bytes;
      for (unsigned flips = 1 + random() % 4; flips > 0; --flips) {
        bytes[random() % bytes.size()] = std::byte(random() & 0xFFU);
      }
      if (random() % 8 == 0) bytes.resize(random() % (bytes.size() + 8));
      try {
        message.decode(bytes);
        ++accepted;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::protocol);
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(accepted, 1000);  // values may change, the shape may not
}

}  // namespace
}  // namespace epios::io::wire_test
