#include "handles/element_numbers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <set>
#include <thread>

namespace {

using epios::client::ElementNumbers;

/// No context: numbers never look into one.
epios_context* context(std::intptr_t place) { return reinterpret_cast<epios_context*>(place * 16); }

TEST(ElementNumbers, NumbersAreOneForOneElementAndLeadBack) {
  ElementNumbers numbers;
  std::set<std::intptr_t> seen;
  constexpr std::int32_t last = std::numeric_limits<std::int32_t>::max();
  for (const std::intptr_t place : {1, 2, 3}) {
    for (const std::int32_t node : {0, 1, last}) {
      const std::intptr_t number = numbers.number_of({context(place), node});
      EXPECT_GT(number, 0);
      EXPECT_TRUE(seen.insert(number).second) << "two elements have the number " << number;
      EXPECT_EQ(numbers.number_of({context(place), node}), number);
      const epios_element element = numbers.element_of(number);
      EXPECT_EQ(element.context, context(place));
      EXPECT_EQ(element.node, node);
    }
  }
}

TEST(ElementNumbers, ZeroStandsForNone) {
  ElementNumbers numbers;
  EXPECT_EQ(numbers.number_of({nullptr, 3}), 0);
  EXPECT_EQ(numbers.number_of({context(1), -1}), 0);
  EXPECT_EQ(numbers.element_of(0).context, nullptr);
}

TEST(ElementNumbers, WhatIsNoNumberHasNoContext) {
  ElementNumbers numbers;
  const std::intptr_t number = numbers.number_of({context(1), 5});
  const std::intptr_t unknown = number + (std::intptr_t{1} << 32);
  for (const std::intptr_t wrong :
       {unknown, std::intptr_t{7}, std::intptr_t{-1}, std::numeric_limits<std::intptr_t>::max()}) {
    EXPECT_EQ(numbers.element_of(wrong).context, nullptr) << wrong;
  }
}

// Under ThreadSanitizer this finds a reader that meets a change.
TEST(ElementNumbers, ReadersGoOnWhileContextsCome) {
  ElementNumbers numbers;
  constexpr std::intptr_t last = 300;
  std::atomic<std::intptr_t> newest = numbers.number_of({context(1), 1});
  std::atomic<int> wrong = 0;
  std::thread reader([&] {
    for (std::intptr_t number = 0; number >> 32 != last;) {
      number = newest;
      if (numbers.element_of(number).context != context(number >> 32)) ++wrong;
    }
  });
  for (std::intptr_t place = 2; place <= last; ++place) {
    newest = numbers.number_of({context(place), static_cast<std::int32_t>(place)});
  }
  reader.join();
  EXPECT_EQ(wrong, 0);
  for (std::intptr_t place = 1; place <= last; ++place) {
    EXPECT_EQ(numbers.element_of(place << 32 | place).context, context(place));
  }
}

}  // namespace
