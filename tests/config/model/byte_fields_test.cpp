#include "config/byte_fields.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "config/error.hpp"

namespace epios::config::byte_fields_test {

enum class Color : std::uint8_t { red = 1, green, blue };

struct Item {
  std::string name;
  std::vector<double> values;
  bool operator==(const Item&) const = default;
};

struct Message {
  std::int64_t number = 0;
  bool flag = false;
  Color color = Color::red;
  bool a = false, b = false, c = false;
  std::vector<Item> items;
  std::vector<std::vector<int>> groups;
  std::vector<std::string> beside;  // as many as items
  std::string text;                 // on the wire as its length alone
  bool operator==(const Message&) const = default;
};

template <class Archive>
void fields(Archive& archive, Described<Item> auto& item) {
  archive(item.name, item.values);
}

template <class Archive>
void fields(Archive& archive, Described<Message> auto& message) {
  archive(message.number, message.flag);
  archive.one_of(message.color, Color::red, Color::blue, "its color is");
  archive.bits(message.a, message.b, message.c);
  archive(message.items, message.groups);
  archive.items(message.beside, message.items.size());
  archive.as(
      message.text, [](const std::string& text) { return std::uint64_t{text.size()}; },
      [](std::uint64_t size) { return std::string(size, 'x'); });
  archive.check(message.number >= 0, "its number is negative");
}

namespace {

using Bytes = std::vector<std::byte>;

Bytes write(const Message& message) {
  ByteWriter writer;
  FieldWriter archive(writer);
  fields(archive, message);
  return writer.take();
}

Message read(const Bytes& bytes) {
  ByteReader reader(bytes);
  FieldReader archive(reader, "a sample");
  Message message;
  fields(archive, message);
  EXPECT_TRUE(reader.at_end());
  return message;
}

std::string problem_of(const Bytes& bytes) {
  try {
    read(bytes);
  } catch (const Error& error) {
    const std::string text = error.what();
    const std::string before = "a sample cannot be understood (";
    const auto end = text.find("). Are all programs of this job linked with the same EPIOS?");
    if (text.starts_with(before) && end != std::string::npos) {
      return text.substr(before.size(), end - before.size());
    }
  }
  return "none";
}

Message sample() {
  return {7,
          true,
          Color::blue,
          true,
          false,
          true,
          {{"one", {1, 2}}, {"", {}}},
          {{1}, {}},
          {"first", "second"},
          "xxx"};
}

constexpr std::size_t flag_at = 8, color_at = 9, bits_at = 10, items_at = 11;

TEST(ByteFields, WhatIsWrittenComesBack) {
  EXPECT_EQ(read(write(sample())), sample());
  EXPECT_EQ(read(write({})), Message{});
}

TEST(ByteFields, BytesAreThoseOfTheMembersInTheirOrder) {
  ByteWriter by_hand;
  by_hand.put(std::int64_t{7});
  by_hand.put(true);
  by_hand.put(Color::blue);
  by_hand.put(std::uint8_t{5});
  by_hand.put(std::uint64_t{2});
  by_hand.put(std::string_view("one"));
  by_hand.put(std::vector<double>{1, 2});
  by_hand.put(std::string_view());
  by_hand.put(std::vector<double>{});
  by_hand.put(std::uint64_t{2});
  by_hand.put(std::vector<int>{1});
  by_hand.put(std::vector<int>{});
  by_hand.put(std::string_view("first"));
  by_hand.put(std::string_view("second"));
  by_hand.put(std::uint64_t{3});
  EXPECT_EQ(write(sample()), by_hand.take());
}

TEST(ByteFields, WhatCannotBeIsRefused) {
  Bytes bytes = write(sample());
  bytes[flag_at] = std::byte{2};
  EXPECT_EQ(problem_of(bytes), "a flag has the value 2");
  for (const int color : {0, 4, 255}) {
    bytes = write(sample());
    bytes[color_at] = std::byte(color);
    EXPECT_EQ(problem_of(bytes), "its color is " + std::to_string(color));
  }
  Message message = sample();
  message.number = -1;
  EXPECT_EQ(problem_of(write(message)), "its number is negative");
  bytes = write(sample());
  bytes[bits_at] = std::byte{2};
  EXPECT_FALSE(read(bytes).a);
  EXPECT_TRUE(read(bytes).b);
}

TEST(ByteFields, APartedMessageBeginsAndEndsAsItShould) {
  static constexpr Magic magic{0x31415926};
  Bytes bytes = encode_fields(magic, sample(), 5);
  const auto problem = [&bytes] {
    Message message;
    int number = 0;
    try {
      decode_fields(bytes, "it", magic, message, number);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    EXPECT_EQ(message, sample());
    EXPECT_EQ(number, 5);
    return std::string();
  };
  EXPECT_EQ(problem(), "");
  bytes.push_back({});
  EXPECT_EQ(problem(),
            "it cannot be understood (it is too long). Are all programs of this job linked with "
            "the same EPIOS?");
  bytes.pop_back();
  bytes[0] = std::byte{0};
  EXPECT_EQ(problem(),
            "it cannot be understood (it begins otherwise). Are all programs of this job linked "
            "with the same EPIOS?");
}

TEST(ByteFields, EveryCutIsRefused) {
  const Bytes bytes = write(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(read(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))),
                 Error)
        << size;
  }
}

// Each of these would need more memory than there is.
TEST(ByteFields, ALengthIsComparedWithTheBytesThatFollow) {
  EXPECT_EQ(least_bytes<Item>(), 16U);
  EXPECT_EQ(least_bytes<Message>(), 8U + 1 + 1 + 1 + 8 + 8 + 8);
  const Bytes whole = write(sample());
  for (const std::uint64_t length :
       {std::uint64_t{1} << 40U, std::numeric_limits<std::uint64_t>::max()}) {
    Bytes bytes = whole;
    std::memcpy(bytes.data() + items_at, &length, sizeof length);
    EXPECT_THROW(read(bytes), Error);
  }
  // One item more than the bytes can hold.
  Bytes bytes = whole;
  const std::uint64_t length = (whole.size() - items_at - 8) / least_bytes<Item>() + 1;
  std::memcpy(bytes.data() + items_at, &length, sizeof length);
  EXPECT_THROW(read(bytes), Error);
}

TEST(ByteFields, AWriterTakesTheRoomThatIsThere) {
  Bytes room(1000);
  const std::byte* const place = room.data();
  ByteWriter writer(std::move(room));
  FieldWriter archive(writer);
  const Message message = sample();
  fields(archive, message);
  const Bytes out = writer.take();
  EXPECT_EQ(out.data(), place);
  EXPECT_EQ(out, write(message));
}

}  // namespace
}  // namespace epios::config::byte_fields_test
