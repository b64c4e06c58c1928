/// @file
/// Coordinates as the model gives them for its part.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/value.hpp"
#include "grid/part.hpp"

namespace epios::io {

inline std::span<const double> values_of(const std::optional<config::value::reals>& array) {
  return array ? std::span<const double>(array->values) : std::span<const double>();
}

inline std::span<const double> either(const std::optional<config::value::reals>& a,
                                      const std::optional<config::value::reals>& b) {
  return a ? values_of(a) : values_of(b);
}

inline std::span<const double> area_of(const config::DomainAttributes& a) {
  return a.area_1d ? values_of(a.area_1d) : either(a.area_2d, a.area);
}

/// Values of the cells of `clipped` in ascending order, `each` per cell; none when there are none.
inline std::vector<double> pick(std::span<const double> values, const Part& clipped,
                                std::int64_t each) {
  if (values.empty() || clipped.points() == 0) return {};
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(clipped.points() * each));
  for (const PartRun& run : clipped.runs()) {
    const double* first = values.data() + run.place * each;
    out.insert(out.end(), first, first + run.count * each);
  }
  return out;
}

/// Those runs of a clipped part whose positions are asked for.
inline std::vector<PartRun> requested_runs(const Part& clipped,
                                           const std::vector<PlaceRun>& positions) {
  std::vector<PartRun> out;
  auto run = clipped.runs().begin();
  const auto end = clipped.runs().end();
  for (const PlaceRun& wanted : positions) {
    const std::int64_t stop = wanted.place + wanted.count;
    while (run != end && run->global + run->count <= wanted.place) ++run;
    for (auto at = run; at != end && at->global < stop; ++at) {
      const std::int64_t first = std::max(at->global, wanted.place);
      const std::int64_t last = std::min(at->global + at->count, stop);
      out.push_back({first, at->place + (first - at->global), last - first});
    }
  }
  return out;
}

}  // namespace epios::io
