// Coarser levels: the stencils of <coarsen_domain>, and how the values of a block become one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "config/model.hpp"
#include "config/transformation_traits.hpp"
#include "elements/coarsened_domains.hpp"
#include "exchange/whole_lines.hpp"
#include "grid/index.hpp"
#include "grid/missing.hpp"
#include "steps/gather.hpp"
#include "steps/stencils.hpp"

namespace epios::io {

namespace {

bool is_coarsened(const config::Domain& domain) {
  const auto& all = domain.transformations;
  return std::any_of(all.begin(), all.end(), [](const config::Transformation& t) {
    return config::traits_of(t.kind).work == config::TransformationWork::coarsening;
  });
}

/// Warns about a domain whose cells nothing weights, once: not for each of its levels and grids.
void remark_on_weights(const config::Domain& source, const std::string& where,
                       std::vector<std::string>& remarks) {
  if (is_coarsened(source)) return;
  const bool has_corners = source.attributes.bounds_lon_1d || source.attributes.bounds_lon_2d;
  std::string text = fmt::format(
      "{}: all cells of domain '{}' count alike in <coarsen_domain> ({}?", where, source.id,
      has_corners ? "it has no areas, and cells without four corners). Give it area"
                  : "it has neither areas nor corners). Give it area or bounds_lon and bounds_lat");
  if (std::find(remarks.begin(), remarks.end(), text) == remarks.end()) {
    remarks.push_back(std::move(text));
  }
}

}  // namespace

Stencils rows::coarsen_domain(StepContext& context, const config::SpatialStep& step) {
  const config::Domain& source = context.model.domains[step.source.domain()];
  const CellBlocks blocks(source.attributes);
  Stencils out;
  out.targets = points_of(context.parts.data(step.target));
  for (const std::int64_t block : out.targets.keys) {
    blocks.add_children(block, out.sources);
    out.close_target();
  }
  out.weights = shares_of_cells(source, out.targets.keys, context.clients);
  const bool has_areas = on_any(context.clients, !out.weights.empty());
  if (source.attributes.type == "curvilinear" && !has_areas) {
    remark_on_weights(source, step.transformation->where, context.remarks);
  }
  return out;
}

CoarseRule coarse_rule(const config::Transformation& how) {
  CoarseRule out;
  out.least_share = config::real_of(how, "min_valid_share").value_or(0);
  const std::string operation = config::text_of(how, "operation").value_or("average");
  if (operation == "sum") out.operation = CoarseRule::Operation::sum;
  if (operation == "min") out.operation = CoarseRule::Operation::least;
  if (operation == "max") out.operation = CoarseRule::Operation::greatest;
  return out;
}

namespace {

constexpr std::size_t most_cells = 4;

}  // namespace

/// The cells of a block, at levels that lie beside each other.
struct Gather::Cells {
  std::size_t count = 0;
  std::array<double, most_cells> weights{};  ///< parts of the block
  std::array<const double*, most_cells> values{};
  std::array<const double*, most_cells> shares{};  ///< as in BlockArrays

