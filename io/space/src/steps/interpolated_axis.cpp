#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "config/error.hpp"
#include "config/model.hpp"
#include "elements/local_cells.hpp"
#include "elements/transformation_error.hpp"
#include "exchange/whole_lines.hpp"
#include "steps/stencils.hpp"

namespace epios::io {

namespace {

/// A point of the source: its value and its number.
using Known = std::pair<double, std::int64_t>;

/// Returns the points that have a value and are not masked, by value; the first one of equal ones.
std::vector<Known> known_points(const config::Axis& axis, const Points& points,
                                const ep::Comm& clients) {
  const config::AxisAttributes& a = axis.attributes;
  std::vector<std::int64_t> given;
  std::vector<double> values;
  const std::vector<std::int64_t> local = local_points(a);
  for (std::size_t k = 0; a.value && k < local.size(); ++k) {
    if (!std::binary_search(points.keys.begin(), points.keys.end(), local[k])) continue;
    given.push_back(local[k]);
    values.push_back(a.value->values[k]);
  }
  const std::vector<double> all = whole_line(clients, a.n_glo.value_or(0), given, values);
  std::vector<Known> out;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (std::isfinite(all[k])) out.emplace_back(all[k], static_cast<std::int64_t>(k));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end(),
                        [](const Known& x, const Known& y) { return x.first == y.first; }),
            out.end());
  return out;
}

/// `count` neighbours of the known points that are nearest to `value`, those around it first:
/// [first, first + count).
std::size_t first_nearest(const std::vector<Known>& known, double value, std::size_t count) {
  const auto above = std::lower_bound(known.begin(), known.end(), Known(value, 0)) - known.begin();
  auto first = static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - 1, 0));
  first = std::min(first, known.size() - std::min<std::size_t>(2, known.size()));
  std::size_t end = std::min(first + 2, known.size());
  while (end - first < count) {
    const bool is_at_begin = first == 0;
    const bool is_at_end = end == known.size();
    const bool goes_down =
        is_at_end || (!is_at_begin && value - known[first - 1].first <= known[end].first - value);
    if (goes_down) {
      --first;
    } else {
      ++end;
    }
  }
  return first;
}

/// Lagrange's polynomial through known points.
void add_polynomial(const std::vector<Known>& known, double value, std::size_t count,
                    Stencils& out) {
  if (value < known.front().first || value > known.back().first) return;
  const std::size_t first = first_nearest(known, value, count);
  std::vector<std::pair<std::int64_t, double>> entries;
  for (std::size_t k = first; k < first + count; ++k) {
    double weight = 1;
    for (std::size_t m = first; m < first + count; ++m) {
      if (m == k) continue;
      weight *= (value - known[m].first) / (known[k].first - known[m].first);
    }
    if (weight != 0) entries.emplace_back(known[k].second, weight);
  }
  std::sort(entries.begin(), entries.end());
  for (const auto& [source, weight] : entries) {
    out.sources.push_back(source);
    out.weights.push_back(weight);
  }
}

Error axis_error(const config::SpatialStep& step, const std::string& target,
                 const std::string& why) {
  return transformation_error(*step.transformation, fmt::format("axis '{}'", target), why);
}

}  // namespace

Stencils rows::interpolate_axis(StepContext& context, const config::SpatialStep& step) {
  const auto& [model, parts, clients, files, remarks, between_domains, distances] = context;
  const config::Axis& source = model.axes[step.source.axis()];
  const config::Axis& target = model.axes[step.target.axis()];
  const std::vector<Known> known =
      known_points(source, points_of(parts.data(step.source)), clients);
  const auto order = config::integer_of(*step.transformation, "order").value_or(1);
  const auto count = static_cast<std::size_t>(order) + 1;
  if (known.empty()) {
    throw axis_error(
        step, target.id,
        fmt::format("axis '{}' has no values. Set value of it on the clients?", source.id));
  }
  if (known.size() < count) {
    throw axis_error(
        step, target.id,
        fmt::format("order {} takes {} points, axis '{}' has {} with values. Set a lower order?",
                    order, count, source.id, known.size()));
  }
  Stencils out;
  out.targets = points_of(parts.data(step.target));
  const config::AxisAttributes& a = target.attributes;
  if (on_any(clients, !a.value && !out.targets.keys.empty())) {
    throw axis_error(step, target.id,
                     "it has no values to interpolate to. Set value of it on each client?");
  }
  const std::vector<std::int64_t> local = local_points(a);
  for (const std::int64_t key : out.targets.keys) {
    const auto at =
        static_cast<std::size_t>(std::find(local.begin(), local.end(), key) - local.begin());
    add_polynomial(known, a.value->values[at], count, out);
    out.close_target();
  }
  return out;
}

}  // namespace epios::io
