#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace grids {

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a ^ (b + 0x9E3779B97F4A7C15ULL + (a << 6U) + (a >> 2U));
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}
  /// In [first, last]; the same on every machine.
  std::int64_t pick(std::int64_t first, std::int64_t last) {
    return first +
           static_cast<std::int64_t>(generator_() % static_cast<std::uint64_t>(last - first + 1));
  }
  bool one_in(std::int64_t n) { return pick(1, n) == 1; }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t k = items.size(); k > 1; --k) {
      std::swap(items[k - 1],
                items[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(k) - 1))]);
    }
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace grids
