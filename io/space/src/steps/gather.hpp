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
#include "steps/compact_list.hpp"
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
  /// Sums are worked out once all points have come. Blocks of cells (CoarseRule) that need nobody
  /// are worked out when values are taken; those of the others are kept with what others send.
  enum class Use { sums, blocks };
  /// Collective over `comm`; none: whatever is needed is here.
  GatherPlan(const Frame& frame, Stencils stencils, const RowGaps& gaps, const ep::Comm* comm,
             Use use = Use::sums);
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
  /// Finds those `entries`, places of `keys`, that other clients have: below 0, among the values of
  /// others.
  void plan(const Points& sources, const std::vector<std::int64_t>& keys, const ep::Comm& comm,
            std::vector<std::int64_t>& entries);
  /// Lets blocks that need points of others wait, and keeps this client's points of them.
  void let_wait(std::vector<std::int64_t>& entries);
  std::size_t targets() const { return places_.size(); }
  std::size_t first_entry(std::size_t target) const {
    return static_cast<std::size_t>(begin_[target]);
  }
  /// Returns true if the cells of each block are four that lie beside each other, here: pixels in
  /// nested order.
  bool are_rows_of_four() const;
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
  double weight(std::size_t entry) const { return weights_.empty() ? 1.0 : weights_[entry]; }
  double with_gaps(const Place& place, std::size_t target, std::size_t before) const;
  double value(const Place& place, std::size_t entry, std::size_t before) const;

  Level before_, behind_;
  std::int64_t source_array_, target_array_;
  CompactList begin_;                          ///< first entry of each target, and the end
  CompactList places_;                         ///< places of the targets along the element
  std::vector<double> weights_, first_order_;  ///< as in Stencils
  RowGaps gaps_;
  std::vector<double> covered_;   ///< per target, if the weights were divided by it
  bool is_before_whole_ = false;  ///< its places follow each other
  std::vector<RowScale> rows_;    ///< per target, where there is one level before
  /// For each entry of the stencils: offset of the place in the source's array or, below 0, of the
  /// value from others.
  CompactList entries_;
  std::vector<Sent> sent_;
  std::vector<std::size_t> sends_, receives_;  ///< bytes, by rank
  std::size_t halo_size_ = 0;
  std::vector<std::size_t> waiting_;  ///< blocks that need points of others, ascending
  std::vector<std::int64_t> kept_;    ///< places of this client's points of these
};

/// The arrays of blocks of cells.
struct BlockArrays {
  const double* values = nullptr;  ///< of the cells
  /// The part of each cell that its value stands for; 0: all of it, so that no memory is touched
  /// where nothing is missing. Null: of all cells all of it.
  const double* shares = nullptr;
  double* to = nullptr;
  double* to_shares = nullptr;  ///< likewise, of the results; null: nobody needs them
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
  /// Like take() and deliver(), for a plan of blocks. Shares go to others as a second array.
  void take_blocks(const CoarseRule& rule, const BlockArrays& arrays, std::int64_t date);
  void deliver_blocks(const CoarseRule& rule, double* to, double* to_shares);
  const PersistentExchange* exchange() const { return exchange_.get(); }

 private:
  /// Copies what others have sent of one array.
  void receive(std::size_t array, std::vector<double>& halo);
  /// Copies the points that wait for those of others.
  void keep(const double* values, std::vector<double>& halo);
  void work_out_blocks(const CoarseRule& rule, const BlockArrays& arrays, std::size_t first,
                       std::size_t end);
  template <CoarseRule::Operation Operation>
  void work_out_blocks(double least_share, const BlockArrays& arrays, std::size_t first,
                       std::size_t end);
  template <CoarseRule::Operation Operation>
  void work_out_block(double least_share, const BlockArrays& arrays, std::size_t behind,
                      std::size_t target);
  void work_out_rows(double least_share, const BlockArrays& arrays, std::size_t behind,
                     std::size_t first, std::size_t end);
  struct Cells;
  void find_cells(const BlockArrays& arrays, std::size_t target, std::size_t behind,
                  std::size_t before, Cells& cells) const;

  const GatherPlan& plan_;
  std::size_t arrays_;
  std::unique_ptr<PersistentExchange> exchange_;
  /// All levels of each point of others, behind those of a point that nobody has. In plans of
  /// blocks there follow own points that wait for these.
  std::vector<double> halo_;
  std::vector<double> halo_shares_;  ///< likewise, of the second of two arrays
};

}  // namespace epios::io
