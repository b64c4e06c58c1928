// Who copies which chunk of a body that two processes copy together.

#include "shm/copy_page.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "shm/inbox.hpp"

namespace ep::copy_page_test {
namespace {

TEST(BodyChunks, cover_every_body_without_gap_or_overlap) {
  for (const std::uint64_t bytes : {1UL, 32'768UL, 65'536UL, 65'537UL, 1'000'003UL, 4'194'304UL,
                                    16'777'217UL, 99'999'999'999UL}) {
    const BodyChunks chunks(bytes);
    ASSERT_GE(chunks.count(), 1U) << bytes;
    ASSERT_LE(chunks.count(), BodyChunks::most) << bytes;
    std::uint64_t end = 0;
    for (std::uint64_t i = 0; i < chunks.count(); ++i) {
      EXPECT_EQ(chunks.begin(i), end) << bytes;
      EXPECT_GT(chunks.size(i), 0U) << bytes;
      end += chunks.size(i);
    }
    EXPECT_EQ(end, bytes);
  }
}

TEST(CopyPage, gives_each_piece_to_one_side) {
  constexpr std::uint64_t count = 32;
  for (std::uint32_t turn = 1; turn <= 500; ++turn) {
    CopyPage page{};
    page.begin(turn);
    std::array<std::vector<int>, 4> taken;
    std::vector<std::thread> threads;
    for (std::size_t side = 0; side < taken.size(); ++side) {
      threads.emplace_back([&, side] {
        while (true) {
          const int chunk =
              side % 2 == 0 ? page.take_front(turn, count) : page.take_back(turn, count);
          if (chunk == CopyPage::none) return;
          taken[side].push_back(chunk);
        }
      });
    }
    for (auto& thread : threads) thread.join();
    std::multiset<int> all;
    for (const auto& chunks : taken) all.insert(chunks.begin(), chunks.end());
    ASSERT_EQ(all.size(), count);
    for (int chunk = 0; chunk < static_cast<int>(count); ++chunk) {
      ASSERT_EQ(all.count(chunk), 1U) << chunk;
    }
  }
}

TEST(CopyPage, gives_nothing_to_who_comes_for_another_turn) {
  CopyPage page{};
  EXPECT_EQ(page.take_back(1, 4), CopyPage::none) << "nothing has begun";
  page.begin(7);
  CopyPage::give(page.unread, 3);
  for (const std::uint32_t other : {6U, 8U}) {
    EXPECT_FALSE(page.is_at(other));
    EXPECT_EQ(page.take_front(other, 4), CopyPage::none);
    EXPECT_EQ(page.take_back(other, 4), CopyPage::none);
    EXPECT_EQ(CopyPage::take_given(page.unread, other), CopyPage::none);
  }
  EXPECT_EQ(CopyPage::take_given(page.unwritten, 7), CopyPage::none);
  EXPECT_EQ(CopyPage::take_given(page.unread, 7), 3);
  EXPECT_EQ(CopyPage::take_given(page.unread, 7), CopyPage::none);
}

TEST(CopyPage, is_refused_for_one_turn) {
  CopyPage page{};
  page.begin(1);
  EXPECT_FALSE(page.is_refused(1));
  page.refuse(1);
  EXPECT_TRUE(page.is_refused(1));
  page.begin(2);
  EXPECT_FALSE(page.is_refused(2));
}

TEST(CopyPage, carries_the_last_piece_of_the_most) {
  CopyPage page{};
  page.begin(~0U);
  EXPECT_EQ(page.take_back(~0U, BodyChunks::most), 31);
  CopyPage::give(page.unread, 31);
  EXPECT_TRUE(page.is_at(~0U));
  EXPECT_EQ(CopyPage::take_given(page.unread, ~0U), 31);
}

TEST(Inbox, lends_as_many_pages_as_it_has_each_for_one_turn) {
  Inbox inbox;
  PeerInbox peer;
  peer.open(inbox.address());
  std::vector<std::optional<CopyLease>> leases;
  for (int i = 0; i < most_copies; ++i) leases.push_back(inbox.begin_copy());
  std::set<std::uint32_t> numbers;
  for (const auto& lease : leases) {
    ASSERT_TRUE(lease);
    numbers.insert(lease->number());
    ASSERT_NE(peer.copy(lease->number()), nullptr);
    EXPECT_TRUE(peer.copy(lease->number())->is_at(lease->turn()));
  }
  EXPECT_EQ(numbers.size(), leases.size());
  EXPECT_FALSE(inbox.begin_copy());
  const std::uint32_t number = leases[5]->number();
  const std::uint32_t turn = leases[5]->turn();
  leases[5].reset();
  const std::optional<CopyLease> again = inbox.begin_copy();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->number(), number);
  EXPECT_FALSE(peer.copy(number)->is_at(turn)) << "who comes late finds another turn";
  EXPECT_EQ(peer.copy(most_copies), nullptr);
}

}  // namespace
}  // namespace ep::copy_page_test
