#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace epios::io {

/// Returns a table of the contents of a file: its records and their dates and, for each variable
/// that is no coordinate, its layout, its compression, and the range of one record (the last one,
/// or `record` from 0). Throws Error{io}, and Error{argument} for a record that the file does not
/// have.
std::string file_list(const std::string& path, std::optional<std::int64_t> record);

/// The same as an object of JSON, of one line: `path`, `format`, `record` and `variables`, each
/// with `name`, `type`, `dimensions` (their lengths), `chunk`, `ratio`, and `values` (`count`,
/// `missing`, `min`, `mean` and `max` of the record); null for what is not known.
std::string file_list_json(const std::string& path, std::optional<std::int64_t> record);

}  // namespace epios::io
