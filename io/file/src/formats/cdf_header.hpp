/// @file
/// The header of a CDF-5 file, from which the places of all values follow. Format:
/// https://docs.unidata.ucar.edu/netcdf-c/4.9.0/file_format_specifications.html
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
  /// Offset of the number of records: 8 bytes, the highest first.
  static constexpr std::uint64_t records_place = 4;

  std::uint64_t end = 0;  ///< size of the header
  std::vector<Variable> variables;
  std::uint64_t records_begin = 0;  ///< also the end of a file without records
  std::uint64_t record_bytes =
      0;  ///< distance between records of a variable; 0 if no variable has any

  /// Returns the length of a file with so many records, at most 2^63.
  std::uint64_t file_bytes(std::uint64_t records) const {
    constexpr std::uint64_t most = std::uint64_t{1} << 63U;
    if (record_bytes > 0 && records > (most - records_begin) / record_bytes) return most;
    return records_begin + records * record_bytes;
  }
};

/// Reads the header from the first bytes of a file. Throws Error{internal} for other bytes.
CdfHeader read_cdf_header(std::span<const std::byte> bytes, const std::string& path);

}  // namespace epios::io
