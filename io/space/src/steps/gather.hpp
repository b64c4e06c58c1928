/// @file
/// Values at points of one grid from those of another, wherever they are.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <memory>
#include <span>
#include <vector>

#include "config/model_fwd.hpp"
#include "exchange/persistent_exchange.hpp"
#include "exchange/step_frame.hpp"
#include "weights/row_sums.hpp"

namespace epios::io {

/// How the values of a block of cells become one.
struct CoarseRule {
  enum class Operation { mean, sum, least, greatest } operation = Operation::mean;
  double least_share = 0;  ///< nothing comes of a block of which cells with values cover less
};
CoarseRule coarse_rule(const config::Transformation& how);

/// Plans who sends which points to whom, and the weighted sums made of them, with the bits of
/// apply_row(). A target without any source is missing. Several fields share one plan.
class GatherPlan {
 public:
  /// Collective over `comm`; none: whatever is needed is here.
  GatherPlan(const Frame& frame, Stencils stencils, const RowGaps& gaps, const ep::Comm* comm);
  /// Returns the marker of source points that are masked or that nobody has. It never occurs in
  /// results.
  double unowned_value() const;
  /// Returns the bytes of a plan, including the values of others that one Gather holds.
  std::size_t bytes() const;

 private:
  friend class Gather;
  struct Sent {
    int rank = 0;
    std::vector<std::int64_t> places;  ///< along the element
  };
  void plan(const Points& sources, const ep::Comm& comm);
  /// Divides the weights of each target by their sum, the part of it that is covered.
  void renormalize();
  /// Values of one level behind, here and from others.
  struct Place {
    const double* here = nullptr;
    const double* there = nullptr;
  };
  /// Levels that are worked out at a time: their sums stay in the innermost cache.
  static constexpr std::size_t block = 256;
  void work_out(const double* values, std::size_t behind, const double* halo, double* to) const;
  /// Where there is one level before: of targets [first, end), all levels.
  void work_out_targets(const double* values, const double* halo, double* to, std::size_t first,
                        std::size_t end) const;
  /// Sums `Side` levels from `behind` on.
  template <std::size_t Side>
  void work_out_side(const double* values, std::size_t behind, const double* halo, double* to,
                     std::size_t first, std::size_t end) const;
  /// Entries of the targets that are worked out level after level: weights and places of so many
  /// stay in a near cache.
  static constexpr std::int64_t near_entries = 8192;
  void add(const Place& place, std::size_t entry, std::size_t from, std::size_t n, double weight,
           RowSums<block>& row) const;
  double weight(std::size_t entry) const {
    return stencils_.weights.empty() ? 1.0 : stencils_.weights[entry];
  }
  double with_gaps(const Place& place, std::size_t target, std::size_t before) const;
  double value(const Place& place, std::size_t entry, std::size_t before) const;

  Level before_, behind_;
  std::int64_t source_array_, target_array_;
  Stencils stencils_;
  RowGaps gaps_;
  std::vector<double> covered_;   ///< per target, if the weights were divided by it
  bool is_before_whole_ = false;  ///< its places follow each other
  std::vector<RowScale> rows_;    ///< per target, where there is one level before
  /// For each entry of the stencils: offset of the place in the source's array or, below 0, of the
  /// value from others.
  std::vector<std::int64_t> entries_;
  std::vector<Sent> sent_;
  std::vector<std::size_t> sends_, receives_;  ///< bytes, by rank
  std::size_t halo_size_ = 0;
};

/// Values of one field, or of several that are taken together: one message for all. Belongs to one
/// endpoint.
class Gather {
 public:
  /// `comm` as that of the plan; all outlive this. `tag` is of this one alone. Local.
  Gather(const GatherPlan& plan, const ep::Comm* comm, int tag, StepTraffic& traffic,
         std::size_t arrays = 1);

  /// Values for others leave, of as many arrays as there are. Never waits.
  void take(std::span<const double* const> arrays, std::int64_t date);
  /// Returns true if the points of others have arrived. Never waits.
  bool is_done() { return !exchange_ || exchange_->is_done(); }
  /// They have. `values` as they were taken; results at their places of `to`. Of each array once,
  /// in their order.
  void deliver(const double* values, double* to, std::size_t array = 0);
  /// Like deliver(), for blocks of cells. `shares`: the part of each source that its value stands
  /// for, taken as a second array; null: all of it. `to_shares` gets those of the results, unless
  /// it is null.
  void coarsen(const CoarseRule& rule, const double* values, const double* shares, double* to,
               double* to_shares);
  const PersistentExchange* exchange() const { return exchange_.get(); }

 private:
  const GatherPlan& plan_;
  std::size_t arrays_;
  std::unique_ptr<PersistentExchange> exchange_;
  std::vector<double> halo_;  ///< all levels of each point of others; the last one stands for
                              ///< points that nobody has
  std::vector<double> halo_shares_;  ///< likewise, of the second of two arrays
};

}  // namespace epios::io
