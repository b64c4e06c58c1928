#include "event/event.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <set>
#include <vector>

#include "config/error.hpp"

namespace epios::io::event_test {
namespace {

using Concerns = std::vector<std::uint8_t>;

std::vector<std::byte> part(const EventHeader& header) {
  std::vector<std::byte> out(part_bytes(header.payload_bytes));
  write_header(out, header);
  return out;
}

EventHeader sample() {
  Timeline timeline(7, 1);
  timeline.stamp(EventKind::record, 3, 0, 1, Concerns{1});
  EventHeader header = timeline.stamp(EventKind::record, 2, 5, 12, Concerns{1}, 24).header;
  header.sequence = 1;
  header.payload_bytes = 16;
  return header;
}

std::string refusal(const std::vector<std::byte>& bytes) {
  try {
    read_header(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::protocol);
    return error.what();
  }
  return "accepted";
}

TEST(Timeline, NumbersEventsAndTheSequenceOfEachServer) {
  Timeline timeline(3, 2);
  const auto& first = timeline.stamp(EventKind::record, 0, 0, 1, Concerns{1, 0});
  EXPECT_EQ(first.header.event, 0);
  EXPECT_EQ(first.header.context, 3U);
  EXPECT_EQ(first.sequence, (std::vector<std::int64_t>{0, -1}));
  EXPECT_EQ(timeline.stamp(EventKind::record, 1, 0, 1, Concerns{0, 0}).sequence,
            (std::vector<std::int64_t>{-1, -1}));
  const auto& third = timeline.stamp(EventKind::finalize, -1, -1, 2, Concerns{1, 1});
  EXPECT_EQ(third.header.event, 2);
  EXPECT_EQ(third.header.kind, EventKind::finalize);
  EXPECT_EQ(third.sequence, (std::vector<std::int64_t>{1, 0}));
}

TEST(Timeline, WantsToKnowAboutAllServers) {
  Timeline timeline(0, 2);
  EXPECT_THROW(timeline.stamp(EventKind::record, 0, 0, 0, Concerns{1}), Error);
}

TEST(Header, ComesBackAsItWasWritten) {
  const EventHeader header = sample();
  const EventHeader back = read_header(part(header));
  EXPECT_EQ(std::memcmp(&header, &back, sizeof header), 0);
}

TEST(Header, HasTheLayoutOfTheWireFormat) {
  const auto bytes = part(sample());
  EXPECT_EQ(std::memcmp(bytes.data(), "VEPE", 4), 0);  // 0x45504556, little-endian
  EXPECT_EQ(static_cast<int>(bytes[4]), 6);            // version
  EXPECT_EQ(static_cast<int>(bytes[6]), 1);            // kind
  EXPECT_EQ(static_cast<int>(bytes[8]), 7);            // context
  EXPECT_EQ(static_cast<int>(bytes[12]), 2);           // stream
  EXPECT_EQ(static_cast<int>(bytes[16]), 5);           // record
  EXPECT_EQ(static_cast<int>(bytes[24]), 12);          // step
  EXPECT_EQ(static_cast<int>(bytes[32]), 1);           // event
  EXPECT_EQ(static_cast<int>(bytes[40]), 1);           // sequence
  EXPECT_EQ(static_cast<int>(bytes[52]), 24);          // samples
  EXPECT_EQ(static_cast<int>(bytes[56]), 16);          // payload bytes
}

TEST(Header, HashCoversExactlyWhatMustAgree) {
  std::set<std::uint32_t> hashes;
  EventHeader header = sample();
  hashes.insert(event_hash(header));
  const auto differs = [&](auto change) {
    EventHeader other = sample();
    change(other);
    return hashes.insert(event_hash(other)).second;
  };
  EXPECT_TRUE(differs([](EventHeader& h) { h.kind = EventKind::finalize; }));
  EXPECT_TRUE(differs([](EventHeader& h) { h.kind = EventKind::sync; }));
  EXPECT_TRUE(differs([](EventHeader& h) { h.kind = EventKind::left_out; }));
  EXPECT_TRUE(differs([](EventHeader& h) { ++h.stream; }));
  EXPECT_TRUE(differs([](EventHeader& h) { ++h.record; }));
  EXPECT_TRUE(differs([](EventHeader& h) { ++h.samples; }));
  EXPECT_TRUE(differs([](EventHeader& h) { ++h.step; }));
  EXPECT_TRUE(differs([](EventHeader& h) { ++h.event; }));
  EXPECT_TRUE(differs([](EventHeader& h) { std::swap(h.record, h.step); }));
  EXPECT_FALSE(differs([](EventHeader& h) { ++h.sequence; }));
  EXPECT_FALSE(differs([](EventHeader& h) { ++h.payload_bytes; }));
}

TEST(Header, DamageIsNamed) {
  const auto good = part(sample());
  const std::string advice = " Are all programs of this job linked with the same EPIOS?";
  auto bytes = good;
  bytes.resize(10);
  EXPECT_EQ(refusal(bytes),
            "received a part that is not an event's (10 bytes are less than a header)." + advice);
  bytes = good;
  bytes[0] = std::byte{0};
  EXPECT_EQ(refusal(bytes),
            "received a part that is not an event's (it begins with 0x45504500)." + advice);
  bytes = good;
  bytes[4] = std::byte{9};
  EXPECT_EQ(refusal(bytes),
            "received a part that is not an event's (its version is 9, understood is 6)." + advice);
  bytes = good;
  bytes[6] = std::byte{77};
  EXPECT_EQ(refusal(bytes), "received a part that is not an event's (its kind is 77)." + advice);
  bytes = good;
  bytes.resize(bytes.size() + 1);
  EXPECT_EQ(
      refusal(bytes),
      "received a part that is not an event's (it says 16 bytes of payload and has 17)." + advice);
  bytes = good;
  bytes[16] = std::byte{6};
  EXPECT_EQ(refusal(bytes),
            "received a part that is not an event's (its hash does not fit its members)." + advice);
}

TEST(Header, MustFitTheReservedPart) {
  std::vector<std::byte> bytes(part_bytes(8));
  EXPECT_THROW(write_header(bytes, sample()), Error);
}

}  // namespace
}  // namespace epios::io::event_test
