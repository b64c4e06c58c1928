/// @file
/// What describes points, from those clients that have them.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <optional>
#include <span>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/value.hpp"

namespace epios::io {

/// Where points that are wanted come from, worked out once for all lists.
class FetchedValues {
 public:
  /// `own`: the numbers, below `size`, of the points that this client describes, in its order;
  /// `wanted`: those that it wants to know of, in any order, some perhaps several times or -1.
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
  /// Words of 8 bytes per point.
  std::vector<std::int64_t> fetch(std::span<const std::int64_t> words, std::int64_t each,
                                  std::int64_t missing) const;

  const ep::Comm& clients_;
  std::vector<std::vector<std::int64_t>> asked_;  ///< by rank: places in the own list
  std::vector<std::int64_t> from_;                ///< per wanted one, into what comes; -1: nobody
};

/// The mask of wanted points: one counts if it does on any client that describes it. Nothing when
/// no client has a mask, and each point somebody. Collective.
std::optional<config::value::booleans> fetched_mask(
    const ep::Comm& clients, std::int64_t size, std::span<const std::int64_t> own,
    const std::optional<config::value::booleans>& mask, std::span<const std::int64_t> wanted);

}  // namespace epios::io
