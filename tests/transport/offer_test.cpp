#include "offer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ep/ep.hpp>

namespace epios::io::offer_test {
namespace {

using ::testing::HasSubstr;

std::string error_of(auto&& action) {
  try {
    action();
  } catch (const ep::Error& error) {
    return error.what();
  }
  return "no error";
}

OfferedChannel example() {
  OfferedChannel channel;
  channel.carrier = CarrierKind::shared_memory;
  channel.layout = RingLayout::of(1'000'000, 2);
  channel.peer = 17;
  channel.tag = 300;
  channel.token = process_token();
  channel.address = 0x7fff12345678;
  channel.offset = 8192;
  channel.segment_bytes = 12'000'000;
  channel.segment_name = "/epios-1234-0123456789abcdef";
  channel.displacement = 0x7fff87654321;
  return channel;
}

TEST(Offer, SurvivesEncoding) {
  const OfferedChannel in = example();
  const OfferedChannel out = decode(encode(in));
  EXPECT_EQ(out.carrier, in.carrier);
  EXPECT_EQ(out.layout, in.layout);
  EXPECT_EQ(out.peer, in.peer);
  EXPECT_EQ(out.tag, in.tag);
  EXPECT_EQ(out.token, in.token);
  EXPECT_EQ(out.address, in.address);
  EXPECT_EQ(out.offset, in.offset);
  EXPECT_EQ(out.segment_bytes, in.segment_bytes);
  EXPECT_EQ(out.segment_name, in.segment_name);
  EXPECT_EQ(out.displacement, in.displacement);
}

TEST(Offer, OfAnotherVersionIsRefusedByNumber) {
  ChannelOffer offer = encode(example());
  offer[8] = std::byte{9};  // the version follows the eight bytes of magic
  EXPECT_EQ(
      error_of([&] { decode(offer); }),
      "client and server cannot be connected (the server offers channels of version 9, this client "
      "knows version 3). Are both of the same release?");
  offer.resize(12);  // another version may have another length
  EXPECT_THAT(error_of([&] { decode(offer); }), HasSubstr("of version 9"));
}

TEST(Offer, EveryDamagedByteIsNoticed) {
  const ChannelOffer good = encode(example());
  for (std::size_t i = 0; i < good.size(); ++i) {
    ChannelOffer offer = good;
    offer[i] ^= std::byte{0x10};
    EXPECT_NE(error_of([&] { decode(offer); }), "no error") << "byte " << i;
  }
}

TEST(Offer, EveryWrongLengthIsNoticed) {
  const ChannelOffer good = encode(example());
  for (std::size_t length = 0; length < good.size(); ++length) {
    const ChannelOffer offer(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_THAT(error_of([&] { decode(offer); }), HasSubstr("cannot be read"))
        << length << " bytes";
  }
  ChannelOffer longer = good;
  longer.push_back(std::byte{0});
  EXPECT_EQ(
      error_of([&] { decode(longer); }),
      "a channel's offer cannot be read (it has the wrong length). Did its bytes arrive whole?");
}

TEST(Offer, NamesThatDoNotFitAreRefused) {
  OfferedChannel channel = example();
  channel.segment_name.assign(100, 'x');
  EXPECT_THAT(error_of([&] { encode(channel); }), HasSubstr("does not fit an offer"));
}

}  // namespace
}  // namespace epios::io::offer_test
