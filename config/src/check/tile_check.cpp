#include "check/tile_check.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "config/attributes.hpp"
#include "config/index.hpp"

namespace epios::config {

namespace {

/// In one direction of a tile's array.
constexpr std::int64_t most_values = 1'000'000;

using Numbers = std::optional<value::integers>;

class TileCheck {
 public:
  TileCheck(const LayoutContext& context, std::int64_t tiles) : c_(context), tiles_(tiles) {}

  void error(std::string_view attribute, std::string why, std::string suggestion = {}) const {
    const Setting* setting = c_.resolved.find(attribute);
    c_.findings.error(Code::bad_array, setting != nullptr ? setting->origin : c_.origin,
                      fmt::format("attribute '{}' of {}", attribute, c_.title), std::move(why),
                      std::move(suggestion));
  }

  /// One number per tile; `defaults` where none are given.
  bool numbers(std::string_view attribute, Numbers& numbers, const Numbers& defaults = {}) const {
    if (!numbers) numbers = defaults;
    if (!numbers) {
      error(attribute, "it is missing, and ntiles is given", "Give one number per tile.");
      return false;
    }
    const auto count = static_cast<std::int64_t>(numbers->values.size());
    if (count == tiles_) return true;
    error(attribute, fmt::format("expected {} values (ntiles), received {}", tiles_, count));
    return false;
  }

  /// Tiles lie in the local part in one direction.
  bool inside(std::string_view begin_name, const value::integers& begin, std::string_view n_name,
              const value::integers& n, std::int64_t local, std::string_view local_name) const {
    for (std::size_t tile = 0; tile < begin.values.size(); ++tile) {
      const std::int64_t first = begin.values[tile];
      const std::int64_t count = n.values[tile];
      if (first >= 0 && count >= 0 && first <= local && count <= local - first) continue;
      error(begin_name, fmt::format("tile {} is outside its domain: {} {} and {} {} with {} {}",
                                    tile, begin_name, first, n_name, count, local_name, local));
      return false;
    }
    return true;
  }

 private:
  const LayoutContext& c_;
  std::int64_t tiles_;
};

/// No cell is in two tiles: two threads would write it at the same time.
void check_apart(const TileCheck& check, const DomainAttributes& d) {
  std::vector<std::int32_t> tile_of(static_cast<std::size_t>(*d.ni * *d.nj), -1);
  for (std::int32_t tile = 0; tile < *d.ntiles; ++tile) {
    const auto at = static_cast<std::size_t>(tile);
    for (std::int64_t row = 0; row < d.tile_nj->values[at]; ++row) {
      const std::int64_t j = d.tile_jbegin->values[at] + row;
      for (std::int64_t column = 0; column < d.tile_ni->values[at]; ++column) {
        const std::int64_t i = d.tile_ibegin->values[at] + column;
        auto& owner = nth(tile_of, j * *d.ni + i);
        if (owner >= 0) {
          return check.error(
              "tile_ibegin",
              fmt::format("tiles {} and {} both have cell ({}, {})", owner, tile, i, j),
              "Give each cell to one tile.");
        }
        owner = tile;
      }
    }
  }
}

Numbers zeros(std::int64_t count) {
  return value::integers{std::vector<std::int64_t>(static_cast<std::size_t>(count)), {count}};
}

}  // namespace

void check_tiles(const LayoutContext& context, DomainAttributes& d) {
  for (const std::string_view name :
       {"ntiles", "data_dim", "tile_ibegin", "tile_ni", "tile_jbegin", "tile_nj",
        "tile_data_ibegin", "tile_data_ni", "tile_data_jbegin", "tile_data_nj"}) {
    if (context.resolved.is_broken(name))
      return;  // consequences of a reported mistake are not reported again
  }
  const TileCheck check(context, d.ntiles.value_or(0));
  if (!d.ntiles) {
    for (const auto& [name, numbers] : {std::pair{"tile_ni", &d.tile_ni},
                                        {"tile_nj", &d.tile_nj},
                                        {"tile_ibegin", &d.tile_ibegin},
                                        {"tile_jbegin", &d.tile_jbegin}}) {
      if (*numbers) return check.error(name, "it is given without 'ntiles'", "Give ntiles, too.");
    }
    return;
  }
  if (*d.ntiles < 1 || *d.ntiles > 1'000'000) {
    return check.error("ntiles", fmt::format("{} is not a number of tiles", *d.ntiles));
  }
  if (d.data_i_index || d.data_dim == 1) {
    return check.error("ntiles", "tiles are parts of an array of two dimensions",
                       "Set data_dim=\"2\", without data_i_index.");
  }
  const bool are_complete =
      check.numbers("tile_ibegin", d.tile_ibegin) && check.numbers("tile_ni", d.tile_ni) &&
      check.numbers("tile_jbegin", d.tile_jbegin) && check.numbers("tile_nj", d.tile_nj) &&
      check.numbers("tile_data_ibegin", d.tile_data_ibegin, zeros(*d.ntiles)) &&
      check.numbers("tile_data_ni", d.tile_data_ni, d.tile_ni) &&
      check.numbers("tile_data_jbegin", d.tile_data_jbegin, zeros(*d.ntiles)) &&
      check.numbers("tile_data_nj", d.tile_data_nj, d.tile_nj);
  if (!are_complete) return;
  const bool are_in_columns =
      check.inside("tile_ibegin", *d.tile_ibegin, "tile_ni", *d.tile_ni, *d.ni, "ni");
  const bool are_in_rows =
      check.inside("tile_jbegin", *d.tile_jbegin, "tile_nj", *d.tile_nj, *d.nj, "nj");
  for (const auto& [name, sizes] :
       {std::pair{"tile_data_ni", &d.tile_data_ni}, {"tile_data_nj", &d.tile_data_nj}}) {
    for (const std::int64_t size : (*sizes)->values) {
      if (size < 0 || size > most_values) {
        return check.error(name, fmt::format("{} is not a size", size));
      }
    }
  }
  if (are_in_columns && are_in_rows) check_apart(check, d);
}

}  // namespace epios::config
