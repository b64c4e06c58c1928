// Rings in shared memory: many writers, one reader.

#include "shm/inbox.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "shm/shm_peer.hpp"

namespace ep::inbox_test {
namespace {

std::vector<std::byte> filled(std::size_t bytes, int seed) {
  std::vector<std::byte> out(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    out[i] = static_cast<std::byte>((i * 7 + static_cast<std::size_t>(seed)) % 251 + 1);
  }
  return out;
}

bool holds(const ShmMessage& message, std::size_t bytes, int seed) {
  const std::vector<std::byte> wanted = filled(bytes, seed);
  return std::equal(message.data.begin(), message.data.end(), wanted.begin(), wanted.end());
}

/// Sizes from none to the longest, so that records meet the end of the memory in many ways.
std::size_t size_of(int number) {
  return static_cast<std::size_t>(number) * 769 % (most_shm_bytes + 1);
}

TEST(Inbox, gives_each_message_in_the_order_of_its_coming) {
  Inbox inbox;
  PeerInbox peer;
  EXPECT_FALSE(static_cast<bool>(peer));
  peer.open(inbox.address());
  ASSERT_TRUE(static_cast<bool>(peer));
  ShmMessage message{};
  EXPECT_FALSE(inbox.look(message));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(peer.put({3, i, filled(size_of(i), i)}));
    ASSERT_TRUE(inbox.look(message));
    ASSERT_TRUE(inbox.look(message)) << "it stays until it is taken";
    EXPECT_EQ(message.source, 3);
    EXPECT_EQ(message.tag, i);
    ASSERT_TRUE(holds(message, size_of(i), i)) << i;
    EXPECT_FALSE(inbox.take());
    ASSERT_FALSE(inbox.look(message));
  }
}

TEST(Inbox, refuses_what_has_no_room_and_rings_those_who_ask) {
  Inbox inbox;
  PeerInbox peer;
  peer.open(inbox.address());
  int put = 0;
  while (peer.put({0, put, filled(most_shm_bytes, put)})) ++put;
  EXPECT_GE(put, 1);
  EXPECT_LE(static_cast<std::size_t>(put) * most_shm_bytes, shm_inbox_bytes());
  EXPECT_FALSE(peer.put({0, put, filled(most_shm_bytes, put)}));
  peer.ask_for_room();
  ShmMessage message{};
  ASSERT_TRUE(inbox.look(message));
  EXPECT_TRUE(inbox.take()) << "a writer waits";
  while (inbox.look(message)) EXPECT_FALSE(inbox.take()) << "asked once, told once";
  EXPECT_TRUE(peer.put({0, put, filled(most_shm_bytes, put)}));
  ASSERT_TRUE(inbox.look(message));
  EXPECT_EQ(message.tag, put);
}

TEST(Inbox, keeps_each_writers_order_among_many) {
  constexpr int writers = 4;
  constexpr int messages = 3000;
  Inbox inbox;
  std::vector<PeerInbox> peers(2);  // as of two processes, with two threads each
  for (PeerInbox& peer : peers) peer.open(inbox.address());
  std::vector<std::thread> threads;
  for (int w = 0; w < writers; ++w) {
    threads.emplace_back([&peer = peers[static_cast<std::size_t>(w % 2)], w] {
      for (int i = 0; i < messages; ++i) {
        const std::vector<std::byte> data = filled(size_of(i * 3 + w) / 8, i);
        while (!peer.put({w, i, data})) std::this_thread::yield();
      }
    });
  }
  std::vector<int> next(writers, 0);
  int wrong = 0;
  for (int left = writers * messages; left > 0; --left) {
    ShmMessage message{};
    while (!inbox.look(message)) std::this_thread::yield();
    int& expected = next.at(static_cast<std::size_t>(message.source));
    const bool is_right =
        message.tag == expected &&
        holds(message, size_of(message.tag * 3 + message.source) / 8, message.tag);
    if (!is_right) ++wrong;
    ++expected;
    static_cast<void>(inbox.take());
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Inbox, that_is_hidden_is_closed_to_those_who_come_late) {
  Inbox inbox;
  PeerInbox early;
  early.open(inbox.address());
  const PagesAddress address = inbox.address();
  inbox.hide();
  PeerInbox late;
  late.open(address);
  EXPECT_FALSE(static_cast<bool>(late));
  EXPECT_TRUE(early.put({0, 1, {}}));
}

TEST(Inbox, of_another_node_is_closed) {
  Inbox inbox;
  PagesAddress address = inbox.address();
  address.host ^= 1U;
  PeerInbox peer;
  peer.open(address);
  EXPECT_FALSE(static_cast<bool>(peer));
}

struct Owner final : RawOwner {
  void end_raw(int) noexcept override { ++ended; }
  int ended = 0;
};

TEST(ShmPeer, keeps_what_finds_no_room_in_order_until_it_does) {
  Inbox inbox;
  ShmPeer peer;
  peer.open(inbox.address());
  ASSERT_TRUE(static_cast<bool>(peer));
  const std::vector<std::byte> data = filled(most_shm_bytes, 1);
  Owner owner;
  int sent = 0;
  while (peer.send({0, sent, data}, owner, ShmKind::message)) ++sent;
  ++sent;
  EXPECT_TRUE(peer.has_queued());
  // A small one would find room, but may not overtake.
  EXPECT_FALSE(peer.send_at_once({0, sent, {}}));
  EXPECT_FALSE(peer.send({0, sent++, {}}, owner, ShmKind::message));
  EXPECT_EQ(peer.push(), 0);
  // Answers find room however full it is.
  constexpr int answer_tag = 1'000'000;
  for (std::size_t i = 0; i < most_shm_answers; ++i) {
    ASSERT_TRUE(peer.send({0, answer_tag, filled(most_answer_bytes, 2)}, owner, ShmKind::answer));
  }
  ShmMessage message{};
  std::size_t answers = 0;
  for (int expected = 0; expected < sent; ++expected) {
    while (inbox.look(message) && message.tag == answer_tag) {
      static_cast<void>(inbox.take());
      ++answers;
      static_cast<void>(peer.push());
    }
    ASSERT_TRUE(inbox.look(message));
    EXPECT_EQ(message.tag, expected);
    static_cast<void>(inbox.take());
    static_cast<void>(peer.push());
  }
  EXPECT_EQ(answers, most_shm_answers);
  EXPECT_FALSE(inbox.look(message));
  EXPECT_FALSE(peer.has_queued());
  EXPECT_TRUE(peer.send({0, sent, {}}, owner, ShmKind::message));
  EXPECT_EQ(owner.ended, 2);
}

TEST(PeerMemory, is_read_where_the_system_permits_it_and_only_then) {
  const std::uint64_t value = 77;
  const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&value));
  EXPECT_FALSE(static_cast<bool>(PeerMemory(getpid(), address, 78))) << "another value";
  EXPECT_FALSE(static_cast<bool>(PeerMemory(getpid(), 8, 77))) << "nothing is there";
  const PeerMemory memory(getpid(), address, value);
  if (!memory) GTEST_SKIP() << "this system permits no process to read another";
  const std::vector<std::byte> from = filled(100'000, 5);
  std::vector<std::byte> into(from.size());
  const auto begin = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(from.data()));
  EXPECT_TRUE(memory.read(begin, into));
  EXPECT_EQ(from, into);
  EXPECT_FALSE(memory.read(8, into));
}

}  // namespace
}  // namespace ep::inbox_test
