/// @file
/// What a killed run has left of a store of Zarr.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "file/recovery.hpp"

namespace epios::io {

/// Copies the durable records of the store in the folder `part` into the folder `made`, which
/// exists and is empty. `journal` has the durable records of each variable. Sets `out.records` and
/// `out.shorter`. `part` stays as it is. Throws Error{io} if the two do not belong together, or if
/// a chunk with durable records cannot be read.
void recover_store(const std::string& part, const std::string& made,
                   std::map<std::string, std::int64_t> journal, std::int64_t most_records,
                   Recovery& out);

}  // namespace epios::io
