#include "steps/server_rows.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "config/model.hpp"
#include "grid/box.hpp"
#include "space/directory.hpp"

namespace epios::io {

namespace {

/// Returns the points of the places of an array, ordered by place.
std::vector<std::pair<std::int64_t, std::int64_t>> points_by_place(const Part& part) {
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  for (const PartRun& run : part.runs()) {
    for (std::int64_t k = 0; k < run.count; ++k) out.emplace_back(run.place + k, run.global + k);
  }
  std::sort(out.begin(), out.end());
  const std::size_t firsts = out.size();
  for (const Part::Repeat& repeat : part.repeats()) {
    const auto first =
        std::lower_bound(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(firsts),
                         std::pair(repeat.first, std::int64_t{0}));
    out.emplace_back(repeat.place, first->second);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// A view has the points of its source that lie at the same places.
Stencils stencils_of_view(const LocalParts& parts, const config::SpatialStep& step) {
  const auto sources = points_by_place(parts.data(step.source));
  Stencils out;
  out.targets = points_of(parts.data(step.target));
  for (const std::int64_t place : out.targets.places) {
    const auto found =
        std::lower_bound(sources.begin(), sources.end(), std::pair(place, std::int64_t{0}));
    if (found != sources.end() && found->first == place) out.sources.push_back(found->second);
    out.close_target();
  }
  return out;
}

}  // namespace

StepRows rows_for_server(StepContext& context, const config::SpatialStep& step) {
  const Stencils all = config::is_view(step.transformation->kind)
                           ? stencils_of_view(context.parts, step)
                           : stencils_of(context, step);
  const std::int64_t points = volume(element_shape(context.model, step.target));
  const Directory directory(context.clients, points, all.targets.keys);
  const std::vector<int> lowest = directory.lowest(all.targets.keys);
  const int rank = context.clients.rank();
  StepRows out;
  for (std::size_t t = 0; t < lowest.size(); ++t) {
    if (lowest[t] != rank) continue;
    out.targets.push_back(all.targets.keys[t]);
    const auto take = [&](const auto& from, auto& to) {
      if (from.empty()) return;
      to.insert(to.end(), from.begin() + all.begin[t], from.begin() + all.begin[t + 1]);
    };
    take(all.sources, out.sources);
    take(all.weights, out.weights);
    take(all.first_order, out.first_order);
    out.begin.push_back(static_cast<std::int64_t>(out.sources.size()));
  }
  return out;
}

}  // namespace epios::io
