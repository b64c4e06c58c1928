/// @file
/// The fields that a printed Model needs by id, because its files, couplers and expressions refer
/// to them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/attributes.hpp"
#include "config/calendar.hpp"
#include "config/model_ids.hpp"

namespace epios::config {

/// A field with an id.
struct PrintedField {
  std::string reference;      ///< its field_ref; "" for none
  GridId grid{};              ///< index into Model::grids; -1 if it is not needed
  ExpressionId expression{};  ///< its own expression, an index into Model::expressions
  /// Attributes of the definition that operands and sources need.
  FieldAttributes attributes;
  bool is_elsewhere = false;  ///< true if a file or a coupler contains it, not the definition
  bool is_received = false;   ///< true if the model receives it, with these attributes
  ExpressionId way{};         ///< the end of its own way to its grid
};

class PrintedFields {
 public:
  explicit PrintedFields(const Model& model);

  /// Returns the ids in the order of their definition.
  const std::vector<std::string>& ids() const { return order_; }
  const PrintedField& at(const std::string& id) const { return fields_.at(id); }
  bool has(const std::string& id) const { return fields_.contains(id); }
  /// Returns true if the field in a file or coupler that has this expression has the id of the
  /// expression.
  bool has_own_id(ExpressionId expression) const;
  /// Returns the grid_path of a field in a file or coupler that has this expression; nothing if the
  /// field that it refers to has it.
  std::optional<std::string> path_to(ExpressionId expression) const;
  /// Returns the id that `this_ref` stands for in the expression of a field; empty if it is not
  /// used.
  std::string reference_of(ExpressionId expression) const;
  /// Returns the names of the attributes that come along a reference.
  std::set<std::string_view> inherited(const std::string& reference) const;

 private:
  struct Use;

  /// Returns the own expression of a field, given the end of its way to its grid.
  ExpressionId own(ExpressionId expression) const;
  PrintedField& add(const std::string& id);
  const std::string& id_of(SourceId source, ExpressionId expression) const;
  const std::string& operand_of(const FieldExpressionNode& node) const;
  void add_received();
  void add_sources();
  void add_read(const Source& source);
  void add_results();
  void add_expressions();
  bool is_of_read_file(const FieldExpression& expression) const;
  void add_of_read_file(ExpressionId expression);
  void add_way(ExpressionId expression);
  void add_what_hands_on();
  void add_owners_elsewhere();
  void add_units();
  void add_aliases();
  void add_owner(const Use& use);
  void add_operand(ExpressionId owner, const FieldExpressionNode& node);
  std::vector<Use> uses() const;

  const Model& model_;
  Duration step_;
  std::map<std::string, PrintedField> fields_;
  std::vector<std::string> order_;
};

}  // namespace epios::config
