// Coarser levels: the stencils of <coarsen_domain>, and how the values of a block become one.
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "config/model.hpp"
#include "elements/coarsened_domains.hpp"
#include "grid/index.hpp"
#include "grid/missing.hpp"
#include "steps/gather.hpp"
#include "steps/stencils.hpp"

namespace epios::io {

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

/// The cells of one block, one after the other.
class Block {
 public:
  /// `share`: the part of the block that the values of the cell stand for.
  void add(double value, double share) {
    if (std::isnan(value) || !(share > 0)) return;
    means_.add(share, 1, [value](std::size_t) { return value; });
    sum_ += value;
    least_ = std::min(least_, value);
    greatest_ = std::max(greatest_, value);
  }
  double share() const { return means_.is_empty() ? 0 : means_.whole(); }
  double value(CoarseRule::Operation operation) const {
    switch (operation) {
      case CoarseRule::Operation::sum:
        return sum_;
      case CoarseRule::Operation::least:
        return least_;
      case CoarseRule::Operation::greatest:
        return greatest_;
      case CoarseRule::Operation::mean:
        break;
    }
    return means_.value(0, 1, scale_of(1 / means_.whole()));
  }

 private:
  RowSums<1> means_;
  double sum_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  double greatest_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

void Gather::coarsen(const CoarseRule& rule, const double* values, const double* shares, double* to,
                     double* to_shares) {
  if (exchange_) {
    auto value = halo_.begin();
    auto share = halo_shares_.begin();
    for (const int rank : exchange_->origins()) {
      const auto all = exchange_->from<double>(rank);
      const auto part = all.first(all.size() / arrays_);
      value = std::copy(part.begin(), part.end(), value);
      if (arrays_ == 1) continue;
      share = std::copy(all.begin() + static_cast<std::ptrdiff_t>(part.size()), all.end(), share);
    }
    exchange_->open();
  }
  const Level& before = plan_.before_;
  const Level& behind = plan_.behind_;
  const std::size_t count = before.places.size();
  const Stencils& stencils = plan_.stencils_;
  for (std::size_t b = 0; b < behind.places.size(); ++b) {
    const std::int64_t from = before.array * plan_.source_array_ * behind.places[b];
    const GatherPlan::Place place{values + from, halo_.data() + b * count};
    const GatherPlan::Place parts{shares == nullptr ? nullptr : shares + from,
                                  halo_shares_.data() + b * count};
    const std::int64_t first = before.array * plan_.target_array_ * behind.places[b];
    for (std::size_t t = 0; t < stencils.targets.keys.size(); ++t) {
      const std::int64_t target = first + before.array * stencils.targets.places[t];
      const auto begin = as_index(stencils.begin[t]);
      const auto end = as_index(stencils.begin[t + 1]);
      for (std::size_t a = 0; a < count; ++a) {
        Block block;
        for (std::size_t e = begin; e < end; ++e) {
          const double part = shares == nullptr ? 1 : plan_.value(parts, e, a);
          block.add(plan_.value(place, e, a), plan_.weight(e) * part);
        }
        const bool is_there =
            block.share() > 0 && block.share() >= rule.least_share - rounding_of_cover;
        const std::int64_t at = target + before.places[a];
        to[at] = is_there ? block.value(rule.operation) : missing;
        if (to_shares != nullptr) to_shares[at] = is_there ? block.share() : 0;
      }
    }
  }
}

}  // namespace epios::io
