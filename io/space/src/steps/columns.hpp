/// @file
/// interpolate_axis with coordinates that are fields: each column has its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "config/spatial.hpp"
#include "exchange/step_frame.hpp"
#include "steps/gather.hpp"
#include "steps/stencils.hpp"

namespace epios::io {

/// Transformation of whole columns. Several fields share one.
class ColumnPlan {
 public:
  /// `element`: the frame of the step. Collective. Throws Error{configuration} on all clients alike
  /// for coordinates that this client has at other places than values, or axes without values.
  ColumnPlan(const StepContext& context, const config::SpatialStep& step,
             const config::FieldExpression& expression, const Frame& element);

  /// Returns, for each point of the source axis, itself: the columns that a client needs.
  static Stencils whole_columns(std::int64_t size);

  bool has_source_field() const { return has_source_; }
  bool has_target_field() const { return has_target_; }
  /// Sizes of arrays of whole columns, of the target, and of the source as this client has it.
  std::size_t column_size() const;
  std::size_t target_size() const;
  std::size_t source_size() const { return source_size_; }

  /// A value of a source column at its coordinate.
  struct Known {
    double coordinate;
    double value;
    std::int64_t level;
  };
  /// Room for one column.
  struct Room {
    std::vector<Known> known;
  };
  Room room() const;
  /// `values` and `from` (null: the axis has them): before x points of the axis x behind; `to`
  /// (likewise) and `results` in the layout of the target. Allocates nothing.
  void work_out(const double* values, const double* from, const double* to, double* results,
                Room& room) const;

 private:
  double at(double coordinate, const Room& room) const;

  Level before_, behind_;
  std::int64_t size_ = 0, target_array_ = 1;
  std::size_t source_size_ = 0;
  Points targets_;
  bool has_source_ = false, has_target_ = false, extrapolates_ = true;
  std::size_t count_ = 2;          ///< points of a polynomial
  std::vector<double> from_, to_;  ///< values of the axes, `to_` as targets_
};

/// The columns of one field on their way. Belongs to one endpoint.
class Columns {
 public:
  /// `plan` outlives this.
  explicit Columns(const ColumnPlan& plan);

  /// Arrays that go to others together: values, and coordinates of the source as far as they are a
  /// field.
  std::size_t arrays() const { return plan_.has_source_field() ? 2 : 1; }
  /// Coordinates of a date, of the source and of the target, as far as they are fields.
  void take(std::span<const std::span<const double>> coordinates);
  /// Returns the coordinates of the source as they were taken, if they are a field.
  const double* coordinates() const { return kept_.data(); }
  /// `gather` has brought whole columns of all arrays; `values` as they were taken.
  void deliver(const double* values, Gather& gather, double* results);

 private:
  const ColumnPlan& plan_;
  std::vector<double> kept_, from_, to_;  ///< as they were taken; in whole columns; of the target
  std::vector<double> values_;
  ColumnPlan::Room room_;
};

}  // namespace epios::io
