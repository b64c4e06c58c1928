/// @file
/// Elements of arrays, and their conversion from one type to another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi.hpp"

namespace ep::caf {

/// The type of an element.
struct ElementType {
  TypeClass type = TypeClass::unknown;
  int kind = 0;           ///< has no meaning for derived types
  std::size_t bytes = 0;  ///< a string's with all of its characters

  bool operator==(const ElementType&) const = default;
};

/// Elements that lie at equal distances.
struct Line {
  std::byte* first;
  std::ptrdiff_t stride;  ///< in bytes; 0 repeats one element
};
/// Elements that lie at equal distances, to be read.
struct ConstLine {
  const std::byte* first;
  std::ptrdiff_t stride;
};

/// Assigns elements as Fortran does: converts numbers, cuts strings or fills them with blanks.
/// Throws Failure for types that cannot be assigned to each other.
class Assignment {
 public:
  Assignment(const ElementType& to, const ElementType& from);

  /// Assigns `count` elements. The memory must not overlap, but may be the same.
  void run(const Line& to, const ConstLine& from, std::int64_t count) const;

 private:
  using Convert = void (*)(std::byte* to, const std::byte* from);

  ElementType to_;
  ElementType from_;
  Convert convert_ = nullptr;
};

}  // namespace ep::caf
