#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace epios::io {

/// What a file holds, as a table: its records and their dates, and of each variable that is no
/// coordinate the layout, how far it is compressed, and what is in one record (the last one, or
/// `record` from 0). Throws Error{io}, Error{argument} for a record that the file has not.
std::string file_list(const std::string& path, std::optional<std::int64_t> record);

}  // namespace epios::io
