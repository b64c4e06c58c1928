/// @file
/// Products of index sets: which places of an array a message holds, and in which order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "config/index.hpp"

namespace epios::io {

/// `count` places of an array along one element, from `place` on.
struct PlaceRun {
  std::int64_t place = 0;
  std::int64_t count = 0;
  bool operator==(const PlaceRun&) const = default;
};

/// The factor of one element in a pattern: some of the `places` that the array has along it, in
/// packing order.
struct PatternFactor {
  std::int64_t places = 1;
  std::vector<PlaceRun> runs;
};

/// A conversion for Pattern::gather that changes only the precision.
struct AsIs {};

/// The product of some places along each element of a grid, in an array whose first element varies
/// fastest. It is packed in the same order of elements (the last element is the slowest, as in
/// files). The constructor precomputes what it can; packing neither allocates nor searches. Memory:
/// the sum of the runs of all elements, not their product.
class Pattern {
 public:
  /// Takes the factors in model order. Without elements the pattern has one place.
  explicit Pattern(std::span<const PatternFactor> factors);

  /// Returns the number of places of the pattern.
  std::int64_t count() const { return count_; }
  /// Returns the number of places of the whole array.
  std::int64_t array_size() const { return array_size_; }
  /// Returns true if the pattern is the whole array in its own order.
  bool is_whole() const { return is_whole_; }

  /// Packs the value of each place, in order, or the result of `convert(value, place)`. `array` has
  /// array_size() values, `packed` has count() values.
  template <class From, class To, class Convert = AsIs>
  void gather(const From* array, To* packed, Convert convert = {}) const;
  /// Packs the positions [first, last) only; `packed` has last - first values. Several threads may
  /// pack different slices at once.
  template <class From, class To, class Convert = AsIs>
  void gather_slice(const From* array, std::int64_t first, std::int64_t last, To* packed,
                    Convert convert = {}) const;
  /// Unpacks: writes each packed value to its place. With `wants(position)` (in the packed values)
  /// it writes only those for which it returns true.
  template <class From, class To>
  void scatter(const From* packed, To* array) const;
  template <class From, class To, class Wants>
  void scatter_if(const From* packed, To* array, Wants wants) const;
  /// Calls `visit(position, place)` for all places, in packed order.
  template <class Visit>
  void for_each(Visit&& visit) const;
  /// Calls `visit(place, count)` for runs of neighbouring places, in packed order.
  template <class Visit>
  void for_each_piece(Visit&& visit) const;

 private:
  /// A slower element. Its places are `stride` places of the array apart.
  struct Level {
    std::vector<PlaceRun> runs;
    std::int64_t stride = 1;
    std::int64_t inner = 1;  ///< combinations of the levels below
  };
  /// Calls `inner(offset)` for all combinations of the places of levels [0, level), in packed
  /// order.
  template <class Inner>
  void for_each_offset(std::size_t level, std::int64_t offset, Inner& inner) const;
  /// Does so for the combinations [first, last).
  template <class Inner>
  void for_each_offset(std::size_t level, std::int64_t offset, std::int64_t first,
                       std::int64_t last, Inner& inner) const;
  /// Packs the inner places at an offset. Returns the end of what it has packed.
  template <class From, class To, class Convert>
  To* gather_inner(const From* array, std::int64_t offset, To* to, const Convert& convert) const;
  /// Packs the positions [first, last) of these.
  template <class From, class To, class Convert>
  To* gather_inner(const From* array, std::int64_t offset, std::int64_t first, std::int64_t last,
                   To* to, const Convert& convert) const;
  /// Packs `count` neighbours, in units of step_, from a place of the array on.
  template <class From, class To, class Convert>
  void gather_run(const From* array, std::int64_t first, std::int64_t count, To* to,
                  const Convert& convert) const;
  /// Calls `run(position, place, count)` for pieces of consecutive positions, whose places are
  /// step_ apart.
  template <class Run>
  void for_each_run(Run&& run) const;

