#include "config/index.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <concepts>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace epios::index_test {
namespace {

using HouseId = Index<struct House>;
using StreetId = Index<struct Street>;

template <class A, class B>
concept CanBeCompared = requires(A a, B b) {
  a == b;
};
template <class A, class B>
concept CanBeOrdered = requires(A a, B b) {
  a < b;
};
template <class Items, class Id>
concept CanBeFound = requires(Items items, Id id) {
  items[id];
};

// Mix-ups do not compile.
static_assert(CanBeCompared<HouseId, HouseId> && !CanBeCompared<HouseId, StreetId>);
static_assert(CanBeOrdered<HouseId, HouseId> && !CanBeOrdered<HouseId, StreetId>);
static_assert(!std::is_constructible_v<HouseId, StreetId>);
static_assert(!std::is_assignable_v<HouseId&, StreetId>);
static_assert(!std::is_convertible_v<int, HouseId> && !std::is_assignable_v<HouseId&, int>);
using Houses = IndexedVector<HouseId, std::string>;
static_assert(CanBeFound<Houses, HouseId> && CanBeFound<const Houses, HouseId>);
static_assert(!CanBeFound<Houses, StreetId> && !CanBeFound<const Houses, StreetId>);
static_assert(!CanBeFound<IndexedVector<int, std::string>, StreetId>);
static_assert(!std::is_convertible_v<std::vector<std::string>, Houses>);

// They cost what an int costs, and travel as one.
static_assert(sizeof(HouseId) == sizeof(int) && std::is_trivially_copyable_v<HouseId>);
static_assert(std::is_convertible_v<HouseId, int> && CanBeCompared<HouseId, int>);
static_assert(is_typed_index<HouseId> && !is_typed_index<int>);

TEST(Index, CountsFromNoneOn) {
  HouseId id;
  EXPECT_EQ(id, -1);
  EXPECT_EQ(++id, HouseId(0));
  EXPECT_EQ(id++, HouseId(0));
  EXPECT_EQ(id, 1);
  EXPECT_LT(HouseId(), HouseId(0));
  EXPECT_EQ(fmt::format("{:3}|{}", HouseId(7), HouseId()), "  7|-1");
  const std::unordered_set<HouseId> few{HouseId(1), HouseId(2)};
  EXPECT_TRUE(few.contains(HouseId(2)));
  EXPECT_FALSE(few.contains(HouseId(3)));
}

TEST(IndexedVector, FindsItemsByTheirIndices) {
  Houses houses;
  EXPECT_EQ(houses.last_id(), HouseId());
  EXPECT_EQ(houses.push_back("low"), HouseId(0));
  EXPECT_EQ(houses.push_back("high"), HouseId(1));
  EXPECT_EQ(houses[HouseId(1)], "high");
  houses[HouseId(0)] = "flat";
  EXPECT_EQ(houses, (Houses{"flat", "high"}));
  EXPECT_EQ(houses.end_id(), HouseId(2));
  std::vector<HouseId> all;
  for (const HouseId id : houses.ids()) all.push_back(id);
  EXPECT_EQ(all, (std::vector<HouseId>{HouseId(0), HouseId(1)}));
  EXPECT_FALSE(houses.contains(HouseId()));
  EXPECT_TRUE(houses.contains(HouseId(1)));
  EXPECT_FALSE(houses.contains(HouseId(2)));
}

TEST(IndexedVector, FindsItemsByConstantsAndByOffsetsThatSaySo) {
  Houses houses{"low", "high"};
  houses[0] = "flat";
  EXPECT_EQ(houses[0], "flat");
  const std::size_t last = houses.size() - 1;
  nth(houses, last) += "er";
  EXPECT_EQ(nth(std::as_const(houses), 1), "higher");
  EXPECT_EQ(nth(houses, HouseId(1)), "higher");
}

TEST(IndexedVector, HoldsFlags) {
  IndexedVector<HouseId, bool> is_old(3, false);
  is_old[HouseId(2)] = true;
  EXPECT_EQ(is_old, (IndexedVector<HouseId, bool>{false, false, true}));
}

TEST(IndexedVectorDeathTest, AnIndexOfNothingEndsTheProgram) {
#ifndef _GLIBCXX_ASSERTIONS
  GTEST_SKIP() << "built without assertions";
#endif
  Houses houses{"flat"};
  const std::vector<int> numbers{1, 2};
  EXPECT_DEATH(houses[HouseId()].clear(), "");
  EXPECT_DEATH(houses[HouseId(1)].clear(), "");
  EXPECT_DEATH(static_cast<void>(nth(numbers, -1) + 1), "");
}

TEST(Index, NthTakesAnyInteger) {
  std::vector<int> numbers{4, 5, 6};
  nth(numbers, HouseId(1)) = 7;
  EXPECT_EQ(nth(numbers, 1) + nth(numbers, std::int64_t{2}), 13);
}

}  // namespace
}  // namespace epios::index_test
