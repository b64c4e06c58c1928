#include "ring.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <ep/ep.hpp>
#include <thread>

#include "pattern.hpp"
#include "ring_memory.hpp"

namespace epios::io::ring_test {
namespace {

using test::RingMemory;
using ::testing::HasSubstr;

std::string error_of(auto&& action) {
  try {
    action();
  } catch (const ep::Error& error) {
    return error.what();
  }
  return "no error";
}

// Sends one part of `bytes` and takes it out again.
void pass(RingWriter& writer, RingReader& reader, std::size_t bytes, std::uint64_t number) {
  const std::span<std::byte> room = writer.try_reserve(bytes);
  ASSERT_EQ(room.size(), bytes);
  test::fill_pattern(room, 1, number);
  writer.commit();
  const std::span<std::byte> part = reader.front();
  ASSERT_EQ(part.size(), bytes);
  EXPECT_TRUE(test::has_pattern(part, 1, number));
  reader.release();
}

TEST(RingLayout, RefusesSizesThatMakeNoSense) {
  EXPECT_THAT(error_of([] { RingLayout::of(0, 2); }),
              HasSubstr("2 parts of 0 bytes makes no sense"));
  EXPECT_THAT(error_of([] { RingLayout::of(8, 0); }),
              HasSubstr("0 parts of 8 bytes makes no sense"));
  EXPECT_THAT(error_of([] { RingLayout::of(SIZE_MAX - 10, 2); }), HasSubstr("cannot be made"));
  EXPECT_THAT(error_of([] { RingLayout::of(SIZE_MAX / 4, 2); }), HasSubstr("cannot be made"));
}

TEST(Ring, StartsEmpty) {
  const RingMemory memory(100, 2);
  const RingWriter writer(memory.data());
  RingReader reader(memory.data());
  EXPECT_TRUE(writer.is_drained());
  EXPECT_TRUE(reader.front().empty());
  EXPECT_EQ(writer.capacity(), 100U);
}

TEST(Ring, PartIsInvisibleUntilCommitted) {
  const RingMemory memory(100, 2);
  RingWriter writer(memory.data());
  RingReader reader(memory.data());
  ASSERT_FALSE(writer.try_reserve(10).empty());
  EXPECT_TRUE(reader.front().empty());
  writer.commit();
  EXPECT_EQ(reader.front().size(), 10U);
  EXPECT_FALSE(writer.is_drained());
  reader.release();
  EXPECT_TRUE(writer.is_drained());
}

/// Wherever the ring stands: at its start, before its end, starting over.
TEST(Ring, CancelledPartsLeaveNoTrace) {
  const RingMemory memory(300, 2);
  RingWriter writer(memory.data());
  RingReader reader(memory.data());
  for (std::uint64_t number = 0; number < 60; ++number) {
    ASSERT_FALSE(writer.try_reserve(300).empty()) << number;
    writer.cancel();
    EXPECT_TRUE(reader.front().empty()) << number;
    EXPECT_TRUE(writer.is_drained()) << number;
    const std::size_t bytes = 1 + number * 37 % 300;
    if (number % 3 == 0) {  // with another part still in the ring
      test::fill_pattern(writer.try_reserve(40), 2, number);
      writer.commit();
      ASSERT_FALSE(writer.try_reserve(300).empty()) << number;
      writer.cancel();
      EXPECT_TRUE(test::has_pattern(reader.front(), 2, number)) << number;
      reader.release();
    }
    pass(writer, reader, bytes, number);
  }
  writer.cancel();  // of nothing
  EXPECT_FALSE(writer.has_reservation());
}

TEST(Ring, PartsAreAligned) {
  const RingMemory memory(1000, 3);
  RingWriter writer(memory.data());
  RingReader reader(memory.data());
  for (std::uint64_t i = 0; i < 50; ++i) {
    const auto room = writer.try_reserve(1 + i * 7 % 1000);
    ASSERT_FALSE(room.empty());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(room.data()) % ring_alignment, 0U);
    writer.commit();
    reader.release();
  }
}

TEST(Ring, CarriesEverySizeUpToCapacity) {
  const RingMemory memory(300, 1);
  RingWriter writer(memory.data());
  RingReader reader(memory.data());
  for (std::size_t bytes = 1; bytes <= 300; ++bytes) pass(writer, reader, bytes, bytes);
}

// The promise behind "the oldest event can always complete": wherever the ring stands and whatever
// was sent before, `depth` largest parts fit as soon as it is empty.
TEST(Ring, DepthLargestPartsFitAtEveryPosition) {
  constexpr std::size_t capacity = 300;
  for (int depth = 1; depth <= 3; ++depth) {
    const RingMemory memory(capacity, depth);
    RingWriter writer(memory.data());
    RingReader reader(memory.data());
    const std::size_t lines = memory.layout().data_bytes / ring_alignment;
    for (std::size_t shift = 0; shift < 2 * lines; ++shift) {
      // One part stays in the ring while the next comes, so that positions advance line by line.
      for (const std::size_t bytes : {std::size_t{1}, 1 + shift % capacity}) {
        ASSERT_FALSE(writer.try_reserve(bytes).empty());
        writer.commit();
        if (depth > 1) continue;
        reader.release();
      }
      while (!reader.front().empty()) reader.release();
      for (int i = 0; i < depth; ++i) {
        ASSERT_EQ(writer.try_reserve(capacity).size(), capacity) << "part " << i << " of " << depth;
        writer.commit();
      }
      while (!reader.front().empty()) reader.release();
    }
  }
}

// In a stream of equal parts all room is used all the time, also across the wrap.
TEST(Ring, DepthLargestPartsAreOutAllTheTime) {
  constexpr std::size_t capacity = 500;
  for (const std::size_t depth : {1U, 2U, 4U}) {
    const RingMemory memory(capacity, static_cast<int>(depth));
    RingWriter writer(memory.data());
    RingReader reader(memory.data());
    std::uint64_t taken = 0;
    for (std::uint64_t sent = 0; sent < 100; ++sent) {
      const auto room = writer.try_reserve(capacity);
      ASSERT_EQ(room.size(), capacity) << "part " << sent << " at depth " << depth;
      test::fill_pattern(room, 7, sent);
      writer.commit();
      if (sent + 1 - taken < depth) continue;
      ASSERT_TRUE(test::has_pattern(reader.front(), 7, taken)) << "part " << taken;
      reader.release();
      ++taken;
    }
  }
}

// With mixed sizes padding costs room, but never more than emptying the ring gives back.
TEST(Ring, MixedSizesFitAtTheLatestWhenTheRingIsEmpty) {
  constexpr std::size_t capacity = 500;
  for (const int depth : {1, 2, 4}) {
    const RingMemory memory(capacity, depth);
    RingWriter writer(memory.data());
    RingReader reader(memory.data());
    std::deque<std::uint64_t> inside;
    for (std::uint64_t sent = 0; sent < 3000; ++sent) {
      std::span<std::byte> room;
      while ((room = writer.try_reserve(test::pattern_bytes(7, sent, capacity))).empty()) {
        ASSERT_FALSE(inside.empty()) << "an empty ring refuses part " << sent;
        ASSERT_TRUE(test::has_pattern(reader.front(), 7, inside.front()));
        inside.pop_front();
        reader.release();
      }
      test::fill_pattern(room, 7, sent);
      writer.commit();
      inside.push_back(sent);
    }
  }
}

TEST(Ring, IsFullUntilTheReceiverReleases) {
  const RingMemory memory(64, 2);
  RingWriter writer(memory.data());
  RingReader reader(memory.data());
  int sent = 0;
  while (!writer.try_reserve(64).empty()) {
    writer.commit();
    ++sent;
  }
  EXPECT_GE(sent, 2);
  EXPECT_TRUE(writer.try_reserve(64).empty()) << "asking again changes nothing";
  ASSERT_FALSE(reader.front().empty());
  EXPECT_TRUE(writer.try_reserve(64).empty()) << "looking at a part does not free it";
  reader.release();
  EXPECT_FALSE(writer.try_reserve(64).empty());
}

TEST(Ring, WrapsAtEveryAlignment) {
  constexpr std::size_t capacity = 256;
  for (std::size_t first = 1; first <= capacity; first += 13) {
    for (std::size_t second = 1; second <= capacity; second += 17) {
      const RingMemory memory(capacity, 2);
      RingWriter writer(memory.data());
      RingReader reader(memory.data());
      std::deque<std::uint64_t> inside;
      for (std::uint64_t i = 0; i < 20; ++i) {
        const std::size_t bytes = i % 2 == 0 ? first : second;
        std::span<std::byte> room;
        while ((room = writer.try_reserve(bytes)).empty()) {
          ASSERT_FALSE(inside.empty()) << "an empty ring refuses " << bytes << " bytes";
          ASSERT_TRUE(test::has_pattern(reader.front(), 3, inside.front()));
          inside.pop_front();
          reader.release();
        }
        test::fill_pattern(room, 3, i);
        writer.commit();
        inside.push_back(i);
      }
    }
  }
}

TEST(Ring, StartsOverWhenEmptySoThatPagesStayWarm) {
  const RingMemory memory(1000, 2);
  RingWriter writer(memory.data());
  RingReader reader(memory.data());
  const std::byte* first = writer.try_reserve(1000).data();
  writer.commit();
  reader.release();
  EXPECT_EQ(writer.try_reserve(1000).data(), first);
}

TEST(Ring, RefusesWhatItCannotCarry) {
  const RingMemory memory(100, 2);
  RingWriter writer(memory.data());
  EXPECT_EQ(
      error_of([&] { writer.try_reserve(101); }),
      "a part of 101 bytes does not fit the channel (parts have 1 to 100 bytes). Did definitions "
      "change after they closed?");
  EXPECT_THAT(error_of([&] { writer.try_reserve(0); }), HasSubstr("a part of 0 bytes"));
}

TEST(Ring, RefusesCallsOutOfOrder) {
  const RingMemory memory(100, 2);
  RingWriter writer(memory.data());
  RingReader reader(memory.data());
  EXPECT_THAT(error_of([&] { writer.commit(); }), HasSubstr("there is no part to commit"));
  EXPECT_THAT(error_of([&] { reader.release(); }), HasSubstr("there is no part to release"));
  ASSERT_FALSE(writer.try_reserve(10).empty());
  EXPECT_THAT(error_of([&] { writer.try_reserve(10); }),
              HasSubstr("no second part can be reserved"));
  writer.commit();
  EXPECT_THAT(error_of([&] { writer.commit(); }), HasSubstr("there is no part to commit"));
}

TEST(Ring, ReportsDamage) {
  const RingMemory memory(100, 2);
  RingWriter writer(memory.data());
  RingReader reader(memory.data());
  const auto room = writer.try_reserve(10);
  writer.commit();
  const std::uint64_t nonsense = 1'000'000;
  std::memcpy(room.data() - ring_alignment, &nonsense, sizeof nonsense);
  EXPECT_EQ(error_of([&] { reader.front(); }),
            "the channel is damaged at byte 0 (a part there claims 1000000 bytes). Does something "
            "overwrite shared memory?");
}

TEST(Ring, HasOneSender) {
  const RingMemory memory(100, 2);
  claim_ring(memory.data(), memory.layout());
  EXPECT_THAT(error_of([&] { claim_ring(memory.data(), memory.layout()); }),
              HasSubstr("it already had a sender"));
}

TEST(Ring, IsNotClaimedWhereItIsNot) {
  const RingMemory memory(100, 2);
  EXPECT_THAT(error_of([&] { claim_ring(memory.data(), RingLayout::of(101, 3)); }),
              HasSubstr("holds another channel or none"));
  std::memset(memory.data(), 0, 8);
  EXPECT_THAT(error_of([&] { claim_ring(memory.data(), memory.layout()); }),
              HasSubstr("holds another channel or none"));
}

TEST(Ring, PassesPartsBetweenThreads) {
  constexpr std::size_t capacity = 2000;
  constexpr std::uint64_t parts = 20'000;
  constexpr std::uint64_t seed = 20260101;
  const RingMemory memory(capacity, 2);
  std::thread sender([&] {
    RingWriter writer(memory.data());
    for (std::uint64_t i = 0; i < parts; ++i) {
      std::span<std::byte> room;
      while ((room = writer.try_reserve(test::pattern_bytes(seed, i, capacity))).empty()) {
        std::this_thread::yield();
      }
      test::fill_pattern(room, seed, i);
      writer.commit();
    }
  });
  RingReader reader(memory.data());
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < parts; ++i) {
    std::span<std::byte> part;
    while ((part = reader.front()).empty()) std::this_thread::yield();
    if (part.size() != test::pattern_bytes(seed, i, capacity) ||
        !test::has_pattern(part, seed, i)) {
      ++wrong;
    }
    reader.release();
  }
  sender.join();
  EXPECT_EQ(wrong, 0U) << "seed " << seed;
}

}  // namespace
}  // namespace epios::io::ring_test
