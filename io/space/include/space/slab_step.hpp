/// @file
/// A step from grid to grid where all of the source is: on the server that has a file.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "config/model_fwd.hpp"
#include "grid/step_rows.hpp"

namespace epios::io {

/// Values of a whole grid, in the order of files, from those of another one: the sums that clients
/// would make (StepRun), to the last bit. Belongs to one thread.
class SlabStep {
 public:
  /// `expression`: a step that servers work out (config::is_on_servers); the model is not kept.
  /// `rows`: of clients, ascending by rank, their numbers inside the grids; of several rows of one
  /// target the first one counts.
  SlabStep(const config::Model& model, int expression, std::span<const StepRows* const> rows);
  SlabStep(const SlabStep&) = delete;
  SlabStep(SlabStep&&) noexcept;
  SlabStep& operator=(const SlabStep&) = delete;
  SlabStep& operator=(SlabStep&&) noexcept;
  ~SlabStep();

  /// What stands in the source for points that no client has a value for; other NaN are missing.
  double unowned_value() const;
  /// Points of the target without row stay as they are. Allocates nothing. Cost: rows × points of
  /// the other elements.
  void work_out(std::span<const double> source, std::span<double> target);
  /// What it holds.
  std::size_t bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::io
