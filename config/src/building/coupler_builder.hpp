/// @file
/// Couplers and their fields, for the Model.
#pragma once

#include <optional>
#include <unordered_map>

#include "building/data_builder.hpp"
#include "building/period_builder.hpp"
#include "config/model_fwd.hpp"
#include "grids/grid_builder.hpp"
#include "language/inheritance.hpp"

namespace epios::config {

class CouplerBuilder {
 public:
  CouplerBuilder(const ContextStore& store, Inheritance& inheritance, Findings& findings,
                 PeriodBuilder& periods, GridBuilder& grids, DataBuilder& data, Model& model);

  /// Announces received fields, which may take the grid of the partner. Called before any field is
  /// asked for its grid.
  void expect_received_fields();
  /// Announces the fields whose data is needed, before any file exists.
  void expect_data();
  /// Adds all enabled couplers.
  void add_couplers();

 private:
  void add_coupler(int node);
  bool is_enabled(int coupler);
  std::vector<int> kept_fields(int coupler);
  /// Sets code and context of the partner. Reports text of another form.
  void set_partner(int node, Coupler& coupler);
  std::optional<CoupledField> coupled_field(int field, ElementKind direction);

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  PeriodBuilder& periods_;
  GridBuilder& grids_;
  DataBuilder& data_;
  Model& model_;
};

}  // namespace epios::config
