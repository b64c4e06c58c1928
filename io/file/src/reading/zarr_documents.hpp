/// @file
/// The JSON documents of a store of Zarr as the description of a data set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chunks/shard_index.hpp"
#include "chunks/zarr_decoder.hpp"
#include "file/compressors.hpp"
#include "file/data_file.hpp"
#include "reading/stored_chunks.hpp"

namespace epios::io {

/// How the chunks of an array are stored. Its name, shape and attributes are those of the
/// StoredVariable with the same number.
struct ZarrStorage {
  Stored layout;  ///< shape, chunks and type of numbers; without a data set of HDF5
  ZarrPipeline pipeline;
  bool is_swapped = false;      ///< numbers have the other byte order
  std::vector<std::byte> fill;  ///< one value of chunks that are not there; empty if undefined
  char separator = '.';         ///< in the names of chunks
  std::string prefix;           ///< "c" in front of those of version 3
  std::optional<ShardLayout> shard;
  Encoding encoding;             ///< makes such chunks; their checksum comes behind
  bool may_lack_chunks = false;  ///< what is not there has the fill value (version 3)

  /// Returns the name of the file of a chunk, by the chunk's position.
  template <class Position>
  std::string key(const Position& position) const {
    std::string out = prefix;
    for (std::size_t d = 0; d < layout.chunk.size(); ++d) {
      if (!out.empty()) out += separator;
      out += std::to_string(position[d] / (shard ? shard->chunks[d] : 1));
    }
    return out.empty() ? "0" : out;
  }
};

/// A group: its arrays and their dimensions, which their attributes `_ARRAY_DIMENSIONS` name.
/// Groups in it are data sets of their own.
struct ZarrContents {
  int version = 2;
  std::vector<StoredDimension> dimensions;
  std::vector<StoredVariable> variables;
  std::vector<ZarrStorage> storage;
  std::vector<StoredAttribute> attributes;
};

/// Reads the consolidated documents of the store in a folder, or each one if there are none. What
/// makes an array unreadable (codecs, order) is StoredVariable::unreadable. Throws Error{io}, which
/// names the store and the document.
ZarrContents read_zarr_documents(const std::string& path);

/// Returns the text in a file of a store; nothing if there is no such file. Throws Error{io}, which
/// names the store `path` and the file `key` in it.
std::optional<std::string> zarr_text(const std::string& path, const std::string& key);

}  // namespace epios::io
