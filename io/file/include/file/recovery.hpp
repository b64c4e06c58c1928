/// @file
/// Turns what a killed run has left (`<name>.nc.part`, or `<name>.zarr.part`, and its journal) into
/// a file or a store. Not for runs.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace epios::io {

/// The result of a recovery.
struct Recovery {
  std::string path;  ///< path of the file that was made
  std::int64_t records = 0;
  struct Variable {
    std::string name;
    std::int64_t records = 0;  ///< number of durable records; the others are filled
  };
  std::vector<Variable> shorter;  ///< variables with fewer records than the file
  /// Records of stores of Zarr 3 of which there is no chunk: nobody has written them, or they were
  /// not copied.
  struct Absent {
    std::string name;
    std::int64_t begin = 0, end = 0;
  };
  std::vector<Absent> absent;
};

/// Writes the records of `part` that its journal says are durable into `path` ("" means the name
/// without ".part"), which must not exist. It writes at most `most_records` records: files of
/// several writers match if they have equally many. `part` stays unchanged. Throws Error{io} if
/// another job is writing it, if its journal is missing or belongs to another file, or if a kill
/// damaged its structure.
Recovery recover_file(const std::string& part, const std::string& path,
                      std::int64_t most_records = std::numeric_limits<std::int64_t>::max());

}  // namespace epios::io
