#include "sphere/sphere_tree.hpp"

#include <algorithm>
#include <utility>

namespace epios::io {

namespace {

/// 21 bits, with two empty ones behind each.
std::uint64_t spread(std::uint64_t v) {
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffffULL;
  v = (v | v << 16) & 0x1f0000ff0000ffULL;
  v = (v | v << 8) & 0x100f00f00f00f00fULL;
  v = (v | v << 4) & 0x10c30c30c30c30c3ULL;
  return (v | v << 2) & 0x1249249249249249ULL;
}

std::uint64_t key_of(const SpaceBox& box) {
  std::uint64_t key = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double middle = 0.5 * (double{box.low.at(k)} + double{box.high.at(k)});
    constexpr double cells = 1 << 20;
    const double place = std::clamp((middle + 1) * cells, 0.0, 2 * cells - 1);
    key |= spread(static_cast<std::uint64_t>(place)) << k;
  }
  return key;
}

}  // namespace

SpaceBox united(const SpaceBox& a, const SpaceBox& b) {
  SpaceBox box;
  for (std::size_t k = 0; k < 3; ++k) {
    box.low.at(k) = std::min(a.low.at(k), b.low.at(k));
    box.high.at(k) = std::max(a.high.at(k), b.high.at(k));
  }
  return box;
}

SpaceBox united(std::span<const SpaceBox> boxes) {
  SpaceBox all;
  for (const SpaceBox& box : boxes) all = united(all, box);
  return all;
}

std::vector<std::uint32_t> near_order(std::span<const SpaceBox> boxes) {
  struct Keyed {
    std::uint64_t key;
    std::uint32_t index;
  };
  std::vector<Keyed> keyed(boxes.size());
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    keyed[k] = {key_of(boxes[k]), static_cast<std::uint32_t>(k)};
  }
  const auto order_of = [&] {
    std::vector<std::uint32_t> order(keyed.size());
    std::transform(keyed.begin(), keyed.end(), order.begin(),
                   [](const Keyed& k) { return k.index; });
    return order;
  };
  constexpr std::size_t few = 4096;  // for which counting digits costs more than comparing
  if (keyed.size() < few) {
    std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
      return a.key != b.key ? a.key < b.key : a.index < b.index;
    });
    return order_of();
  }
  // By digits, the last first, each time in order.
  std::vector<Keyed> other(keyed.size());
  constexpr int bits = 16;
  for (int shift = 0; shift < 64; shift += bits) {
    constexpr std::size_t digits = std::size_t{1} << bits;
    std::vector<std::size_t> first(digits + 1, 0);
    for (const Keyed& k : keyed) ++first[((k.key >> shift) & (digits - 1)) + 1];
    for (std::size_t d = 0; d < digits; ++d) first[d + 1] += first[d];
    for (const Keyed& k : keyed) other[first[(k.key >> shift) & (digits - 1)]++] = k;
    keyed.swap(other);
  }
  return order_of();
}

SpaceTree::SpaceTree(std::span<const SpaceBox> boxes) : order_(near_order(boxes)) {
  std::vector<SpaceBox> level(boxes.size());
  for (std::size_t k = 0; k < boxes.size(); ++k) level[k] = boxes[order_[k]];
  levels_.push_back(std::move(level));
  while (levels_.back().size() > 1) {
    const std::vector<SpaceBox>& below = levels_.back();
    std::vector<SpaceBox> above;
    above.reserve((below.size() + fan - 1) / fan);
    for (std::size_t k = 0; k < below.size(); k += fan) {
      above.push_back(united(std::span(below).subspan(k, std::min(fan, below.size() - k))));
    }
    levels_.push_back(std::move(above));
  }
}

double SpaceTree::distance(const SpaceBox& box, const std::array<double, 3>& point) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double outside =
        std::max({double{box.low.at(k)} - point.at(k), point.at(k) - double{box.high.at(k)}, 0.0});
    sum += outside * outside;
  }
  return sum;
}

}  // namespace epios::io
