#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "config/index.hpp"
#include "config/model.hpp"
#include "steps/stencils.hpp"

namespace epios::io {

namespace {

/// The weight of each level of the window, whose middle is the level that gets the mean.
std::vector<double> window_of(const config::Transformation& how) {
  const std::int64_t levels = config::integer_of(how, "n").value_or(1);
  return config::reals_of(how, "weights")
      .value_or(std::vector<double>(static_cast<std::size_t>(levels), 1.0));
}

/// Adds the levels of the window around `middle` that the axis has. Those of weight 0 have no part
/// in it, so that a missing value there makes nothing missing.
void add_window(const std::vector<double>& window, std::int64_t middle, std::int64_t size,
                Stencils& out) {
  const std::int64_t begin = middle - static_cast<std::int64_t>(window.size()) / 2;
  const std::int64_t end = std::min(size, begin + static_cast<std::int64_t>(window.size()));
  const auto weight = [&](std::int64_t level) { return nth(window, level - begin); };
  double whole = 0;
  const std::int64_t first = std::max<std::int64_t>(begin, 0);
  for (std::int64_t level = first; level < end; ++level) whole += weight(level);
  for (std::int64_t level = first; level < end; ++level) {
    if (!(weight(level) > 0)) continue;
    out.sources.push_back(level);
    out.weights.push_back(weight(level) / whole);
  }
}

}  // namespace

Stencils rows::smooth_axis(StepContext& context, const config::SpatialStep& step) {
  const config::Transformation& how = *step.transformation;
  const std::int64_t size = context.model.axes[step.source.axis()].attributes.n_glo.value_or(0);
  const std::vector<double> window = window_of(how);
  const auto half = static_cast<std::int64_t>(window.size()) / 2;
  const std::string edges = config::text_of(how, "edges").value_or("shrink");
  Stencils out;
  out.targets = points_of(context.parts.data(step.target));
  for (const std::int64_t level : out.targets.keys) {
    const bool fits = level >= half && level + half < size;
    if (fits || edges == "shrink") {
      add_window(window, level, size, out);
    } else if (edges == "keep") {
      out.sources.push_back(level);
      out.weights.push_back(1);
    }
    out.close_target();
  }
  return out;
}

}  // namespace epios::io
