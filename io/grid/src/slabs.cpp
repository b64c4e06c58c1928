#include <algorithm>
#include <cmath>

#include "config/elementary.hpp"
#include "grid/layout.hpp"

namespace epios::io {

namespace {

constexpr std::int64_t largest_chunk_bytes = 4'000'000'000;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Largest equal pieces of `extent` that are no longer than `longest`.
std::int64_t piece(std::int64_t extent, std::int64_t longest) {
  return ceil_div(extent, ceil_div(extent, std::max<std::int64_t>(longest, 1)));
}

/// The dimension that writers share: the slowest that has a point for each of them, else the
/// longest.
std::size_t shared_dimension(const Extents& shape, int writers) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] >= writers) return d;
  }
  return static_cast<std::size_t>(std::max_element(shape.begin(), shape.end()) - shape.begin());
}

/// Cuts along the dimensions from `first` on that have a weight, until a chunk is not above the
/// target. False when none has.
bool cut_by_weights(Extents& chunk, std::int64_t value_bytes, std::int64_t target_bytes,
                    std::size_t first, std::span<const double> weights) {
  double sum = 0;
  for (std::size_t d = first; d < weights.size(); ++d) sum += std::max(weights[d], 0.0);
  if (sum <= 0) return false;
  const Extents whole_chunk = chunk;
  const double cuts =
      static_cast<double>(volume(chunk) * value_bytes) / static_cast<double>(target_bytes);
  // If one dimension is too short, the others are cut more.
  for (double more = 1; volume(chunk) * value_bytes > target_bytes; more *= 1.25) {
    bool can_be_cut = false;
    for (std::size_t d = first; d < weights.size(); ++d) {
      if (weights[d] <= 0) continue;
      const double parts = std::min(config::power(cuts * more, weights[d] / sum), 1e15);
      chunk[d] =
          piece(whole_chunk[d], whole_chunk[d] / std::max<std::int64_t>(std::llround(parts), 1));
      can_be_cut = can_be_cut || chunk[d] > 1;
    }
    if (!can_be_cut) break;
  }
  return true;
}

}  // namespace

Extents chunk_shape(const Extents& shape, std::int64_t value_bytes, std::int64_t target_bytes,
                    int writers, std::span<const double> weights) {
  Extents chunk = shape;
  if (shape.empty() || volume(shape) == 0) return chunk;
  std::size_t d = 0;
  if (writers > 1) {
    // Dimensions before the shared one stay whole: else slabs would be cut along those.
    d = shared_dimension(shape, writers);
    chunk[d] = ceil_div(shape[d], writers);
  }
  // Dimensions without a weight are cut only where a chunk would be more than HDF5 takes.
  if (cut_by_weights(chunk, value_bytes, target_bytes, d, weights)) {
    target_bytes = std::max(target_bytes, largest_chunk_bytes);
  }
  for (; d < shape.size(); ++d) {
    const std::int64_t bytes = volume(chunk) * value_bytes;
    if (bytes <= target_bytes) break;
    const std::int64_t bytes_per_index = bytes / chunk[d];
    chunk[d] = piece(chunk[d], target_bytes / bytes_per_index);
  }
  return chunk;
}

std::vector<Box> slabs(const Extents& shape, const Extents& chunk, int writers) {
  std::vector<Box> out;
  std::size_t d = 0;
  while (d < shape.size() && chunk[d] >= shape[d]) ++d;
  if (d == shape.size()) {
    out.assign(static_cast<std::size_t>(writers), nothing(shape.size()));
    out.front() = whole(shape);
    return out;
  }
  const std::int64_t chunks = ceil_div(shape[d], chunk[d]);
  const std::int64_t share = chunks / writers;
  const std::int64_t longer = chunks % writers;
  std::int64_t begin = 0;
  for (int writer = 0; writer < writers; ++writer) {
    const std::int64_t own = share + (writer < longer ? 1 : 0);
    const std::int64_t end = std::min(begin + own * chunk[d], shape[d]);
    Box slab = whole(shape);
    slab.begin[d] = begin;
    slab.size[d] = end - begin;
    out.push_back(slab);
    begin = end;
  }
  return out;
}

}  // namespace epios::io
