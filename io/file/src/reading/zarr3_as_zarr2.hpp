/// @file
/// Documents of version 3 of Zarr in the words of version 2, so that both are read alike.
#pragma once

#include <nlohmann/json.hpp>

namespace epios::io {

/// Returns the `.zarray` of an array of version 3. What version 2 does not have is in its member
/// "zarr3": "prefix" (of names of chunks), "checksum", "shard" (number of chunks along each
/// dimension), "index_first", "index_checksum", "unreadable" (why its chunks cannot be read).
/// Throws nlohmann's exceptions for what is no description of an array.
nlohmann::ordered_json zarray_of_zarr3(const nlohmann::ordered_json& array);
/// Returns its `.zattrs`, with the names of its dimensions.
nlohmann::ordered_json zattrs_of_zarr3(const nlohmann::ordered_json& array);

}  // namespace epios::io
