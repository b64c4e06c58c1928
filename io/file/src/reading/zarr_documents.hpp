/// @file
/// The JSON documents of a store of Zarr version 2 as the description of a data set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chunks/zarr_decoder.hpp"
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
};

/// A group: its arrays and their dimensions, which their attributes `_ARRAY_DIMENSIONS` name.
/// Groups in it are data sets of their own.
struct ZarrContents {
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
