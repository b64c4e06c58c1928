#include "check/tile_check.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace epios::config {

namespace {

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
  void inside(std::string_view begin_name, const value::integers& begin, std::string_view n_name,
              const value::integers& n, std::int64_t local, std::string_view local_name) const {
    for (std::size_t tile = 0; tile < begin.values.size(); ++tile) {
      const std::int64_t first = begin.values[tile];
      const std::int64_t count = n.values[tile];
      if (first >= 0 && count >= 0 && first + count <= local) continue;
      error(begin_name, fmt::format("tile {} is outside its domain: {} {} and {} {} with {} {}",
                                    tile, begin_name, first, n_name, count, local_name, local));
      return;
    }
  }

 private:
  const LayoutContext& c_;
  std::int64_t tiles_;
};

Numbers zeros(std::int64_t count) {
  return value::integers{std::vector<std::int64_t>(static_cast<std::size_t>(count)), {count}};
}

}  // namespace

void check_tiles(const LayoutContext& context, DomainAttributes& d) {
  for (const std::string_view name :
       {"ntiles", "data_dim", "tile_ibegin", "tile_ni", "tile_jbegin", "tile_nj",
        "tile_data_ibegin", "tile_data_ni", "tile_data_jbegin", "tile_data_nj"}) {
    if (context.resolved.is_broken(name)) return;  // what follows from it is not reported again
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
  check.inside("tile_ibegin", *d.tile_ibegin, "tile_ni", *d.tile_ni, *d.ni, "ni");
  check.inside("tile_jbegin", *d.tile_jbegin, "tile_nj", *d.tile_nj, *d.nj, "nj");
  for (const auto& [name, sizes] :
       {std::pair{"tile_data_ni", &d.tile_data_ni}, {"tile_data_nj", &d.tile_data_nj}}) {
    for (const std::int64_t size : (*sizes)->values) {
      if (size < 0) return check.error(name, fmt::format("{} is not a size", size));
    }
  }
}

}  // namespace epios::config
