#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace epios::io {

/// What `epios ragged` is asked for.
struct RaggedRequest {
  std::string input, output;
  std::string present;  ///< variable that is missing where a point is not there; "": latitude
};

/// What became of a file.
struct RaggedFile {
  std::int64_t records = 0;
  std::int64_t points = 0;                 ///< that a record has room for
  std::int64_t observations = 0;           ///< that are there, of all records
  std::vector<std::string> left_out = {};  ///< "'u' (time, depth, cell)"
};

/// Makes a file of trajectories (CF-1.11, 9.3.4 and H.4.4: an indexed ragged array) of one whose
/// records have room for the largest number of points: of each record only those points that are
/// there. Values stay as they are stored. Throws Error{io} for files in which nothing says who is
/// there.
RaggedFile make_ragged(const RaggedRequest& request);

}  // namespace epios::io