  std::int64_t count_ = 0;
  std::int64_t array_size_ = 1;
  bool is_whole_ = false;
  // The fastest places, in units of step_. Single places replace runs that would be short.
  std::vector<PlaceRun> runs_;
  std::vector<std::uint32_t> singles_;
  std::int64_t inner_count_ = 0;
  std::int64_t step_ = 1;
  std::int64_t offset_ = 0;
  std::vector<Level> levels_;  // fastest first
};

/// Packs the places of `pattern` from the model's array into the values of a message. Values that
/// equal `marker`, as the array holds it, become NaN. T and W are double or float.
template <class T, class W>
void pack(const Pattern& pattern, std::span<const T> array, std::optional<double> marker,
          std::span<W> packed);
/// Packs positions from `first` on, as many as `packed` has.
template <class T, class W>
void pack_slice(const Pattern& pattern, std::span<const T> array, std::optional<double> marker,
                std::int64_t first, std::span<W> packed);

#define EPIOS_PACK(T, W)                                                                     \
  extern template void pack(const Pattern&, std::span<const T>, std::optional<double>,       \
                            std::span<W>);                                                   \
  extern template void pack_slice(const Pattern&, std::span<const T>, std::optional<double>, \
                                  std::int64_t, std::span<W>)
EPIOS_PACK(double, double);
EPIOS_PACK(double, float);
EPIOS_PACK(float, double);
EPIOS_PACK(float, float);
#undef EPIOS_PACK

template <class Inner>
void Pattern::for_each_offset(std::size_t level, std::int64_t offset, Inner& inner) const {
  if (level == 0) return inner(offset);
  const Level& slow = levels_[level - 1];
  for (const PlaceRun& run : slow.runs) {
    for (std::int64_t k = 0; k < run.count; ++k) {
      for_each_offset(level - 1, offset + (run.place + k) * slow.stride, inner);
    }
  }
}

template <class Run>
void Pattern::for_each_run(Run&& run) const {
  std::int64_t position = 0;
  const auto inner = [&](std::int64_t offset) {
    for (const PlaceRun& piece : runs_) {
      run(position, offset + piece.place * step_, piece.count);
      position += piece.count;
    }
    for (const std::uint32_t place : singles_) {
      run(position, offset + static_cast<std::int64_t>(place) * step_, std::int64_t{1});
      ++position;
    }
  };
  for_each_offset(levels_.size(), offset_, inner);
}

template <class Visit>
void Pattern::for_each(Visit&& visit) const {
  for_each_run([&](std::int64_t position, std::int64_t place, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) visit(position + k, place + k * step_);
  });
}

template <class Visit>
void Pattern::for_each_piece(Visit&& visit) const {
  for_each_run([&](std::int64_t, std::int64_t place, std::int64_t count) {
    if (step_ == 1) return visit(place, count);
    for (std::int64_t k = 0; k < count; ++k) visit(place + k * step_, std::int64_t{1});
  });
}

template <class Inner>
void Pattern::for_each_offset(std::size_t level, std::int64_t offset, std::int64_t first,
                              std::int64_t last, Inner& inner) const {
  if (level == 0) return inner(offset);
  const Level& slow = levels_[level - 1];
  for (const PlaceRun& run : slow.runs) {
    if (last <= 0) return;
    std::int64_t k = std::max(first, std::int64_t{0}) / slow.inner;
    for (; k < run.count && k * slow.inner < last; ++k) {
      const std::int64_t before = k * slow.inner;
      for_each_offset(level - 1, offset + (run.place + k) * slow.stride, first - before,
                      std::min(last - before, slow.inner), inner);
    }
    first -= run.count * slow.inner;
    last -= run.count * slow.inner;
  }
}

template <class From, class To, class Convert>
void Pattern::gather_run(const From* array, std::int64_t first, std::int64_t count,
                         To* __restrict to, const Convert& convert) const {
  constexpr bool is_as_is = std::is_same_v<Convert, AsIs>;
  if constexpr (is_as_is && std::is_same_v<From, To>) {
    if (step_ == 1) {
      std::memcpy(to, array + first, static_cast<std::size_t>(count) * sizeof(To));
      return;
    }
  }
  const auto value = [&](std::int64_t place) {
    if constexpr (is_as_is) {
      return static_cast<To>(array[place]);
    } else {
      return static_cast<To>(convert(array[place], place));
    }
  };
  if (step_ == 1) {
    for (std::int64_t k = 0; k < count; ++k) to[k] = value(first + k);
  } else {
    for (std::int64_t k = 0; k < count; ++k) to[k] = value(first + k * step_);
  }
}

