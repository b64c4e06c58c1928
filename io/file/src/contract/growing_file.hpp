/// @file
/// What the file contract and a format both know of a file under construction.
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

/// "Column": position of a record variable in `variables`.
struct GrowingFile {
  /// Checks the spec. `writers` as for WriterGroup.
  GrowingFile(const FileSpec& described, const ep::Comm* communicator);
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile(GrowingFile&&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  GrowingFile& operator=(GrowingFile&&) = delete;
  ~GrowingFile() = default;

  const VariableSpec& variable_of(std::size_t column) const;
  const std::string& name_of(std::size_t column) const { return variable_of(column).name; }
  /// Throws Error{internal}: a rule of OutputFile was broken.
  [[noreturn]] void reject(const std::string& what) const;
  /// Throws Error{io} with file, problem and the errno value's text, unless that is 0.
  void check_system(int error, const std::string& problem) const;
  void check_record_written(int error, std::int64_t record, std::size_t column) const;

  FileSpec spec;
  WriterGroup writers;
  std::vector<RecordVariable> variables;
  FixedValues fixed;    // views `spec`
  RecordLedger ledger;  // by column
  std::int64_t reserved = 0;
};

/// Marks the fixed variables that have unset points, as the writers together know (collective).
void mark_unset(GrowingFile& file);
/// Writes what all writers have of the fixed variables to their addresses, unset points first;
/// `sync` brings that to disk if it is to be (collective).
void write_fixed_variables(GrowingFile& file, const ValueSink& sink,
                           const std::function<void()>& sync);

/// "record 3", "records 3 to 7".
std::string records_text(std::int64_t from, std::int64_t to);

}  // namespace epios::io
