#include "cliques/mailbox.hpp"

#include <ep/ep.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <list>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace ep::mailbox_test {
namespace {

class Letter final : public WaitingMessage {
 public:
  explicit Letter(int which) : number(which) {}
  void give_back() noexcept override {
    ++given_back;
    delete this;
  }

  int number;
  static inline int given_back = 0;
};

WaitingMessagePtr message(int source, int tag, int number) {
  WaitingMessagePtr letter(new Letter(number));
  letter->source = source;
  letter->tag = tag;
  return letter;
}

int number_of(const WaitingMessagePtr& message) {
  return static_cast<const Letter&>(*message).number;
}

TEST(Mailbox, wildcards_do_not_see_the_librarys_own_messages) {
  Mailbox box;
  box.deposit(message(1, -5, 0));
  EXPECT_EQ(box.find_message(EP_ANY_SOURCE, EP_ANY_TAG), nullptr);
  EXPECT_NE(box.find_message(1, -5), nullptr);
}

// Against the plain rule: the oldest entry that matches.
TEST(Mailbox, arrivals_match_as_a_plain_list_would) {
  std::mt19937 random(11);
  Mailbox box;
  std::list<Matchable> model;
  for (int i = 0; i < 20'000; ++i) {
    const bool fill = (i / 500) % 2 == 0;
    const int source = static_cast<int>(random() % 7);
    const int tag = static_cast<int>(random() % 9);
    if (random() % 4 != 0 ? fill : !fill) {
      box.deposit(message(source, tag, i));
      Matchable entry;
      entry.source = source;
      entry.tag = tag;
      entry.order = static_cast<std::uint64_t>(i);
      model.push_back(entry);
      continue;
    }
    const int s = random() % 3 == 0 ? EP_ANY_SOURCE : source;
    const int t = random() % 3 == 0 ? EP_ANY_TAG : tag;
    const auto expected = std::find_if(model.begin(), model.end(),
                                       [&](const Matchable& m) { return matches(s, t, m); });
    const auto found = box.take_message(s, t);
    ASSERT_EQ(found != nullptr, expected != model.end());
    if (!found) continue;
    ASSERT_EQ(static_cast<std::uint64_t>(number_of(found)), expected->order);
    model.erase(expected);
  }
}

TEST(Mailbox, posted_receives_match_as_a_plain_list_would) {
  std::mt19937 random(12);
  Mailbox box;
  std::list<PostedReceive> posted;  // stable addresses; order of posting
  for (int i = 0; i < 20'000; ++i) {
    const bool fill = (i / 500) % 2 == 0;
    const int source = static_cast<int>(random() % 5);
    const int tag = static_cast<int>(random() % 5);
    if (random() % 4 != 0 ? fill : !fill) {
      PostedReceive& receive = posted.emplace_back();
      receive.source = random() % 4 == 0 ? EP_ANY_SOURCE : source;
      receive.tag = random() % 4 == 0 ? EP_ANY_TAG : tag;
      box.post(receive);
      continue;
    }
    Matchable arriving;
    arriving.source = source;
    arriving.tag = tag;
    const auto expected = std::find_if(posted.begin(), posted.end(), [&](const PostedReceive& p) {
      return matches(p.source, p.tag, arriving);
    });
    PostedReceive* const found = box.take_posted(source, tag);
    ASSERT_EQ(found, expected != posted.end() ? &*expected : nullptr);
    if (found != nullptr) posted.erase(expected);
  }
}

PostedReceive receive_of(int source, int tag) {
  PostedReceive receive;
  receive.source = source;
  receive.tag = tag;
  return receive;
}

TEST(Mailbox, only_the_one_posted_receive_is_handed_over) {
  Mailbox box;
  PostedReceive earlier = receive_of(EP_ANY_SOURCE, 1);
  PostedReceive blocked = receive_of(2, EP_ANY_TAG);
  box.post(earlier);
  EXPECT_EQ(box.offer(blocked), DirectReceiveSlot::no_generation)
      << "an older receive must get what both would take";
  EXPECT_EQ(box.direct_receive().claim(2, 1), nullptr);
  EXPECT_EQ(box.take_posted(2, 1), &earlier);
  EXPECT_EQ(box.take_posted(2, 1), &blocked);
}

TEST(Mailbox, an_offered_receive_is_the_oldest) {
  Mailbox box;
  PostedReceive blocked = receive_of(EP_ANY_SOURCE, 1);
  PostedReceive later = receive_of(2, 1);
  EXPECT_NE(box.offer(blocked), DirectReceiveSlot::no_generation);
  box.post(later);
  EXPECT_EQ(box.take_posted(2, 5), nullptr);
  EXPECT_EQ(box.take_posted(2, 1), &blocked);
  EXPECT_TRUE(box.direct_receive().is_free());
  EXPECT_EQ(box.take_posted(2, 1), &later);
}

TEST(DirectReceiveSlot, one_claim_per_offer) {
  DirectReceiveSlot slot;
  PostedReceive blocked = receive_of(3, EP_ANY_TAG);
  EXPECT_EQ(slot.claim(3, 0), nullptr) << "nothing offered";
  EXPECT_TRUE(slot.is_free());
  const DirectReceiveSlot::Generation generation = slot.offer(blocked);
  EXPECT_FALSE(slot.is_free());
  EXPECT_EQ(slot.claim(4, 0), nullptr) << "another source";
  EXPECT_EQ(slot.claim(3, -2), nullptr) << "the library's own message";
  EXPECT_EQ(slot.claim(3, 8), &blocked);
  EXPECT_EQ(slot.claim(3, 8), nullptr) << "claimed";
  EXPECT_FALSE(slot.is_filled(generation));
  const std::array<char, 5> text{"four"};
  slot.fill(3, 8, text.data(), text.size());
  ASSERT_TRUE(slot.is_filled(generation));
  EXPECT_EQ(slot.source(), 3);
  EXPECT_EQ(slot.tag(), 8);
  ASSERT_EQ(slot.bytes(), text.size());
  EXPECT_STREQ(reinterpret_cast<const char*>(slot.data()), "four");
  EXPECT_FALSE(slot.is_free()) << "not read yet";
  slot.take(generation);
  EXPECT_TRUE(slot.is_free());
}

// Two threads receive at one endpoint: a message for the second is not the first one's, which was
// served in another way.
TEST(DirectReceiveSlot, a_message_is_for_the_offer_that_was_claimed) {
  DirectReceiveSlot slot;
  PostedReceive first = receive_of(3, 1);
  PostedReceive second = receive_of(3, 1);
  const DirectReceiveSlot::Generation served = slot.offer(first);
  ASSERT_EQ(slot.claim(3, 1), &first);
  slot.release();
  const DirectReceiveSlot::Generation filled = slot.offer(second);
  ASSERT_EQ(slot.claim(3, 1), &second);
  slot.fill(3, 1, nullptr, 0);
  EXPECT_FALSE(slot.is_filled(served));
  EXPECT_FALSE(slot.await_claimer(served));
  EXPECT_TRUE(slot.is_filled(filled));
}

TEST(DirectReceiveSlot, an_offer_is_taken_back_unless_it_is_claimed) {
  Mailbox box;
  PostedReceive blocked = receive_of(3, 1);
  PostedReceive another = receive_of(3, 1);
  ASSERT_NE(box.offer(blocked), DirectReceiveSlot::no_generation);
  EXPECT_FALSE(box.withdraw(another)) << "not the one offered";
  EXPECT_TRUE(box.withdraw(blocked));
  EXPECT_EQ(box.take_posted(3, 1), nullptr);
  const DirectReceiveSlot::Generation generation = box.offer(blocked);
  EXPECT_EQ(box.direct_receive().claim(3, 1), &blocked);
  EXPECT_FALSE(box.withdraw(blocked));
  std::thread sender([&box] {
    std::this_thread::yield();
    box.direct_receive().fill(3, 1, nullptr, 0);
  });
  EXPECT_TRUE(box.direct_receive().await_claimer(generation));
  sender.join();
}

// Each offer is served exactly once, with what its claimer said.
TEST(DirectReceiveSlot, senders_compete) {
  constexpr int senders = 3;
  constexpr int messages = 1000;  // each takes several turns of four threads
  DirectReceiveSlot slot;
  std::vector<std::thread> threads;
  std::array<int, senders> next{};
  for (int s = 0; s < senders; ++s) {
    threads.emplace_back([&slot, s] {
      for (int n = 0; n < messages;) {
        if (slot.claim(s, 0) == nullptr) {
          std::this_thread::yield();
          continue;
        }
        slot.fill(s, 0, &n, sizeof n);
        ++n;
      }
    });
  }
  for (int i = 0; i < senders * messages; ++i) {
    // Now and then from one of them only.
    const int busy = i % senders;
    const bool exact = i % 4 == 0 && next.at(static_cast<std::size_t>(busy)) < messages;
    PostedReceive blocked = receive_of(exact ? busy : EP_ANY_SOURCE, 0);
    const DirectReceiveSlot::Generation generation = slot.offer(blocked);
    while (!slot.is_filled(generation)) std::this_thread::yield();
    ASSERT_TRUE(!exact || slot.source() == busy);
    int got = -1;
    std::memcpy(&got, slot.data(), sizeof got);
    ASSERT_EQ(got, next.at(static_cast<std::size_t>(slot.source()))++);
    slot.take(generation);
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Mailbox, what_is_not_matched_can_be_withdrawn) {
  Mailbox box;
  PostedReceive exact;
  exact.source = 1;
  exact.tag = 2;
  PostedReceive wild;
  wild.source = EP_ANY_SOURCE;
  wild.tag = 2;
  box.post(exact);
  box.post(wild);
  EXPECT_TRUE(box.withdraw(exact));
  EXPECT_FALSE(box.withdraw(exact)) << "once";
  EXPECT_EQ(box.take_posted(1, 2), &wild);
  EXPECT_FALSE(box.withdraw(wild)) << "matched";

  WaitingMessagePtr sent = message(3, 4, 5);
  WaitingMessage& withdrawn = *sent;
  box.deposit(std::move(sent));
  box.deposit(message(3, 4, 6));
  EXPECT_EQ(number_of(box.withdraw(withdrawn)), 5);
  EXPECT_EQ(number_of(box.take_message(3, EP_ANY_TAG)), 6);
  EXPECT_EQ(box.find_message(EP_ANY_SOURCE, EP_ANY_TAG), nullptr);
}

TEST(Mailbox, what_nobody_received_is_given_back) {
  Letter::given_back = 0;
  {
    Mailbox box;
    box.deposit(message(1, 2, 3));
    box.deposit(message(4, 5, 6));
    EXPECT_EQ(number_of(box.take_message(1, 2)), 3);
    EXPECT_EQ(Letter::given_back, 1);
  }
  EXPECT_EQ(Letter::given_back, 2);
}

}  // namespace
}  // namespace ep::mailbox_test
