/// @file
/// Files that are read, and their fields, for the Model.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "building/data_builder.hpp"
#include "building/period_builder.hpp"
#include "config/model_fwd.hpp"
#include "grids/grid_builder.hpp"
#include "language/inheritance.hpp"

namespace epios::config {

class ReadFileBuilder {
 public:
  ReadFileBuilder(const ContextStore& store, Inheritance& inheritance, Findings& findings,
                  PeriodBuilder& periods, GridBuilder& grids, DataBuilder& data, Model& model);

  /// Adds a file with mode="read" and those of its fields that are enabled. Its periods are settled
  /// already.
  void add(int node, const FileAttributes& attributes, const std::vector<int>& fields);
  /// Adds the other fields of the context that stand for read fields, because they refer to them.
  void add_aliases();
  /// Returns true if the model receives a field with that id from a file, unchanged.
  bool has(const std::string& id) const { return ids_.contains(id); }
  /// Returns the fields for which the model receives the result of their expression.
  const std::vector<int>& with_expression() const { return with_expression_; }

 private:
  /// Reports what only files whose dates are looked at can have.
  void check_dates(int node, const FileAttributes& attributes);
  void check_series(int node, const FileAttributes& attributes);
  void check_start(int node, const ReadFile& file);
  void check_offset(int node, const ReadFile& file);
  void add_operand(int field, ReadFieldId index);
  bool has_other_values(int field, const ReadField& read);
  bool add_field(int field, ReadFileId file, const FileAttributes& file_attributes);

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  PeriodBuilder& periods_;
  GridBuilder& grids_;
  DataBuilder& data_;
  Model& model_;
  std::vector<int> with_expression_;
  std::unordered_map<int, ReadFieldId> by_node_;
  std::unordered_map<std::string, std::string> ids_;  ///< places of read fields, by id
};

}  // namespace epios::config
