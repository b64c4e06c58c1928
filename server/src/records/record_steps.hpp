#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "config/model_fwd.hpp"
#include "event/event_queue.hpp"
#include "event/opening.hpp"
#include "grid/pieces.hpp"
#include "records/stream_assignment.hpp"
#include "space/slab_step.hpp"

namespace epios::server {

/// Transforms records before a server writes them: transformations with place="server". All
/// that they need is there from the opening on. One record at a time; only the server's thread
/// calls.
class RecordSteps {
 public:
  RecordSteps() = default;
  /// `shares` and `streams`: those of `pieces`; `parts` have the rows, ascending by client. Nothing
  /// of it is kept.
  RecordSteps(const config::Model& model, const io::Pieces& pieces,
              const std::vector<PieceAssignment>& shares,
              const std::vector<StreamAssignment>& streams, std::span<const io::OpeningPart> parts);

  /// A record as it is on file, in `result`, from the parts that came of it; NaN is missing.
  /// Allocates nothing.
  void work_out(const StreamAssignment& share, std::span<const io::EventQueue::Part> parts,
                std::span<double> result);
  /// Returns the bytes that this holds.
  std::size_t bytes() const;

 private:
  struct Stage {
    io::SlabStep step;
    std::size_t values = 0;             ///< of the target
    std::vector<std::int64_t> holes{};  ///< places of the target that no client has
  };
  std::vector<Stage> stages_;                  // per Pieces::steps
  std::array<std::vector<double>, 2> arrays_;  // what goes into a step, in turn
};

}  // namespace epios::server
