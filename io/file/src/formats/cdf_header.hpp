/// @file
/// The header of a CDF-5 file, by which one knows where everything is.
/// Format: https://docs.unidata.ucar.edu/netcdf-c/4.9.0/file_format_specifications.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace epios::io {

struct CdfHeader {
  struct Variable {
    std::string name;
    bool has_records = false;
    std::uint64_t begin = 0;  ///< offset of its values, or of those of record 0
    std::uint64_t bytes = 0;  ///< size of its values, or of one record of them, with padding
  };
  /// Where the number of records is: 8 bytes, the highest first.
  static constexpr std::uint64_t records_place = 4;

  std::uint64_t end = 0;  ///< bytes of the header
  std::vector<Variable> variables;
  std::uint64_t records_begin = 0;  ///< also where a file without records ends
  std::uint64_t record_bytes = 0;   ///< from one record of a variable to the next; 0: none has any

  /// Length of a file with so many records.
  std::uint64_t file_bytes(std::uint64_t records) const {
    return records_begin + records * record_bytes;
  }
};

/// Reads the header from the first bytes of a file. Throws Error{internal} for other bytes.
CdfHeader read_cdf_header(std::span<const std::byte> bytes, const std::string& path);

}  // namespace epios::io
