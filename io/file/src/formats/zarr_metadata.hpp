/// @file
/// The JSON documents of a store of Zarr version 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "contract/growing_file.hpp"

namespace epios::io {

/// How a variable is cut into chunks, each of which is a file.
struct ZarrArray {
  Extents shape;   ///< of records (the record dimension first) with 0 records
  Extents chunks;  ///< parallel to `shape`
  bool has_records = false;
};

/// Returns the arrays of all variables, by their number in the spec.
std::vector<ZarrArray> zarr_arrays(const GrowingFile& file);
/// Returns the name of a chunk: its position in each dimension, with points between; "0" for a
/// variable without dimensions.
std::string zarr_key(const std::vector<std::int64_t>& position);

/// A document, by its path in the store.
using ZarrDocuments = std::map<std::string, std::string>;

/// The documents of one file. CF's attributes are those of NetCDF; `_ARRAY_DIMENSIONS` names the
/// dimensions, as xarray and GDAL expect. Unset points are `fill_value` where NetCDF has a
/// _FillValue; readers take any other number there for missing values, too, so it is null
/// elsewhere.
class ZarrMetadata {
 public:
  /// The file must outlive this object. Throws Error{configuration} for text that is not UTF-8.
  explicit ZarrMetadata(const GrowingFile& file);

  /// Makes the document of a variable's attributes once more, and returns its path.
  std::string renew_attributes(int variable);

  /// Returns the documents of groups and attributes, which the number of records does not change.
  const ZarrDocuments& fixed() const { return fixed_; }
  /// True if the shape of a variable grows.
  bool has_records(std::size_t variable) const { return arrays_[variable].has_records; }
  /// Returns the `.zarray` of one variable, while there are so many records.
  std::string array(std::size_t variable, std::int64_t records) const;
  /// Returns `.zmetadata`: all documents in one, from which readers of object stores take them.
  std::string consolidated(std::int64_t records) const;

 private:
  const GrowingFile& file_;
  std::vector<ZarrArray> arrays_;
  ZarrDocuments fixed_;
};

}  // namespace epios::io
