#include "data/tile_assembly.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"

namespace epios::client {

TileAssembly::TileAssembly(io::Tiles tiles, std::int64_t size)
    : tiles_(std::move(tiles)), size_(size), arrived_(static_cast<std::size_t>(tiles_.count())) {}

void TileAssembly::begin(std::int64_t step, int tile, std::int64_t size) {
  if (tile < 0 || tile >= tiles_.count()) {
    throw Error(ErrorCode::argument,
                fmt::format("tile {} does not exist (there are {}, counted from 0). Is 'ntiles' of "
                            "its domain set?",
                            tile, tiles_.count()));
  }
  if (size != tiles_.size(tile)) {
    throw Error(ErrorCode::argument,
                fmt::format("tile {} has {} values (expected {}). Do its extents agree with "
                            "tile_data_ni and tile_data_nj, halos included?",
                            tile, size, tiles_.size(tile)));
  }
  if (step != step_) {
    step_ = step;
    std::fill(arrived_.begin(), arrived_.end(), std::uint8_t{0});
    arrived_count_ = placed_count_ = 0;
  }
  if (nth(arrived_, tile) != 0) {
    throw Error(
        ErrorCode::call_order,
        fmt::format("tile {} is sent twice at step {} (a tile comes once per step). Does each "
                    "thread send its own?",
                    tile, step));
  }
}

template <class T>
void TileAssembly::start(bool is_due) {
  due_ = is_due;
  if (!due_) return;
  const auto size = static_cast<std::size_t>(size_);
  if (!std::holds_alternative<std::vector<T>>(whole_)) whole_ = std::vector<T>();
  auto& whole = std::get<std::vector<T>>(whole_);
  // Once: points that no tile has stay missing.
  if (whole.size() != size) whole.assign(size, std::numeric_limits<T>::quiet_NaN());
}

template void TileAssembly::start<double>(bool);
template void TileAssembly::start<float>(bool);

void TileAssembly::refuse_other_kind() {
  throw Error(ErrorCode::argument,
              "its tiles are of single and of double precision (the first of a step says which). "
              "Convert them?");
}

std::string TileAssembly::missing(std::int64_t step) const {
  const std::scoped_lock lock(mutex_);
  if (step != step_ || arrived_count_ == 0 || arrived_count_ == tiles_.count()) return {};
  std::vector<int> tiles;
  for (int tile = 0; tile < tiles_.count(); ++tile) {
    if (nth(arrived_, tile) == 0) tiles.push_back(tile);
  }
  return fmt::format("{} {} {} not sent", tiles.size() == 1 ? "tile" : "tiles",
                     fmt::join(tiles, ", "), tiles.size() == 1 ? "was" : "were");
}

}  // namespace epios::client