template <class From, class To, class Convert>
To* Pattern::gather_inner(const From* array, std::int64_t offset, To* __restrict to,
                          const Convert& convert) const {
  for (const PlaceRun& run : runs_) {
    gather_run(array, offset + run.place * step_, run.count, to, convert);
    to += run.count;
  }
  const std::size_t singles = singles_.size();
  const std::uint32_t* __restrict places = singles_.data();
  for (std::size_t k = 0; k < singles; ++k) {
    const std::int64_t place = offset + static_cast<std::int64_t>(places[k]) * step_;
    if constexpr (std::is_same_v<Convert, AsIs>) {
      to[k] = static_cast<To>(array[place]);
    } else {
      to[k] = static_cast<To>(convert(array[place], place));
    }
  }
  return to + singles;
}

template <class From, class To, class Convert>
To* Pattern::gather_inner(const From* array, std::int64_t offset, std::int64_t first,
                          std::int64_t last, To* to, const Convert& convert) const {
  for (const PlaceRun& run : runs_) {
    const std::int64_t begin = std::max(first, std::int64_t{0});
    const std::int64_t end = std::min(last, run.count);
    if (begin < end) {
      gather_run(array, offset + (run.place + begin) * step_, end - begin, to, convert);
      to += end - begin;
    }
    first -= run.count;
    last -= run.count;
    if (last <= 0) return to;
  }
  const auto end = std::min(last, static_cast<std::int64_t>(singles_.size()));
  for (std::int64_t k = std::max(first, std::int64_t{0}); k < end; ++k) {
    gather_run(array, offset + static_cast<std::int64_t>(nth(singles_, k)) * step_, 1, to++,
               convert);
  }
  return to;
}

template <class From, class To, class Convert>
void Pattern::gather(const From* array, To* packed, Convert convert) const {
  To* to = packed;
  const auto inner = [&](std::int64_t offset) { to = gather_inner(array, offset, to, convert); };
  for_each_offset(levels_.size(), offset_, inner);
}

template <class From, class To, class Convert>
void Pattern::gather_slice(const From* array, std::int64_t first, std::int64_t last, To* packed,
                           Convert convert) const {
  if (first >= last) return;
  To* to = packed;
  std::int64_t begin =
      first / inner_count_ * inner_count_;  // first of the inner places at the current offset
  const auto inner = [&](std::int64_t offset) {
    if (begin >= first && begin + inner_count_ <= last) {
      to = gather_inner(array, offset, to, convert);
    } else {
      to = gather_inner(array, offset, first - begin, last - begin, to, convert);
    }
    begin += inner_count_;
  };
  for_each_offset(levels_.size(), offset_, first / inner_count_,
                  (last + inner_count_ - 1) / inner_count_, inner);
}

template <class From, class To>
void Pattern::scatter(const From* packed, To* array) const {
  const From* __restrict from = packed;
  const auto inner = [&](std::int64_t offset) {
    for (const PlaceRun& run : runs_) {
      To* __restrict to = array + offset + run.place * step_;
      if (std::is_same_v<From, To> && step_ == 1) {
        std::memcpy(to, from, static_cast<std::size_t>(run.count) * sizeof(To));
      } else {
        for (std::int64_t k = 0; k < run.count; ++k) to[k * step_] = static_cast<To>(from[k]);
      }
      from += run.count;
    }
    const std::size_t singles = singles_.size();
    const std::uint32_t* __restrict places = singles_.data();
    To* __restrict to = array + offset;
    for (std::size_t k = 0; k < singles; ++k) {
      to[static_cast<std::int64_t>(places[k]) * step_] = static_cast<To>(from[k]);
    }
    from += singles;
  };
  for_each_offset(levels_.size(), offset_, inner);
}

template <class From, class To, class Wants>
void Pattern::scatter_if(const From* packed, To* array, Wants wants) const {
  for_each([&](std::int64_t position, std::int64_t place) {
    if (wants(position)) array[place] = static_cast<To>(packed[position]);
  });
}

}  // namespace epios::io
