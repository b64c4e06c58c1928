/// @file
/// Index boxes in the global index space of a grid, and copies between arrays that hold boxes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace epios::io {

/// One number per dimension, slowest-varying dimension first (the order of dimensions in a file). A
/// model array a(i,j,k) in Fortran order has extents {nk, nj, ni}: same memory.
using Extents = std::vector<std::int64_t>;

/// Returns the product of all extents; 1 for no dimension.
std::int64_t volume(const Extents& extents);

/// A rectangular part of the global index space. An array that "holds" a box has its points in C
/// order.
struct Box {
  Extents begin;
  Extents size;
  bool operator==(const Box&) const = default;
  std::size_t rank() const { return size.size(); }
  std::int64_t volume() const { return io::volume(size); }
  bool is_empty() const { return volume() == 0; }
  /// Returns "[0:10, 20:40]" with exclusive ends.
  std::string text() const;
};

/// Returns the box of a whole index space.
Box whole(const Extents& shape);
/// Returns the empty box. A box without dimensions holds one point (a scalar), so for rank 0 the
/// empty box has rank 1.
Box nothing(std::size_t rank);
/// Returns the common part, or nullopt if it is empty. Ranks must be equal unless one box is empty.
/// Boxes of rank 0 (scalars) intersect in one point.
std::optional<Box> intersect(const Box& a, const Box& b);
/// Returns true if `outer` contains all of `inner`.
bool contains(const Box& outer, const Box& inner);
/// Returns the offset of the first point of `part` in the array that holds `box`, if `part` is one
/// contiguous run of that array.
std::optional<std::int64_t> contiguous_offset(const Box& box, const Box& part);

/// Copies `region` from the array holding `from_box` to the array holding `to_box`, converting
/// values (double -> float rounds to nearest). `region` must lie in both. No allocation beyond a
/// few words.
template <class From, class To>
void copy_region(std::span<const From> from, const Box& from_box, std::span<To> to,
                 const Box& to_box, const Box& region);

extern template void copy_region(std::span<const double>, const Box&, std::span<double>, const Box&,
                                 const Box&);
extern template void copy_region(std::span<const double>, const Box&, std::span<float>, const Box&,
                                 const Box&);
extern template void copy_region(std::span<const float>, const Box&, std::span<float>, const Box&,
                                 const Box&);

/// Replaces NaN by `fill`.
void fill_missing(std::span<double> values, double fill);
void fill_missing(std::span<float> values, float fill);

}  // namespace epios::io
