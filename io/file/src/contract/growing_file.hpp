/// @file
/// State of a file under construction that the file contract and a format share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <functional>
#include <string>
#include <vector>

#include "contract/fixed_values.hpp"
#include "contract/record_ledger.hpp"
#include "contract/record_variables.hpp"
#include "contract/writer_group.hpp"
#include "file/output_file.hpp"

namespace epios::io {

/// A "column" is the position of a record variable in `variables`.
struct GrowingFile {
  /// Checks the spec. `communicator` is that of WriterGroup.
  GrowingFile(const FileSpec& described, const ep::Comm* communicator);
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile(GrowingFile&&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  GrowingFile& operator=(GrowingFile&&) = delete;
  ~GrowingFile() = default;

  const VariableSpec& variable_of(std::size_t column) const;
  const std::string& name_of(std::size_t column) const { return variable_of(column).name; }
  /// Throws Error{internal}, because a rule of OutputFile was broken.
  [[noreturn]] void reject(const std::string& what) const;
  /// Throws Error{io} with file, problem and the text of the errno value, unless that is 0.
  void check_system(int error, const std::string& problem) const;
  void check_record_written(int error, std::int64_t record, std::size_t column) const;

  FileSpec spec;
  WriterGroup writers;
  std::vector<RecordVariable> variables;
  FixedValues fixed;    // refers to `spec`
  RecordLedger ledger;  // by column
  std::int64_t reserved = 0;
};

/// Marks the fixed variables with unset points, counted over all writers (collective).
void mark_unset(GrowingFile& file);
/// Writes the fixed variables of all writers to their addresses, unset points first. `sync` brings
/// them to disk if required (collective).
void write_fixed_variables(GrowingFile& file, const ValueSink& sink,
                           const std::function<void()>& sync);

/// Returns "record 3" or "records 3 to 7".
std::string records_text(std::int64_t from, std::int64_t to);

}  // namespace epios::io
