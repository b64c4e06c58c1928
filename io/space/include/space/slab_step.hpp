/// @file
/// A step from grid to grid on the server that has a file, where all of the source is.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "config/model_fwd.hpp"
#include "grid/step_rows.hpp"

namespace epios::io {

/// Computes the values of a whole grid, in file order, from those of another one: the same sums as
/// on clients (StepRun), to the last bit. Belongs to one thread.
class SlabStep {
 public:
  /// `expression` is a step that servers compute (config::is_on_servers). The model is not kept.
  /// `rows` are those of the clients, in ascending order of ranks, with their numbers inside the
  /// grids. If a target has several rows, the first one counts.
  SlabStep(const config::Model& model, int expression, std::span<const StepRows* const> rows);
  SlabStep(const SlabStep&) = delete;
  SlabStep(SlabStep&&) noexcept;
  SlabStep& operator=(const SlabStep&) = delete;
  SlabStep& operator=(SlabStep&&) noexcept;
  ~SlabStep();

  /// Returns the marker in the source for points for which no client has a value. Other NaN are
  /// missing values.
  double unowned_value() const;
  /// The parts of cells that values stand for, parallel to the values: 0 stands for all of a cell.
  /// Null: of the source, all of each cell; of the target, nobody needs them. Only for steps that
  /// coarsen domains.
  struct Shares {
    const double* of_source = nullptr;
    double* of_target = nullptr;
  };
  bool coarsens() const;
  /// Computes the target. Points of the target without a row keep their values. Does not allocate.
  /// Cost: rows × points of the other elements.
  void work_out(std::span<const double> source, std::span<double> target, const Shares& shares);
  void work_out(std::span<const double> source, std::span<double> target) {
    work_out(source, target, {});
  }
  /// Returns the bytes that it holds.
  std::size_t bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::io
