/// @file
/// What a killed run has left (`<name>.nc.part` and its journal) made into a file. Not for runs.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace epios::io {

/// What became of a file.
struct Recovery {
  std::string path;  ///< of the file that was made
  std::int64_t records = 0;
  struct Variable {
    std::string name;
    std::int64_t records = 0;  ///< that were durable; the others are filled
  };
  std::vector<Variable> shorter;  ///< variables with fewer records than the file
};

/// Writes the records that the journal of `part` says are durable into `path` ("": the name
/// without ".part"), which must not exist; `most_records` at most: files of several writers go
/// together when they have as many. `part` stays as it is. Throws Error{io} where another
/// job is writing it, where it has no journal or another one, or where a kill tore its structure.
Recovery recover_file(const std::string& part, const std::string& path,
                      std::int64_t most_records = std::numeric_limits<std::int64_t>::max());

}  // namespace epios::io
