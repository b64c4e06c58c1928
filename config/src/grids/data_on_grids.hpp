/// @file
/// Data on grids that differ from their own in the mask alone.
#pragma once

#include <map>
#include <tuple>

#include "config/model_fwd.hpp"
#include "config/model_ids.hpp"
#include "grids/grid_builder.hpp"
#include "grids/transformed_grids.hpp"
#include "language/inheritance.hpp"

namespace epios::config {

/// Both are -1 if the origin is not known, which is reported.
struct DataOrigin {
  SourceId source{};          ///< index into Model::sources
  ExpressionId expression{};  ///< index into Model::expressions
  bool is_known() const { return source >= 0 || expression >= 0; }
};

/// Makes expressions that only say on which grid data are: the mask of that grid counts for what is
/// made of them. Each once.
class DataOnGrids {
 public:
  DataOnGrids(const ContextStore& store, Inheritance& inheritance, GridBuilder& grids,
              const TransformedGrids& transformed, Model& model)
      : store_(store),
        inheritance_(inheritance),
        grids_(grids),
        transformed_(transformed),
        model_(model) {}

  /// Returns data on another grid of the same elements with a mask, which `field` names; on a grid
  /// without a mask, of other elements, or one that was made in its place, they stay what they are.
  DataOrigin on(GridId grid, int field, const DataOrigin& data);
  void put_on(GridId grid, int field, FieldExpressionNode& data);
  /// Returns the data of `owner` on such grids that the fields name which lead from there to
  /// `field`, one after the other.
  DataOrigin on_named(int field, int owner, DataOrigin data);
  /// Returns true if the expression is one of these.
  bool has_made(ExpressionId expression) const;

 private:
  const ContextStore& store_;
  Inheritance& inheritance_;
  GridBuilder& grids_;
  const TransformedGrids& transformed_;
  Model& model_;
  std::map<std::tuple<SourceId, ExpressionId, GridId>, ExpressionId> made_;
};

}  // namespace epios::config
