/// @file
/// Files of a Model that are written or read, and their fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/attributes.hpp"
#include "config/model_ids.hpp"
#include "config/temporal.hpp"

namespace epios::config {

struct Variable {
  std::string id;
  std::string name;  ///< name of the attribute in the file
  VariableAttributes attributes;
  std::string text;
};

/// A field that the model must not send, because a file wants something of it that cannot be made.
struct Unmade {
  std::string source;  ///< id of the field that would be sent
  std::string where;   ///< place of what cannot be made
  std::string why;
  std::string suggestion;
  std::string taker{};  ///< "file 'daily'", the first that takes it
};

/// Fields that are defined and have no stream.
struct UnwrittenFields {
  std::vector<std::string> known;  ///< ids of the fields that may be sent without effect, sorted
  std::vector<Unmade> unmade;      ///< not canonical
};

/// A field in a file: one variable, one stream of records. Or a field that the model receives.
struct Stream {
  std::string id;    ///< id of the field inside the file, or of the field it refers to
  std::string name;  ///< variable name
  FileId file{0};    ///< -1 if the model receives it
  // One of the two holds its data; the other is -1:
  SourceId source{0};
  ExpressionId expression{};
  /// Ids of the fields that only pass its data on, from the data to the stream; not canonical.
  std::vector<std::string> via;
  GridId grid{0};
  /// Factor and offset that convert data from `data_unit` into the unit of the field; empty if they
  /// are the same.
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
  std::vector<StreamId> streams;
  std::vector<Variable> variables;
  std::string where;  ///< not canonical
  /// First record of its streams, counted from start_date, that leaves in this run. Earlier ones
  /// are in the files of the runs that this one continues.
  std::int64_t first_record = 0;
};

/// Suffix of the id of what is read for a field that has an expression and stands in a file that is
/// read. Only the expression takes it.
inline constexpr std::string_view operand_of_read_field = "::this";

/// A field that the model receives from a file: one variable. If it has an expression, the model
/// receives the entry of Model::results with its id.
struct ReadField {
  std::string id;
  std::string name;  ///< name of the variable
  ReadFileId file{0};
  GridId grid{0};
  Reading reading;
  SourceId source{};  ///< set if other fields use its data, else -1
  FieldAttributes attributes;
  std::vector<std::string> aliases;  ///< ids of fields that refer to it
  std::string where;                 ///< not canonical
};

/// A file that is read. Record k of the run is record record_offset + k of the file.
struct ReadFile {
  std::string id;
  std::string path;  ///< name + name_suffix + ".nc"
  FileAttributes attributes;
  std::vector<ReadFieldId> fields;
  std::string where;  ///< not canonical
};

}  // namespace epios::config
