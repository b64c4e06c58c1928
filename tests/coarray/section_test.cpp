// Sections against the definition: nested loops over all indices.
#include "section.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "outcome.hpp"

namespace ep::caf {
namespace {

constexpr ElementType integer4{TypeClass::integer, 4, 4};

/// Offsets of all elements in array element order.
using Offsets = std::vector<std::ptrdiff_t>;

struct Example {
  Section section{integer4};
  Offsets offsets{0};
};

Offsets with_dimension(const Offsets& inner, const Offsets& steps) {
  Offsets all;
  for (const std::ptrdiff_t step : steps) {
    for (const std::ptrdiff_t offset : inner) all.push_back(offset + step);
  }
  return all;
}

/// Dimensions of all kinds: none, one, contiguous, strided, backwards, repeated, by vector.
Example random_example(std::mt19937& random) {
  const auto number = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  Example example;
  const std::ptrdiff_t first = 4 * number(0, 20);
  example.section.move(first);
  example.offsets = {first};
  std::ptrdiff_t contiguous = 4;
  for (int rank = number(0, 5); rank > 0; --rank) {
    const int extent = number(0, 9) == 0 ? 0 : number(1, 4);
    Offsets steps;
    if (number(0, 3) == 0) {
      for (int i = 0; i < extent; ++i) steps.push_back(4 * number(-9, 9));
      example.section.add(steps);
    } else {
      const std::ptrdiff_t stride = number(0, 1) == 0 ? contiguous : 4 * number(-6, 6);
      for (int i = 0; i < extent; ++i) steps.push_back(i * stride);
      example.section.add(extent, stride);
      contiguous = stride * extent;
    }
    example.offsets = with_dimension(example.offsets, steps);
  }
  return example;
}

Offsets visited(const Section& section) {
  Offsets offsets;
  for (Walk walk(section); walk.left() > 0; walk.advance(walk.left())) {
    for (std::int64_t i = 0; i < walk.left(); ++i) {
      offsets.push_back(walk.offset() + i * walk.stride());
    }
  }
  return offsets;
}

TEST(SectionTest, WalksVisitWhatLoopsVisit) {
  std::mt19937 random(2023);
  for (int i = 0; i < 3000; ++i) {
    const Example example = random_example(random);
    // A vector without elements is told by no dimension: such sections are empty both ways.
    ASSERT_EQ(static_cast<std::size_t>(example.section.count()), example.offsets.size());
    ASSERT_EQ(visited(example.section), example.offsets) << "example " << i;
    if (example.offsets.empty()) continue;
    const auto [begin, end] = example.section.bounds();
    const auto [least, most] = std::ranges::minmax(example.offsets);
    ASSERT_EQ(begin, least);
    ASSERT_EQ(end, most + 4);
  }
}

TEST(SectionTest, AssignmentsKeepTheOrderWhateverTheLines) {
  std::mt19937 random(7);
  std::vector<std::int32_t> memory(2000);
  std::iota(memory.begin(), memory.end(), 0);
  constexpr std::ptrdiff_t middle = 4000;
  for (int i = 0; i < 1000; ++i) {
    Example from = random_example(random);
    from.section.move(middle);
    const Section packed = from.section.packed();
    std::vector<std::int32_t> got(static_cast<std::size_t>(packed.count()));
    assign(packed, reinterpret_cast<std::byte*>(got.data()), from.section,
           reinterpret_cast<const std::byte*>(memory.data()));
    for (std::size_t k = 0; k < got.size(); ++k) {
      ASSERT_EQ(got[k], (middle + from.offsets[k]) / 4) << "example " << i;
    }
  }
}

TEST(SectionTest, ScalarGoesToAllElements) {
  std::vector<std::int32_t> memory(12, -1);
  Section every_third(integer4, 4);
  every_third.add(4, 12);
  const std::int32_t value = 8;
  assign(every_third, reinterpret_cast<std::byte*>(memory.data()), Section(integer4),
         reinterpret_cast<const std::byte*>(&value));
  EXPECT_EQ(memory, (std::vector<std::int32_t>{-1, 8, -1, -1, 8, -1, -1, 8, -1, -1, 8, -1}));
}

TEST(SectionTest, DifferentNumbersOfElementsAreAnError) {
  std::vector<std::int32_t> memory(12);
  auto* const bytes = reinterpret_cast<std::byte*>(memory.data());
  Section three(integer4);
  three.add(3, 4);
  Section four(integer4);
  four.add(4, 4);
  try {
    assign(three, bytes, four, bytes);
    FAIL() << "nothing was thrown";
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(), "4 elements cannot be assigned to 3 (shapes must agree).");
  }
}

TEST(SectionTest, DescriptorsAndSubscriptsOfTheCompiler) {
  Descriptor array{};
  array.element_bytes = 4;
  array.span = 12;  // a component of 12 bytes in each element
  array.rank = 2;
  array.type = TypeClass::integer;
  array.dims[0] = {1, 0, 3};
  array.dims[1] = {4, 5, 6};
  EXPECT_EQ(visited(Section::of(array, 4)), (Offsets{0, 12, 24, 36, 48, 60, 72, 84}));
  const std::array<std::int16_t, 3> rows{3, 0, 1};
  std::array<SubscriptVector, 2> subscripts{};
  subscripts[0].count = rows.size();
  subscripts[0].vector = {rows.data(), 2};
  subscripts[1].count = 0;
  subscripts[1].triplet = {6, 5, -1};
  EXPECT_EQ(visited(Section::of(array, 4, subscripts.data())), (Offsets{84, 48, 60, 36, 0, 12}));
}

}  // namespace
}  // namespace ep::caf
