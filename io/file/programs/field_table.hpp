#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "file/data_file.hpp"

namespace epios::io {

using Row = std::vector<std::string>;

/// Returns the rows as text, in columns as wide as what is in them; all but the first four are
/// numbers.
std::string table(const std::vector<Row>& rows);

/// Returns true for variables whose first dimension is that of records.
bool is_of_records(const DataFile& file, const StoredVariable& variable);
/// Returns true for variables that are neither coordinates nor bounds: those with records that do
/// not describe time, and those that say how they were made.
bool is_field(const DataFile& file, const StoredVariable& variable);

/// Returns the name of the file, its format, and its records and their dates.
std::string heading(const DataFile& file);

/// Returns `record`, or the last one; -1 without any. Throws Error{argument} if the file does not
/// have it.
std::int64_t shown_record(const DataFile& file, std::optional<std::int64_t> record);

}  // namespace epios::io
