/// @file
/// Fetches what describes points from the clients that have them.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <optional>
#include <span>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/value.hpp"

namespace epios::io {

/// The origin of wanted points, determined once for all lists.
class FetchedValues {
 public:
  /// `own` are the numbers, below `size`, of the points that this client describes, in its order.
  /// `wanted` are those that it wants to know about, in any order, possibly repeated or -1.
  /// Collective.
  FetchedValues(const ep::Comm& clients, std::int64_t size, std::span<const std::int64_t> own,
                std::span<const std::int64_t> wanted);

  /// Returns the values of the wanted points from a list with `each` values per own point, or
  /// nothing if no client has the list. Values that nobody has are `missing`. Collective.
  std::optional<config::value::reals> of(const std::optional<config::value::reals>& list,
                                         std::int64_t each, double missing) const;
  /// Returns, for each wanted point, true if somebody has it.
  config::value::booleans are_there() const;
  std::optional<config::value::strings> of(
      const std::optional<config::value::strings>& labels) const;

 private:
  /// Fetches words of 8 bytes per point.
  std::vector<std::int64_t> fetch(std::span<const std::int64_t> words, std::int64_t each,
                                  std::int64_t missing) const;

  const ep::Comm& clients_;
  std::vector<std::vector<std::int64_t>> asked_;  ///< places in the own list, by rank
  std::vector<std::int64_t>
      from_;  ///< position of each wanted point in what arrives; -1 if nobody has it
};

/// Returns the mask of wanted points. A point counts if it counts on any client that describes it.
/// Returns nothing if no client has a mask and every point is described. Collective.
std::optional<config::value::booleans> fetched_mask(
    const ep::Comm& clients, std::int64_t size, std::span<const std::int64_t> own,
    const std::optional<config::value::booleans>& mask, std::span<const std::int64_t> wanted);

}  // namespace epios::io
