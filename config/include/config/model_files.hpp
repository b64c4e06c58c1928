/// @file
/// Files of a Model that are written or read, and their fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/attributes.hpp"
#include "config/temporal.hpp"

namespace epios::config {

struct Variable {
  std::string id;
  std::string name;  ///< name of the attribute on file
  VariableAttributes attributes;
  std::string text;
};

/// What the model may not send, since a file wants of it what cannot be made.
struct Unmade {
  std::string source;  ///< id of the field that would be sent
  std::string why;
  std::string suggestion;
};

/// Fields that are defined and have no stream.
struct UnwrittenFields {
  std::vector<std::string> known;  ///< ids of those that may be sent without effect, sorted
  std::vector<Unmade> unmade;      ///< not canonical
};

/// A field in a file: one variable, one stream of records. Or one that the model receives.
struct Stream {
  std::string id;    ///< id of the field inside the file, or of the field it refers to
  std::string name;  ///< variable name
  int file = 0;      ///< -1: the model receives it
  // Its data, one of the two; the other is -1:
  int source = 0;       ///< into Model::sources
  int expression = -1;  ///< into Model::expressions
  /// Ids of the fields that only hand its data on, from the data to it; not canonical.
  std::vector<std::string> via;
  int grid = 0;
  /// Data in another unit than the field's, which is `data_unit`, are made into it: a factor and an
  /// offset; empty: they are as they are.
  std::vector<double> conversion{};
  std::string data_unit{};
  Sampling sampling;
  FieldAttributes attributes;
  std::vector<Variable> variables;
  std::string where;  ///< file:line:col of the field in the file, for messages; not canonical
};

struct File {
  std::string id;
  std::string path;  ///< output_dir + name + name_suffix + ".nc"
  FileAttributes attributes;
  std::vector<int> streams;
  std::vector<Variable> variables;
  std::string where;  ///< not canonical
  /// Of its streams, counted from start_date, that leaves in this run: earlier ones are in the
  /// files of the runs that this one goes on from.
  std::int64_t first_record = 0;
};

/// Behind the id of a field that has an expression and stands in a file that is read: what is read,
/// which only the expression takes.
inline constexpr std::string_view operand_of_read_field = "::this";

/// A field that the model receives from a file: one variable. With an expression the model receives
/// that of Model::results which has its id.
struct ReadField {
  std::string id;
  std::string name;  ///< of the variable
  int file = 0;      ///< into Model::read_files
  int grid = 0;
  Reading reading;
  int source = -1;  ///< into Model::sources, where other fields have its data; -1: none has
  FieldAttributes attributes;
  std::vector<std::string> aliases;  ///< ids of fields that refer to it
  std::string where;                 ///< not canonical
};

/// A file that is read. Its record number k of the run is record record_offset + k of the file.
struct ReadFile {
  std::string id;
  std::string path;  ///< name + name_suffix + ".nc"
  FileAttributes attributes;
  std::vector<int> fields;  ///< into Model::read_fields
  std::string where;        ///< not canonical
};

}  // namespace epios::config
