/// @file
/// Finds where the data of fields comes from: sources and expressions of the Model.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "building/period_builder.hpp"
#include "building/unit_conversions.hpp"
#include "check/expression_check.hpp"
#include "config/model_fwd.hpp"
#include "grids/data_on_grids.hpp"
#include "grids/grid_builder.hpp"
#include "grids/transformed_grids.hpp"
#include "language/inheritance.hpp"

namespace epios::config {

class DataBuilder {
 public:
  /// The Model must have its variables already.
  DataBuilder(const ContextStore& store, Inheritance& inheritance, Findings& findings,
              Expressions& expressions, PeriodBuilder& periods, GridBuilder& grids, Model& model);

  /// Follows the references to a field that the model sends or that has an expression. Adds what is
  /// not in the Model yet.
  DataOrigin data_of(int field);
  GridId grid_of(const DataOrigin& data) const;
  /// Returns the grid of a field that names one, with data that may have been made from another.
  GridId grid_of(const DataOrigin& data, GridId named) const {
    return transformed_.settled(named, grid_of(data));
  }
  /// Returns the field that owns the data of a field: at the end of the references, or the first
  /// one with an expression.
  int owner_of(int field);
  /// Returns the field at the very end of the references, whatever grids its data passes through.
  int root_of(int field);
  /// Returns true if a field is on another grid than the field it refers to, so that its data is
  /// made from that field.
  bool changes_grid(int field);
  /// Returns the ids of the fields between a field and its data, from the data to it, without
  /// either.
  std::vector<std::string> references_between(int field);
  /// Says that the data of a field comes from another context, whatever it refers to.
  void receive(int field) { received_.insert(field); }
  /// Says that the data of a field comes from a file, whatever it refers to. `read_field` is an
  /// index into Model::read_fields.
  void read(int field, ReadFieldId read_field) { read_.emplace(field, read_field); }
  /// Says that these fields are written, coupled or read. If their data comes on an element
  /// unchanged, what is made of other data gets another element.
  void expect(std::vector<int> fields);
  /// Returns how often data that is read comes: the longest period of the files that it comes from,
  /// without temporal operations between. Returns nothing for data that the model sends, and for
  /// data that comes at other dates than multiples of its period, or at all dates.
  std::optional<Duration> reading_period(const DataOrigin& data) const;
  /// Returns the conversion of a field whose data comes in another unit.
  std::optional<UnitConversions::Conversion> conversion_of(int field) {
    return units_.of(field, root_of(field));
  }
  /// Returns true if the references lead to nothing, which is reported already. What they would
  /// have provided is then not reported as missing.
  bool is_lost(int field);
  /// Says who has asked for the fields that have turned out, since the last call, to be unmade.
  void note_taker(const std::string& title);
  /// Reports mistakes of grids that are made of others. Called when all fields are known.
  void check_sources();
  /// Returns the ids of the fields that a model may send without effect.
  std::vector<std::string> known_fields() const;

 private:
  /// Returns true if a field at the end of its references refers to nothing, which is reported
  /// already.
  bool is_dangling(int field) const;
  /// Returns the operands of the expression of a field, if the expression is valid.
  std::vector<int> operands_of(int owner);
  int operand_of(int owner, const ExpressionNode& node);
  /// Returns the fields that a field is made of. It includes the field itself if that has data of
  /// its own.
  std::vector<int> made_of(int field);
  DataOrigin make(int owner);
  /// Notes that the model may not send to the field if it has an id of its own.
  void leave_dangling(int field);
  /// Makes the data of a field that changes grids from that of the field it refers to.
  DataOrigin transformed(int field);
  /// Returns the expression of a field whose data comes on another grid, through the grids of its
  /// grid_path.
  ExpressionId bring(int field, const FieldExpressionNode& data, GridId own);
  /// Returns the grid_path of a field, unless a field that it refers to has used it.
  const Setting* path_of(int field);
  /// Returns a grid on the path, or -1 for an invalid id.
  GridId grid_on_path(const Setting& path, std::string_view id);
  NamedData named(const std::string& id);
  bool is_grid_broken(int field);
  SourceId source_of(int field);
  SourceId source_of_file(int field, ReadFieldId read_field);
  ExpressionId add_expression(int owner, const Expression& expression);
  void resolve_variable(const ExpressionNode& node, FieldExpressionNode& resolved) const;
  bool resolve_data(int owner, const ExpressionNode& node, FieldExpressionNode& resolved);
  /// Resolves '@': what `field` does in time.
  bool resolve_operation(int owner, int field, const ExpressionNode& node,
                         FieldExpressionNode& resolved);
  Origin place_in_expression(int owner, std::size_t offset);
  /// Checks the grid that the field itself names.
  bool check_own_grid(int owner, GridId common, GridId own, const FieldExpression& expression);
  /// Returns the grid of the operands, or -1 if they cannot have the same size.
  GridId common_grid(int owner, const Expression& expression, const FieldExpression& resolved);

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  Expressions& expressions_;
  PeriodBuilder& periods_;
  GridBuilder& grids_;
  Model& model_;
  UnitConversions units_;
  std::unordered_map<std::string, VariableId> variables_;  ///< by id
  std::unordered_map<int, DataOrigin> made_;               ///< by owner
  std::unordered_set<int> begun_;                          ///< owners whose operands are being made
  std::unordered_set<int> received_;
  std::unordered_set<int> left_dangling_;
  std::unordered_map<int, bool> changes_grid_;  ///< by field
  TransformedGrids transformed_;
  DataOnGrids on_grids_;
  std::unordered_set<std::string> paths_gone_;  ///< places of every grid_path that data passes
  std::unordered_set<int> named_;  ///< fields whose data is being made for transformations
  std::unordered_map<int, ReadFieldId> read_;  ///< by field
  std::unordered_map<int, SourceId> sources_;  ///< by field; -1: it cannot be sent
};

}  // namespace epios::config
