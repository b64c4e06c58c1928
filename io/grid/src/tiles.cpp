#include "grid/tiles.hpp"

#include <algorithm>

#include "config/index.hpp"
#include "config/model.hpp"
#include "grid/part.hpp"

namespace epios::io {

namespace {

struct TileWindow {
  std::int64_t from = 0, to = 0, count = 0;
};

/// Returns, in one direction, the cells of a tile (`begin`, `n` in the part) that are both in its
/// array (from `data_begin` in the tile, `data_n` long) and in the array of the part (from
/// `whole_begin` in the part, `whole_n` long).
TileWindow tile_window(std::int64_t begin, std::int64_t n, std::int64_t data_begin,
                       std::int64_t data_n, std::int64_t whole_begin, std::int64_t whole_n) {
  const std::int64_t first = std::max({begin, begin + data_begin, whole_begin});
  const std::int64_t end =
      std::min({begin + n, begin + data_begin + data_n, whole_begin + whole_n});
  return {first - (begin + data_begin), first - whole_begin,
          std::max<std::int64_t>(end - first, 0)};
}

}  // namespace

Tiles::Tiles(const config::Model& model, int grid) {
  const auto& elements = model.grids[config::GridId(grid)].elements;
  const config::DomainAttributes* domain = nullptr;
  for (const auto& element : elements) {
    const bool is_tiled = element.kind == config::GridElement::Kind::domain &&
                          model.domains[element.domain()].attributes.ntiles.has_value();
    if (is_tiled && domain == nullptr) {
      domain = &model.domains[element.domain()].attributes;
      continue;
    }
    (domain == nullptr ? inner_ : outer_) *= data_part(model, element).places();
  }
  if (domain == nullptr) return;
  const config::DomainAttributes& d = *domain;
  exclusive_ = d.tile_only.value_or(false);
  whole_ni_ = d.data_ni.value_or(*d.ni);
  whole_nj_ = d.data_nj.value_or(*d.nj);
  for (std::size_t t = 0; t < static_cast<std::size_t>(*d.ntiles); ++t) {
    const auto at = [t](const std::optional<config::value::integers>& numbers) {
      return numbers->values[t];
    };
    const TileWindow i = tile_window(at(d.tile_ibegin), at(d.tile_ni), at(d.tile_data_ibegin),
                                     at(d.tile_data_ni), d.data_ibegin.value_or(0), whole_ni_);
    const TileWindow j = tile_window(at(d.tile_jbegin), at(d.tile_nj), at(d.tile_data_jbegin),
                                     at(d.tile_data_nj), d.data_jbegin.value_or(0), whole_nj_);
    tiles_.push_back(
        {at(d.tile_data_ni), at(d.tile_data_nj), i.from, j.from, i.to, j.to, i.count, j.count});
  }
}

std::int64_t Tiles::size(int tile) const {
  const Tile& t = nth(tiles_, tile);
  return inner_ * t.ni * t.nj * outer_;
}

template <class T>
void Tiles::place(int tile, std::span<const T> values, std::span<T> whole) const {
  const Tile& t = nth(tiles_, tile);
  if (t.count_i == 0) return;
  for (std::int64_t o = 0; o < outer_; ++o) {
    for (std::int64_t j = 0; j < t.count_j; ++j) {
      const T* from = values.data() + inner_ * (t.from_i + t.ni * (t.from_j + j + t.nj * o));
      T* to = whole.data() + inner_ * (t.to_i + whole_ni_ * (t.to_j + j + whole_nj_ * o));
      std::copy(from, from + inner_ * t.count_i, to);
    }
  }
}

template void Tiles::place(int, std::span<const double>, std::span<double>) const;
template void Tiles::place(int, std::span<const float>, std::span<float>) const;

}  // namespace epios::io
