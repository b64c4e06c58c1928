/// @file
/// References to the chunks of a NetCDF-4 file, by which readers of Zarr read it where it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace epios::io {

struct References {
  std::string text;  ///< the JSON document
  std::int64_t variables = 0;
  std::int64_t chunks = 0;
  std::vector<std::string> left_out;  ///< "name (why)" of each variable that cannot be referred to
};

/// Returns kerchunk's document (version 1) of a NetCDF-4 file: a store of Zarr version 2 of which
/// each chunk is a place in the file `url`. Chunks that lie nowhere in the form of the others (in
/// the header, or stored without compression) are in the document itself. Not for runs. Throws
/// Error{io} for files of other formats and such that cannot be read.
References kerchunk_references(const std::string& path, const std::string& url);

}  // namespace epios::io
