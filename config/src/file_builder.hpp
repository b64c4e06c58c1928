/// @file
/// Files, their streams and the sources of those, for the Model.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "config/model.hpp"
#include "grid_builder.hpp"
#include "inheritance.hpp"
#include "period_builder.hpp"

namespace epios::config {

class FileBuilder {
 public:
  FileBuilder(const ContextStore& store, Inheritance& inheritance, Findings& findings,
              const Clock& clock, std::string output_dir, Model& model);

  /// Adds all enabled files that keep at least one field.
  void add_files();
  /// Variables below a node, through groups.
  std::vector<Variable> variables_of(int node);
  /// Ids of the fields a model may send without effect.
  std::vector<std::string> known_fields() const;

 private:
  void add_file(int node);
  /// Fields of a file that are enabled and not above its level, in document order.
  std::vector<int> kept_fields(int file, std::int64_t output_level);
  std::string path_of(int node, const FileAttributes& attributes);
  void check_path_is_free(int node, const std::string& path);
  bool add_stream(int field, int file, const FileAttributes& attributes);
  void check_stream_name(int field, const Stream& stream);
  void check_missing_value(int field, const FieldAttributes& attributes);
  /// Reports values that the file's kind of number cannot hold.
  void check_precision(int field, const FieldAttributes& attributes);
  /// Whether a field at the end of its references refers to nothing, which is reported already.
  bool is_dangling(int field) const;
  /// Of a field and of the expressions on the way to its data.
  void check_available_chain(int field);
  int source_of(int field);
  int root_of(int field);

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  PeriodBuilder periods_;
  std::string output_dir_;
  Model& model_;
  GridBuilder grids_;
  std::unordered_map<int, int> sources_;
  std::unordered_map<std::string, std::string> path_owners_;
  std::unordered_map<std::string, std::string> stream_names_;
};

}  // namespace epios::config
