#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "config/index.hpp"
#include "grid/tiles.hpp"

namespace epios::client {

/// Puts the tiles of one field together, step by step. Any threads of a client at once.
class TileAssembly {
 public:
  /// `size`: values of the whole array.
  TileAssembly(io::Tiles tiles, std::int64_t size);

  const io::Tiles& tiles() const { return tiles_; }

  /// Takes a tile; true when it was the last of the step: whole() is complete then. The values are
  /// copied only when `is_due`, which is asked once per step, under a lock. Throws Error{argument}
  /// for a tile that does not exist or has another size, Error{call_order} for one that has come
  /// already.
  template <class T, class IsDue>
  bool take(std::int64_t step, int tile, std::span<const T> values, const IsDue& is_due) {
    {
      const std::scoped_lock lock(mutex_);
      begin(step, tile, static_cast<std::int64_t>(values.size()));
      // What is refused has not come: it may come again as it should.
      if (arrived_count_ == 0) start<T>(is_due());
      if (due_ && !std::holds_alternative<std::vector<T>>(whole_)) refuse_other_kind();
      nth(arrived_, tile) = 1;
      ++arrived_count_;
    }
    if (due_) tiles_.place<T>(tile, values, std::get<std::vector<T>>(whole_));
    const std::scoped_lock lock(mutex_);
    return ++placed_count_ == tiles_.count() && due_;
  }
  /// Tiles beside those that were taken hold NaN.
  template <class T>
  std::span<const T> whole() const {
    return std::get<std::vector<T>>(whole_);
  }

  /// "tile 3 was not sent" (or "tiles 0, 2 were not sent") at a step of which some tiles have come;
  /// "" when all have, or none.
  std::string missing(std::int64_t step) const;

 private:
  void begin(std::int64_t step, int tile, std::int64_t size);
  template <class T>
  void start(bool is_due);
  [[noreturn]] static void refuse_other_kind();

  io::Tiles tiles_;
  std::int64_t size_;
  mutable std::mutex mutex_;
  std::int64_t step_ = -1;
  std::vector<std::uint8_t> arrived_;  // by tile
  int arrived_count_ = 0;
  int placed_count_ = 0;
  bool due_ = false;
  std::variant<std::vector<double>, std::vector<float>> whole_;
};

}  // namespace epios::client
