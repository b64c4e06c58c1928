// Assignments between elements of different types.
#include "elements.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "outcome.hpp"

namespace ep::caf {
namespace {

template <class To, class From>
To assigned(TypeClass to, int to_kind, TypeClass from, int from_kind, const From& value) {
  To result{};
  const Assignment assignment({to, to_kind, sizeof(To)}, {from, from_kind, sizeof(From)});
  assignment.run({reinterpret_cast<std::byte*>(&result), 0},
                 {reinterpret_cast<const std::byte*>(&value), 0}, 1);
  return result;
}

std::string text(std::size_t bytes, int kind, std::string_view from, int from_kind) {
  std::string result(bytes, '#');
  const Assignment assignment({TypeClass::character, kind, bytes},
                              {TypeClass::character, from_kind, from.size()});
  assignment.run({reinterpret_cast<std::byte*>(result.data()), 0},
                 {reinterpret_cast<const std::byte*>(from.data()), 0}, 1);
  return result;
}

TEST(ElementsTest, NumbersAreConvertedAsInFortran) {
  constexpr auto integer = TypeClass::integer;
  constexpr auto real = TypeClass::real;
  constexpr auto complex = TypeClass::complex;
  EXPECT_EQ((assigned<std::int64_t>(integer, 8, integer, 1, std::int8_t{-5})), -5);
  EXPECT_EQ((assigned<std::int16_t>(integer, 2, real, 8, -1.9)), -1);
  EXPECT_EQ((assigned<double>(real, 8, integer, 4, 7)), 7.0);
  EXPECT_EQ((assigned<float>(real, 4, real, 8, 0.1)), 0.1F);
  using Pair = std::array<double, 2>;
  EXPECT_EQ((assigned<Pair>(complex, 8, real, 4, 2.5F)), (Pair{2.5, 0}));
  EXPECT_EQ((assigned<double>(real, 8, complex, 8, Pair{1.5, 9})), 1.5);
  // NOLINTNEXTLINE(google-runtime-float): of kind 10
  EXPECT_EQ((assigned<double>(real, 8, real, 10, static_cast<long double>(3))), 3.0);
  __extension__ using Wide = __int128;
  EXPECT_EQ((assigned<std::int32_t>(integer, 4, integer, 16, Wide{-12})), -12);
  EXPECT_EQ((assigned<std::int8_t>(TypeClass::logical, 1, TypeClass::logical, 4, 1)), 1);
}

TEST(ElementsTest, StringsAreCutAndFilled) {
  EXPECT_EQ(text(5, 1, "abc", 1), "abc  ");
  EXPECT_EQ(text(2, 1, "abc", 1), "ab");
  EXPECT_EQ(text(3, 1, "", 1), "   ");
  // Of kind 4, a character has four bytes; what kind 1 has not becomes a question mark.
  const std::u32string wide = U"a\u20acb";
  const std::string_view bytes(reinterpret_cast<const char*>(wide.data()), 12);
  EXPECT_EQ(text(4, 1, bytes, 4), "a?b ");
  const std::string back = text(12, 4, "xy", 1);
  EXPECT_EQ(std::memcmp(back.data(), U"xy ", 12), 0);
}

TEST(ElementsTest, TypesThatCannotBeAssigned) {
  const auto problem = [](const ElementType& to, const ElementType& from) {
    try {
      const Assignment assignment(to, from);
    } catch (const Failure& failure) {
      return std::string(failure.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(problem({TypeClass::integer, 4, 4}, {TypeClass::character, 1, 4}),
            "CHARACTER(1) of 4 bytes cannot be assigned to INTEGER(4) of 4 bytes.");
  EXPECT_EQ(problem({TypeClass::derived, 0, 12}, {TypeClass::derived, 0, 16}),
            "TYPE of 16 bytes cannot be assigned to TYPE of 12 bytes.");
  EXPECT_EQ(problem({TypeClass::derived, 0, 16}, {TypeClass::derived, 0, 16}), "none");
}

}  // namespace
}  // namespace ep::caf
