// Boxes in index spaces, and copies between arrays that hold them, as nested loops over contiguous
// runs.
#include "grid/box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "config/error.hpp"

namespace epios::io {

std::int64_t volume(const Extents& extents) {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents) product *= extent;
  return product;
}

std::string Box::text() const {
  std::string out = "[";
  for (std::size_t d = 0; d < rank(); ++d) {
    out += fmt::format("{}{}:{}", d == 0 ? "" : ", ", begin[d], begin[d] + size[d]);
  }
  return out + "]";
}

Box whole(const Extents& shape) { return {Extents(shape.size(), 0), shape}; }

Box nothing(std::size_t rank) {
  const std::size_t dimensions = std::max<std::size_t>(rank, 1);
  return {Extents(dimensions, 0), Extents(dimensions, 0)};
}

std::optional<Box> intersect(const Box& a, const Box& b) {
  if (a.is_empty() || b.is_empty()) return std::nullopt;
  if (a.rank() != b.rank()) {
    throw Error(ErrorCode::internal,
                fmt::format("boxes {} and {} do not intersect (their ranks differ). Please report "
                            "this with the configuration",
                            a.text(), b.text()));
  }
  Box common{Extents(a.rank()), Extents(a.rank())};
  for (std::size_t d = 0; d < a.rank(); ++d) {
    const std::int64_t first = std::max(a.begin[d], b.begin[d]);
    const std::int64_t end = std::min(a.begin[d] + a.size[d], b.begin[d] + b.size[d]);
    if (end <= first) return std::nullopt;
    common.begin[d] = first;
    common.size[d] = end - first;
  }
  return common;
}

bool contains(const Box& outer, const Box& inner) {
  if (inner.is_empty()) return true;
  if (outer.rank() != inner.rank()) return false;
  for (std::size_t d = 0; d < inner.rank(); ++d) {
    if (inner.begin[d] < outer.begin[d] ||
        inner.begin[d] + inner.size[d] > outer.begin[d] + outer.size[d]) {
      return false;
    }
  }
  return true;
}

namespace {

std::int64_t offset_of(const Box& box, const Extents& point) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < box.rank(); ++d) {
    offset = offset * box.size[d] + (point[d] - box.begin[d]);
  }
  return offset;
}

/// One loop of a copy: how often, and how far apart in both arrays.
struct Loop {
  std::int64_t count = 1;
  std::int64_t from_stride = 0;
  std::int64_t to_stride = 0;
};

/// The loops of a copy, innermost first, merged where a loop continues the one inside it. A volume
/// fits 63 bits, so no more than 63 dimensions have more than one point.
struct Loops {
  std::array<Loop, 64> items;
  std::size_t size = 0;
};

Loops loops_of(const Box& from, const Box& to, const Box& region) {
  Loops loops;
  std::int64_t from_stride = 1;
  std::int64_t to_stride = 1;
  for (std::size_t d = region.rank(); d-- > 0;) {
    const std::int64_t count = region.size[d];
    if (count > 1) {
      Loop* inner = loops.size > 0 ? &loops.items[loops.size - 1] : nullptr;
      if (inner != nullptr && from_stride == inner->count * inner->from_stride &&
          to_stride == inner->count * inner->to_stride) {
        inner->count *= count;
      } else {
        loops.items[loops.size++] = {count, from_stride, to_stride};
      }
    }
    from_stride *= from.size[d];
    to_stride *= to.size[d];
  }
  if (loops.size == 0) loops.items[loops.size++] = {1, 1, 1};
  return loops;
}

template <class From, class To>
void copy_run(const From* __restrict from, To* __restrict to, const Loop& run) {
  if (run.from_stride != 1 || run.to_stride != 1) {
    for (std::int64_t i = 0; i < run.count; ++i) {
      to[i * run.to_stride] = static_cast<To>(from[i * run.from_stride]);
    }
  } else if constexpr (std::is_same_v<From, To>) {
    std::memcpy(to, from, static_cast<std::size_t>(run.count) * sizeof(From));
  } else {
    for (std::int64_t i = 0; i < run.count; ++i) to[i] = static_cast<To>(from[i]);
  }
}

template <class T>
void fill(T* __restrict values, std::size_t count, T value) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = std::isnan(values[i]) ? value : values[i];
  }
}

}  // namespace

std::optional<std::int64_t> contiguous_offset(const Box& box, const Box& part) {
  if (part.is_empty()) return 0;
  if (!contains(box, part)) return std::nullopt;
  std::size_t d = 0;
  while (d < part.rank() && part.size[d] == 1) ++d;
  for (std::size_t inner = d + 1; inner < part.rank(); ++inner) {
    if (part.size[inner] != box.size[inner]) return std::nullopt;
  }
  return offset_of(box, part.begin);
}

template <class From, class To>
void copy_region(std::span<const From> from, const Box& from_box, std::span<To> to,
                 const Box& to_box, const Box& region) {
  if (region.is_empty()) return;
  if (!contains(from_box, region) || !contains(to_box, region) ||
      static_cast<std::int64_t>(from.size()) < from_box.volume() ||
      static_cast<std::int64_t>(to.size()) < to_box.volume()) {
    throw Error(ErrorCode::internal,
                fmt::format("region {} cannot be copied (from {} with {} values to {} with {}). "
                            "Please report this with the configuration",
                            region.text(), from_box.text(), from.size(), to_box.text(), to.size()));
  }
  const Loops loops = loops_of(from_box, to_box, region);
  const From* source = from.data() + offset_of(from_box, region.begin);
  To* target = to.data() + offset_of(to_box, region.begin);
  std::array<std::int64_t, 64> done{};
  for (;;) {
    copy_run(source, target, loops.items[0]);
    std::size_t level = 1;
    for (; level < loops.size; ++level) {
      const Loop& loop = loops.items[level];
      source += loop.from_stride;
      target += loop.to_stride;
      if (++done[level] < loop.count) break;
      done[level] = 0;
      source -= loop.count * loop.from_stride;
      target -= loop.count * loop.to_stride;
    }
    if (level == loops.size) return;
  }
}

template void copy_region(std::span<const double>, const Box&, std::span<double>, const Box&,
                          const Box&);
template void copy_region(std::span<const double>, const Box&, std::span<float>, const Box&,
                          const Box&);
template void copy_region(std::span<const float>, const Box&, std::span<float>, const Box&,
                          const Box&);

void fill_missing(std::span<double> values, double fill_value) {
  fill(values.data(), values.size(), fill_value);
}

void fill_missing(std::span<float> values, float fill_value) {
  fill(values.data(), values.size(), fill_value);
}

}  // namespace epios::io