  double share(std::size_t cell, std::size_t level) const {
    if (shares[cell] == nullptr || shares[cell][level] == 0) return 1;
    return shares[cell][level];
  }
  /// Returns true if the values stand for all of the block, as far as there are values.
  bool are_whole(std::size_t level) const {
    for (std::size_t k = 0; k < count; ++k) {
      if (!(weights[k] > 0) || share(k, level) != 1) return false;
    }
    return true;
  }
};

namespace {

/// The bits of RowSums, of whole cells; NaN if one is missing. Most blocks are such.
template <class Cells>
double mean_of_whole(const Cells& cells, std::size_t level) {
  const double first = cells.values[0][level];
  double sum = 0;
  double least = first;
  double most = first;
  for (std::size_t k = 1; k < cells.count; ++k) {
    const double value = cells.values[k][level];
    sum += cells.weights[k] * (value - first);
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  return std::clamp(first + sum, least, most);
}

/// The same bits, of blocks of four cells one behind the other, without branches.
void means_of_rows(const double* values, std::size_t blocks, double* to) {
  constexpr double weight = 1.0 / most_cells;
  for (std::size_t b = 0; b < blocks; ++b) {
    const double* const v = values + most_cells * b;
    double sum = 0;
    double least = v[0];
    double most = v[0];
    for (std::size_t k = 1; k < most_cells; ++k) {
      sum += weight * (v[k] - v[0]);
      least = v[k] < least ? v[k] : least;
      most = v[k] > most ? v[k] : most;
    }
    const double mean = v[0] + sum;
    const double above = mean < least ? least : mean;
    to[b] = above > most ? most : above;
  }
}

/// What becomes of a block, and the part of it that the value stands for.
struct CoarseValue {
  double value = missing;
  double share = 0;
};

template <CoarseRule::Operation Operation, class Cells>
CoarseValue folded_with_gaps(const Cells& cells, std::size_t level) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr bool is_mean = Operation == CoarseRule::Operation::mean;
  CoarseValue out;
  RowSums<1> means;
  out.value = Operation == CoarseRule::Operation::least      ? infinity
              : Operation == CoarseRule::Operation::greatest ? -infinity
                                                             : 0;
  for (std::size_t k = 0; k < cells.count; ++k) {
    const double value = cells.values[k][level];
    const double share = cells.weights[k] * cells.share(k, level);
    if (std::isnan(value) || !(share > 0)) continue;
    out.share += share;
    if constexpr (is_mean) means.add(share, 1, [value](std::size_t) { return value; });
    if constexpr (Operation == CoarseRule::Operation::sum) out.value += value;
    if constexpr (Operation == CoarseRule::Operation::least) out.value = std::min(out.value, value);
    if constexpr (Operation == CoarseRule::Operation::greatest) {
      out.value = std::max(out.value, value);
    }
  }
  if (is_mean && out.share > 0) out.value = means.value(0, 1, scale_of(1 / means.whole()));
  return out;
}

template <CoarseRule::Operation Operation, class Cells>
CoarseValue folded(const Cells& cells, std::size_t level) {
  if (Operation == CoarseRule::Operation::mean && cells.are_whole(level)) {
    const double mean = mean_of_whole(cells, level);
    if (!std::isnan(mean)) return {mean, 1};
  }
  return folded_with_gaps<Operation>(cells, level);
}

/// Writes a result where enough of the block has values.
void put(const CoarseValue& result, double least_share, std::int64_t at,
         const BlockArrays& arrays) {
  const bool is_there = result.share > 0 && result.share >= least_share - rounding_of_cover;
  arrays.to[at] = is_there ? result.value : missing;
  if (arrays.to_shares == nullptr) return;
  const double share = is_there && scale_of(result.share) != 1 ? result.share : 0;
  if (arrays.to_shares[at] != share) arrays.to_shares[at] = share;
}

}  // namespace

void Gather::keep(const double* values, std::vector<double>& halo) {
  const Level& before = plan_.before_;
  double* to = halo.data() + halo.size() -
               plan_.kept_.size() * before.places.size() * plan_.behind_.places.size();
  for (const std::int64_t place : plan_.kept_) {
    for (const std::int64_t behind : plan_.behind_.places) {
      const double* const from = values + before.array * (place + plan_.source_array_ * behind);
      for (const std::int64_t level : before.places) *to++ = from[level];
    }
  }
}

void Gather::take_blocks(const CoarseRule& rule, const BlockArrays& arrays, std::int64_t date) {
  const std::array inputs{arrays.values, arrays.shares};
  take(std::span(inputs).first(arrays_), date);
  keep(arrays.values, halo_);
  if (arrays_ > 1) keep(arrays.shares, halo_shares_);
  std::size_t first = 0;
  for (const std::size_t waiting : plan_.waiting_) {
    work_out_blocks(rule, arrays, first, waiting);
    first = waiting + 1;
  }
  work_out_blocks(rule, arrays, first, plan_.targets());
}

void Gather::deliver_blocks(const CoarseRule& rule, double* to, double* to_shares) {
  for (std::size_t array = 0; array < arrays_; ++array) {
    receive(array, array == 0 ? halo_ : halo_shares_);
  }
  for (const std::size_t t : plan_.waiting_) {
    work_out_blocks(rule, {nullptr, nullptr, to, to_shares}, t, t + 1);
  }
}

void Gather::work_out_blocks(const CoarseRule& rule, const BlockArrays& arrays, std::size_t first,
                             std::size_t end) {
  using Operation = CoarseRule::Operation;
  switch (rule.operation) {
    case Operation::mean:
      return work_out_blocks<Operation::mean>(rule.least_share, arrays, first, end);
    case Operation::sum:
      return work_out_blocks<Operation::sum>(rule.least_share, arrays, first, end);
    case Operation::least:
      return work_out_blocks<Operation::least>(rule.least_share, arrays, first, end);
    case Operation::greatest:
      return work_out_blocks<Operation::greatest>(rule.least_share, arrays, first, end);
  }
}

/// Of blocks [first, end).
template <CoarseRule::Operation Operation>
void Gather::work_out_blocks(double least_share, const BlockArrays& arrays, std::size_t first,
                             std::size_t end) {
  constexpr bool is_mean = Operation == CoarseRule::Operation::mean;
  const bool are_rows = is_mean && plan_.are_rows_of_four() && arrays.values != nullptr;
  for (std::size_t b = 0; b < plan_.behind_.places.size(); ++b) {
    if (are_rows) {
      work_out_rows(least_share, arrays, b, first, end);
      continue;
    }
    for (std::size_t t = first; t < end; ++t) {
      work_out_block<Operation>(least_share, arrays, b, t);
    }
  }
}

/// All levels before, of one block and one level behind.
template <CoarseRule::Operation Operation>
void Gather::work_out_block(double least_share, const BlockArrays& arrays, std::size_t behind,
                            std::size_t target) {
  const Level& before = plan_.before_;
  const std::size_t count = before.places.size();
  const std::size_t side = plan_.is_before_whole_ ? count : 1;  // levels beside each other
  const std::int64_t to =
      before.array * (plan_.target_array_ * plan_.behind_.places[behind] + plan_.places_[target]);
  Cells cells;
  for (std::size_t a = 0; a < count; a += side) {
    find_cells(arrays, target, behind, a, cells);
    std::int64_t at = to + before.places[a];
    for (std::size_t level = 0; level < side; ++level, ++at) {
      put(folded<Operation>(cells, level), least_share, at, arrays);
    }
  }
}

bool GatherPlan::are_rows_of_four() const {
  return weights_.empty() && begin_.ascends_by(most_cells) && entries_.ascends_by(1) &&
         places_.ascends_by(1) && entries_.size() > 0 && entries_[0] >= 0 &&
         before_.places.size() == 1;
}

/// Means of blocks [first, end) whose cells lie beside each other, at one level behind: first as if
/// all were whole, then those that are not once more.
void Gather::work_out_rows(double least_share, const BlockArrays& arrays, std::size_t behind,
                           std::size_t first, std::size_t end) {
  constexpr std::size_t most_blocks = 256;  // what is read twice stays in the innermost cache
  const std::int64_t level = plan_.behind_.places[behind];
  Cells cells;
  cells.count = most_cells;
  cells.weights.fill(1.0 / most_cells);
  while (first < end) {
    const std::size_t count = std::min(most_blocks, end - first);
    const std::int64_t from =
        plan_.source_array_ * level + plan_.entries_[plan_.first_entry(first)];
    const std::int64_t at = plan_.target_array_ * level + plan_.places_[first];
    const double* const values = arrays.values + from;
    const double* const shares = arrays.shares == nullptr ? nullptr : arrays.shares + from;
    means_of_rows(values, count, arrays.to + at);
    for (std::size_t k = 0; k < count; ++k) {
      const std::int64_t place = at + static_cast<std::int64_t>(k);
      const double* const of = shares == nullptr ? nullptr : shares + most_cells * k;
      const bool are_whole = of == nullptr || of[0] + of[1] + of[2] + of[3] == 0;
      if (are_whole && !std::isnan(arrays.to[place])) {
        if (arrays.to_shares != nullptr && arrays.to_shares[place] != 0)
          arrays.to_shares[place] = 0;
        continue;
      }
      for (std::size_t cell = 0; cell < most_cells; ++cell) {
        cells.values[cell] = values + most_cells * k + cell;
        cells.shares[cell] = of == nullptr ? nullptr : of + cell;
      }
      put(folded_with_gaps<CoarseRule::Operation::mean>(cells, 0), least_share, place, arrays);
    }
    first += count;
  }
}

/// Finds the cells of a block from level `before` on.
void Gather::find_cells(const BlockArrays& arrays, std::size_t target, std::size_t behind,
                        std::size_t before, Cells& cells) const {
  const Level& levels = plan_.before_;
  const std::int64_t side = levels.array * plan_.source_array_ * plan_.behind_.places[behind];
  const auto level = static_cast<std::int64_t>(behind * levels.places.size() + before);
  const std::size_t first = plan_.first_entry(target);
  cells.count = plan_.first_entry(target + 1) - first;
  for (std::size_t k = 0; k < cells.count; ++k) {
    const std::int64_t at = plan_.entries_[first + k];
    const bool is_here = at >= 0;
    const std::int64_t place = is_here ? side + at + levels.places[before] : -1 - at + level;
    const double* const shares = is_here       ? arrays.shares
                                 : arrays_ > 1 ? halo_shares_.data()
                                               : nullptr;
    cells.values[k] = (is_here ? arrays.values : halo_.data()) + place;
    cells.shares[k] = shares == nullptr ? nullptr : shares + place;
    cells.weights[k] =
        plan_.weights_.empty() ? 1 / static_cast<double>(cells.count) : plan_.weights_[first + k];
  }
}

}  // namespace epios::io
