/// @file
/// Sections of arrays: their elements, the order of these, and their places.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "abi.hpp"
#include "elements.hpp"

namespace ep::caf {

/// Elements at `first + sum of the dimensions' offsets` bytes from a base, in array element order.
class Section {
 public:
  /// A scalar at `first`.
  explicit Section(const ElementType& type, std::ptrdiff_t first = 0)
      : type_(type), first_(first) {}

  /// Returns all elements that `descriptor` describes, the first one at byte 0.
  static Section of(const Descriptor& descriptor, int kind);
  /// Returns those of them that `subscripts` name, one per dimension.
  static Section of(const Descriptor& descriptor, int kind, const SubscriptVector* subscripts);

  /// Adds a dimension, the slowest so far.
  void add(std::int64_t extent, std::ptrdiff_t stride);
  /// Adds a dimension with the offset of each index.
  void add(std::vector<std::ptrdiff_t> offsets);
  /// Moves all elements by `bytes`.
  void move(std::ptrdiff_t bytes) noexcept { first_ += bytes; }
  /// Changes the type of the elements.
  void set_type(const ElementType& type) noexcept { type_ = type; }

  const ElementType& type() const noexcept { return type_; }
  int rank() const noexcept { return rank_; }
  std::int64_t extent(int dimension) const {
    return dims_[static_cast<std::size_t>(dimension)].extent;
  }
  std::int64_t count() const noexcept;
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(count()) * type_.bytes; }
  /// Returns the section of the same elements one after the other, the first one at byte 0.
  Section packed() const;

  /// The range from the first byte of any element to the last one.
  struct Bounds {
    std::ptrdiff_t begin;
    std::ptrdiff_t end;
  };
  Bounds bounds() const;

 private:
  friend class Walk;

  struct Dimension {
    std::int64_t extent = 1;
    std::ptrdiff_t stride = 0;
    std::vector<std::ptrdiff_t> offsets;  ///< instead of the stride, if not empty

    std::ptrdiff_t offset(std::int64_t index) const {
      return offsets.empty() ? index * stride : offsets[static_cast<std::size_t>(index)];
    }
  };

  ElementType type_;
  std::ptrdiff_t first_;
  int rank_ = 0;
  std::array<Dimension, max_rank> dims_;
};

/// Visits a section line by line: elements at equal distances.
class Walk {
 public:
  /// `repeats` visits a scalar for ever.
  explicit Walk(const Section& section, bool repeats = false);

  /// Return the rest of the line: offset of its next element, elements, distance. No elements mean
  /// that the section has ended.
  std::ptrdiff_t offset() const noexcept { return offset_; }
  std::int64_t left() const noexcept { return left_; }
  std::ptrdiff_t stride() const noexcept { return stride_; }
  /// Advances by `count` elements of the line.
  void advance(std::int64_t count);

 private:
  void begin_line();

  const Section& section_;
  int inner_ = 0;  ///< dimensions that make up a line
  std::int64_t length_ = 1;
  std::ptrdiff_t stride_ = 0;
  std::array<std::int64_t, max_rank> index_{};
  std::ptrdiff_t offset_ = 0;
  std::int64_t left_ = 0;
};

/// Returns the offsets from the first element to those that a vector names. Throws Failure for an
/// unknown kind.
std::vector<std::ptrdiff_t> subscript_offsets(const void* values, std::size_t count, int kind,
                                              std::ptrdiff_t lower, std::ptrdiff_t stride);

/// Assigns the elements of one section to those of another, in order; a scalar to all of them.
/// Throws Failure for sections of different size.
void assign(const Section& to, std::byte* to_base, const Section& from, const std::byte* from_base);

}  // namespace ep::caf
