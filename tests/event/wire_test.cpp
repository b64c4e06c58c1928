#include "event/wire.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

#include "config/error.hpp"

namespace epios::io {
namespace {

using Bytes = std::vector<std::byte>;

ClientPart sample_part(int rank) {
  ClientPart part;
  part.remote_rank = rank;
  part.boxes = {Box{}, Box{{3, 0}, {2, 10}}};
  part.axes = {{4, {1.5, 2.5}, {1, 2, 2, 3}}, {0, {}, {}}};
  part.lon = {{0, {0.5}, {}}};
  part.lat = {{3, {}, {1, 2}}};
  return part;
}

OpenContext sample_open() {
  OpenContext message;
  message.context_id = "ocean";
  message.model = Bytes(37, std::byte{9});
  message.clients = {sample_part(0), sample_part(1)};
  message.shared_record_bytes = 1'000'000;
  message.buffer_bytes = -1;
  message.patience_s = 0.5;
  message.carrier = 3;
  return message;
}

OpenReply sample_reply() { return {5, "no memory", Bytes(11, std::byte{1}), {1, 0, 1}, {0, 0, 1}}; }

ContextReport sample_report() {
  const RecordSet first({{0, 6}});
  const FileReport whole = {"out/daily.nc",
                            4096,
                            "full",
                            {{"tos", first, RecordSet({{6, 7}, {9, 10}})}, {"sos", first, {}}}};
  const FileReport empty = {"b.nc", 0, "", {}};
  return {5, true, true, 6, "disk full", {whole, empty}};
}

bool equal(const CoordinatePart& a, const CoordinatePart& b) {
  return a.begin == b.begin && a.values == b.values && a.bounds == b.bounds;
}

bool equal(const std::vector<CoordinatePart>& a, const std::vector<CoordinatePart>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}

bool equal(const ClientPart& a, const ClientPart& b) {
  return a.remote_rank == b.remote_rank && a.boxes == b.boxes && equal(a.axes, b.axes) &&
         equal(a.lon, b.lon) && equal(a.lat, b.lat);
}

TEST(Wire, ClientPartComesBack) {
  EXPECT_TRUE(equal(decode_client_part(encode(sample_part(3))), sample_part(3)));
}

TEST(Wire, OpenContextComesBack) {
  const OpenContext wanted = sample_open();
  const OpenContext got = decode_open_context(encode(wanted));
  EXPECT_EQ(got.context_id, wanted.context_id);
  EXPECT_EQ(got.model, wanted.model);
  ASSERT_EQ(got.clients.size(), 2U);
  EXPECT_TRUE(equal(got.clients[1], wanted.clients[1]));
  EXPECT_EQ(got.shared_record_bytes, wanted.shared_record_bytes);
  EXPECT_EQ(got.buffer_bytes, wanted.buffer_bytes);
  EXPECT_EQ(got.patience_s, wanted.patience_s);
  EXPECT_EQ(got.carrier, wanted.carrier);
}

TEST(Wire, OpenReplyComesBack) {
  const OpenReply wanted = sample_reply();
  const OpenReply got = decode_open_reply(encode(wanted));
  EXPECT_EQ(got.context, wanted.context);
  EXPECT_EQ(got.error, wanted.error);
  EXPECT_EQ(got.offer, wanted.offer);
  EXPECT_EQ(got.concerned, wanted.concerned);
  EXPECT_EQ(got.expected, wanted.expected);
}

TEST(Wire, ContextReportComesBack) {
  const ContextReport wanted = sample_report();
  const ContextReport got = decode_context_report(encode(wanted));
  EXPECT_EQ(got.context, wanted.context);
  EXPECT_EQ(got.closed, wanted.closed);
  EXPECT_EQ(got.failed, wanted.failed);
  EXPECT_EQ(got.error_code, wanted.error_code);
  EXPECT_EQ(got.error, wanted.error);
  ASSERT_EQ(got.files.size(), 2U);
  EXPECT_EQ(got.files[0].path, "out/daily.nc");
  EXPECT_EQ(got.files[0].records_written(), 12);
  EXPECT_EQ(losses_text(got.files[0]), "tos 2");
  EXPECT_EQ(got.files[0].fields[0].lost, wanted.files[0].fields[0].lost);
  EXPECT_EQ(losses_text(got.files[1]), "");
  EXPECT_EQ(got.files[0].bytes, 4096);
  EXPECT_EQ(got.files[0].error, "full");
  EXPECT_EQ(got.files[1].path, "b.nc");
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
  EXPECT_EQ(message_kind(encode(sample_part(0))), MessageKind::client_part);
  EXPECT_EQ(message_kind(encode(sample_open())), MessageKind::open_context);
  EXPECT_EQ(message_kind(encode(sample_reply())), MessageKind::open_reply);
  EXPECT_EQ(message_kind(encode(ContextOpened{})), MessageKind::context_opened);
  EXPECT_EQ(message_kind(encode(sample_report())), MessageKind::context_report);
  EXPECT_EQ(message_kind(encode(Goodbye{})), MessageKind::goodbye);
}

TEST(Wire, MessagesHaveTheFrontOfTheWireFormat) {
  const Bytes bytes = encode(Goodbye{});
  const Bytes front = {std::byte{'E'}, std::byte{'I'}, std::byte{'P'}, std::byte{'M'}, std::byte{3},
                       std::byte{0},   std::byte{0},   std::byte{0},   std::byte{6}};
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
  EXPECT_EQ(refusal(bytes), head + "its version is 1, understood is 3" + tail);
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

TEST(Wire, BoxesWithoutMeaningAreRefused) {
  ClientPart part;
  for (const Box& box : {Box{{-1}, {2}}, Box{{0}, {-1}}, Box{{0, 0}, {1}}, Box{{INT64_MAX}, {1}},
                         Box{{0, 0}, {INT64_MAX, 2}}}) {
    part.boxes = {box};
    EXPECT_THROW(decode_client_part(encode(part)), Error);
  }
}

/// Every message with the call that decodes it.
struct Case {
  Bytes bytes;
  std::function<void(const Bytes&)> decode;
};

std::vector<Case> cases() {
  return {{encode(sample_part(1)), [](const Bytes& b) { decode_client_part(b); }},
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
}  // namespace epios::io
