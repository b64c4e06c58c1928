#include "space/slab_step.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "config/fp_guard.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/transformation_traits.hpp"
#include "grid/layout.hpp"
#include "steps/gather.hpp"
#include "steps/stencils.hpp"

namespace epios::io {

namespace {

std::vector<std::int64_t> all_below(std::int64_t end) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(end));
  std::iota(out.begin(), out.end(), std::int64_t{0});
  return out;
}

/// All points of elements [first, end) of a grid, where files have them.
Level whole_level(const config::Model& model, const config::Grid& grid, std::size_t first,
                  std::size_t end) {
  std::int64_t points = 1;
  for (std::size_t e = first; e < end; ++e) {
    points *= volume(element_shape(model, grid.elements[e]));
  }
  return {all_below(points), all_below(points), points, points};
}

Frame whole_frame(const config::Model& model, const config::SpatialStep& step) {
  const config::Grid& grid = model.grids[step.from];
  Frame out;
  out.before = whole_level(model, grid, 0, step.position);
  out.behind = whole_level(model, grid, step.position + 1, grid.elements.size());
  out.source_points = out.source_array = volume(element_shape(model, step.source));
  out.target_points = out.target_array = volume(element_shape(model, step.target));
  out.sources = {all_below(out.source_points), all_below(out.source_points)};
  return out;
}

/// Kinds of weights that any client has. A client without rows has none.
struct Forms {
  bool has_weights = false;
  bool has_first_order = false;
};

void append(const StepRows& rows, std::size_t row, const Forms& forms, Stencils& to) {
  to.targets.keys.push_back(rows.targets[row]);
  for (std::int64_t e = rows.begin[row]; e < rows.begin[row + 1]; ++e) {
    const auto entry = static_cast<std::size_t>(e);
    const double weight = rows.weights.empty() ? 1.0 : rows.weights[entry];
    to.sources.push_back(rows.sources[entry]);
    if (forms.has_weights) to.weights.push_back(weight);
    if (!forms.has_first_order) continue;
    to.first_order.push_back(rows.first_order.empty() ? weight : rows.first_order[entry]);
  }
  to.close_target();
}

/// The rows of all clients, by target.
Stencils merged(std::span<const StepRows* const> rows) {
  struct Row {
    std::int64_t target = 0;
    std::size_t client = 0, row = 0;
  };
  std::vector<Row> order;
  Forms forms;
  std::size_t entries = 0;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    entries += rows[c]->sources.size();
    forms.has_weights = forms.has_weights || !rows[c]->weights.empty();
    forms.has_first_order = forms.has_first_order || !rows[c]->first_order.empty();
    for (std::size_t r = 0; r < rows[c]->targets.size(); ++r) {
      order.push_back({rows[c]->targets[r], c, r});
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const Row& a, const Row& b) { return a.target < b.target; });
  Stencils out;
  out.sources.reserve(entries);
  if (forms.has_weights) out.weights.reserve(entries);
  if (forms.has_first_order) out.first_order.reserve(entries);
  for (const Row& row : order) {
    if (!out.targets.keys.empty() && out.targets.keys.back() == row.target) continue;
    append(*rows[row.client], row.row, forms, out);
  }
  out.targets.places = out.targets.keys;
  return out;
}

}  // namespace

struct SlabStep::Impl {
  Impl(const config::Model& model, const config::SpatialStep& step,
       std::span<const StepRows* const> rows)
      : coarse(config::traits_of(step.transformation->kind).work ==
                       config::TransformationWork::coarsening
                   ? std::optional(coarse_rule(*step.transformation))
                   : std::nullopt),
        plan(whole_frame(model, step), merged(rows), gaps_of(*step.transformation), nullptr,
             coarse ? GatherPlan::Use::blocks : GatherPlan::Use::sums),
        gather(plan, nullptr, 0, traffic) {}

  std::optional<CoarseRule> coarse;
  GatherPlan plan;
  StepTraffic traffic;
  Gather gather;
};

SlabStep::SlabStep(const config::Model& model, int expression,
                   std::span<const StepRows* const> rows)
    : impl_(std::make_unique<Impl>(
          model, *config::spatial_step(model, nth(model.expressions, expression)), rows)) {}
SlabStep::SlabStep(SlabStep&&) noexcept = default;
SlabStep& SlabStep::operator=(SlabStep&&) noexcept = default;
SlabStep::~SlabStep() = default;

double SlabStep::unowned_value() const { return impl_->plan.unowned_value(); }

bool SlabStep::coarsens() const { return impl_->coarse.has_value(); }

void SlabStep::work_out(std::span<const double> source, std::span<double> target,
                        const Shares& shares) {
  const config::FpGuard guard;
  if (impl_->coarse) {
    const BlockArrays arrays{source.data(), shares.of_source, target.data(), shares.of_target};
    return impl_->gather.take_blocks(*impl_->coarse, arrays, 0);
  }
  impl_->gather.deliver(source.data(), target.data());
}

std::size_t SlabStep::bytes() const { return impl_->plan.bytes(); }

}  // namespace epios::io
