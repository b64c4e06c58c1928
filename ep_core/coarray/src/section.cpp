// Array sections: their shape, strides and vector subscripts, and a walk along their elements in
// Fortran's order. Transfers move lines, the longest equally spaced runs, instead of elements. In
// order: construction from descriptors, queries, and Walk.
#include "section.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "outcome.hpp"

namespace ep::caf {

namespace {

std::ptrdiff_t span_of(const Descriptor& descriptor) {
  return descriptor.span != 0 ? descriptor.span
                              : static_cast<std::ptrdiff_t>(descriptor.element_bytes);
}

std::int64_t subscript(const void* values, int kind, std::size_t i) {
  const auto read = [&](auto value) {
    std::memcpy(&value, static_cast<const std::byte*>(values) + i * sizeof value, sizeof value);
    return static_cast<std::int64_t>(value);
  };
  if (kind == 1) return read(std::int8_t{});
  if (kind == 2) return read(std::int16_t{});
  if (kind == 4) return read(std::int32_t{});
  if (kind == 8) return read(std::int64_t{});
  throw Failure(Stat::failed, "vector subscripts of kind " + std::to_string(kind) +
                                  " (1, 2, 4 and 8 are possible).");
}

}  // namespace

std::vector<std::ptrdiff_t> subscript_offsets(const void* values, std::size_t count, int kind,
                                              std::ptrdiff_t lower, std::ptrdiff_t stride) {
  std::vector<std::ptrdiff_t> offsets;
  offsets.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    offsets.push_back((subscript(values, kind, i) - lower) * stride);
  }
  return offsets;
}

Section Section::of(const Descriptor& descriptor, int kind) {
  Section section({descriptor.type, kind, descriptor.element_bytes});
  for (int i = 0; i < descriptor.rank; ++i) {
    const DescriptorDim& dim = descriptor.dims[i];
    section.add(dim.upper - dim.lower + 1, dim.stride * span_of(descriptor));
  }
  return section;
}

Section Section::of(const Descriptor& descriptor, int kind, const SubscriptVector* subscripts) {
  if (subscripts == nullptr) return of(descriptor, kind);
  Section section({descriptor.type, kind, descriptor.element_bytes});
  for (int i = 0; i < descriptor.rank; ++i) {
    const DescriptorDim& dim = descriptor.dims[i];
    const std::ptrdiff_t stride = dim.stride * span_of(descriptor);
    const SubscriptVector& named = subscripts[i];
    if (named.count > 0) {
      section.add(subscript_offsets(named.vector.values, named.count, named.vector.kind, dim.lower,
                                    stride));
      continue;
    }
    const auto& triplet = named.triplet;
    if (triplet.stride == 0) throw Failure(Stat::failed, "a section with stride 0.");
    section.move((triplet.lower - dim.lower) * stride);
    section.add((triplet.upper - triplet.lower + triplet.stride) / triplet.stride,
                triplet.stride * stride);
  }
  return section;
}

void Section::add(std::int64_t extent, std::ptrdiff_t stride) {
  dims_[static_cast<std::size_t>(rank_++)] = {std::max(extent, std::int64_t{0}), stride, {}};
}

void Section::add(std::vector<std::ptrdiff_t> offsets) {
  const auto extent = static_cast<std::int64_t>(offsets.size());
  dims_[static_cast<std::size_t>(rank_++)] = {extent, 0, std::move(offsets)};
}

std::int64_t Section::count() const noexcept {
  std::int64_t count = 1;
  for (int i = 0; i < rank_; ++i) count *= extent(i);
  return count;
}

Section Section::packed() const {
  Section result(type_);
  auto stride = static_cast<std::ptrdiff_t>(type_.bytes);
  for (int i = 0; i < rank_; ++i) {
    result.add(extent(i), stride);
    stride *= extent(i);
  }
  return result;
}

Section::Bounds Section::bounds() const {
  if (count() == 0) return {first_, first_};
  Bounds bounds{first_, first_ + static_cast<std::ptrdiff_t>(type_.bytes)};
  for (int i = 0; i < rank_; ++i) {
    const Dimension& dim = dims_[static_cast<std::size_t>(i)];
    std::ptrdiff_t least = std::min(std::ptrdiff_t{0}, dim.offset(dim.extent - 1));
    std::ptrdiff_t most = std::max(std::ptrdiff_t{0}, dim.offset(dim.extent - 1));
    if (!dim.offsets.empty()) {
      const auto [smallest, largest] = std::ranges::minmax(dim.offsets);
      least = smallest;
      most = largest;
    }
    bounds.begin += least;
    bounds.end += most;
  }
  return bounds;
}

Walk::Walk(const Section& section, bool repeats) : section_(section) {
  if (repeats) {
    length_ = std::numeric_limits<std::int64_t>::max();
    begin_line();
    return;
  }
  if (section.count() == 0) return;
  stride_ = static_cast<std::ptrdiff_t>(section.type().bytes);
  // Dimensions that go on where the one before ends make one line.
  while (inner_ < section.rank_) {
    const Section::Dimension& dim = section.dims_[static_cast<std::size_t>(inner_)];
    if (!dim.offsets.empty()) break;
    if (length_ > 1 && dim.extent > 1 && dim.stride != stride_ * length_) break;
    if (length_ == 1) stride_ = dim.stride;
    length_ *= dim.extent;
    ++inner_;
  }
  begin_line();
}

void Walk::begin_line() {
  offset_ = section_.first_;
  for (int i = inner_; i < section_.rank_; ++i) {
    const auto number = static_cast<std::size_t>(i);
    offset_ += section_.dims_[number].offset(index_[number]);
  }
  left_ = length_;
}

void Walk::advance(std::int64_t count) {
  offset_ += count * stride_;
  left_ -= count;
  if (left_ > 0) return;
  for (int i = inner_; i < section_.rank_; ++i) {
    const auto number = static_cast<std::size_t>(i);
    if (++index_[number] < section_.extent(i)) {
      begin_line();
      return;
    }
    index_[number] = 0;
  }
}

void assign(const Section& to, std::byte* to_base, const Section& from,
            const std::byte* from_base) {
  const bool repeats = from.rank() == 0;
  if (!repeats && to.count() != from.count()) {
    throw Failure(Stat::failed, std::to_string(from.count()) + " elements cannot be assigned to " +
                                    std::to_string(to.count()) + " (shapes must agree).");
  }
  const Assignment assignment(to.type(), from.type());
  Walk source(from, repeats);
  for (Walk target(to); target.left() > 0;) {
    const std::int64_t count = std::min(target.left(), source.left());
    assignment.run({to_base + target.offset(), target.stride()},
                   {from_base + source.offset(), source.stride()}, count);
    target.advance(count);
    source.advance(count);
  }
}

}  // namespace ep::caf
