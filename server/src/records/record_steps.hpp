#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "config/index.hpp"
#include "config/model_fwd.hpp"
#include "event/event_queue.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "grid/pieces.hpp"
#include "records/stream_assignment.hpp"
#include "space/slab_step.hpp"
#include "space/zeroed_array.hpp"

namespace epios::server {

/// Puts records together as doubles and transforms them before a server writes them:
/// transformations with place="server". All that they need is there from the opening on. One record
/// at a time; only the server's thread calls.
///
/// Records of streams that continue others (Pieces::continued) are made with the record of the
/// finest one and kept until their own event comes, which follows it.
class RecordSteps {
 public:
  RecordSteps() = default;
  /// `shares` and `streams`: those of `pieces`; `parts` have the rows, ascending by client. Nothing
  /// of it is kept.
  RecordSteps(const config::Model& model, const io::Pieces& pieces,
              const std::vector<PieceAssignment>& shares,
              const std::vector<StreamAssignment>& streams, std::span<const io::OpeningPart> parts);

  /// A record as it is on file, in `result`, from the parts that came of it, or as it was kept; NaN
  /// is missing. Also makes the records of those streams that continue this one. Allocates nothing.
  void work_out(const io::EventHeader& header, const StreamAssignment& share,
                std::span<const io::EventQueue::Part> parts, std::span<double> result);
  /// Returns the bytes that this holds.
  std::size_t bytes() const;

 private:
  struct Stage {
    io::SlabStep step;
    std::size_t values = 0;             ///< of the target
    std::vector<std::int64_t> holes{};  ///< places of the target that no client has
  };
  /// The record under way of a stream that continues another one.
  struct Level {
    int stage = 0;                            ///< into stages_
    std::int64_t record = -1;                 ///< that is kept
    std::vector<double> values;               ///< of it
    std::optional<io::ZeroedArray> shares{};  ///< SlabStep::Shares, if other levels are made of it
  };
  void add_levels(const std::vector<StreamAssignment>& streams);
  /// Returns true if what stage k of a stream makes is coarsened on.
  bool needs_shares(const StreamAssignment& stream, std::size_t k) const;
  void apply_steps(const StreamAssignment& share, std::span<const double> source,
                   std::span<double> result);
  void apply(int stage, std::span<const double> source, std::span<double> target,
             const io::SlabStep::Shares& shares, double unowned_value);
  /// Makes the records of those that continue a stream.
  void make_levels(int stream, std::int64_t record, std::span<const double> finer,
                   const double* shares);
  const Stage& stage(int number) const { return nth(stages_, number); }
  Stage& stage(int number) { return nth(stages_, number); }

  std::vector<Stage> stages_;                             // per Pieces::steps
  std::array<std::vector<double>, 2> arrays_;             // what goes into a step, in turn
  std::array<std::optional<io::ZeroedArray>, 2> shares_;  // parallel, where cells are coarsened on
  std::vector<std::optional<Level>> levels_;              // per stream, as the next one
  std::vector<std::vector<int>> coarser_;                 // streams that continue it
};

}  // namespace epios::server
