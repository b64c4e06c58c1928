#include "mailbox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <memory>
#include <random>

#include "request.hpp"

namespace ep {
namespace {

std::unique_ptr<Arrival> message(int source, int tag, std::int64_t number) {
  auto arrival = std::make_unique<Arrival>();
  arrival->source = source;
  arrival->tag = tag;
  arrival->bytes = number;
  return arrival;
}

TEST(Mailbox, wildcards_do_not_see_the_librarys_own_messages) {
  Mailbox box;
  box.deposit(message(1, -5, 0));
  EXPECT_EQ(box.find_arrival(EP_ANY_SOURCE, EP_ANY_TAG), nullptr);
  EXPECT_NE(box.find_arrival(1, -5), nullptr);
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
    const auto found = box.take_arrival(s, t);
    ASSERT_EQ(found != nullptr, expected != model.end());
    if (!found) continue;
    ASSERT_EQ(static_cast<std::uint64_t>(found->bytes), expected->order);
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

  Request sender;
  std::unique_ptr<Arrival> sent = message(3, 4, 5);
  sent->sender = &sender;
  sender.undelivered = sent.get();
  box.deposit(std::move(sent));
  box.deposit(message(3, 4, 6));
  EXPECT_EQ(box.withdraw(*sender.undelivered)->bytes, 5);
  EXPECT_EQ(sender.undelivered, nullptr);
  EXPECT_EQ(box.take_arrival(3, EP_ANY_TAG)->bytes, 6);
  EXPECT_EQ(box.find_arrival(EP_ANY_SOURCE, EP_ANY_TAG), nullptr);
}

}  // namespace
}  // namespace ep
