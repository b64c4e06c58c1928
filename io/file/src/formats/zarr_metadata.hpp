/// @file
/// The JSON documents of a store of Zarr.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "contract/growing_file.hpp"

namespace epios::io {

/// How a variable is cut into chunks, and its chunks are put into files.
struct ZarrArray {
  Extents shape;   ///< of records (the record dimension first) with 0 records
  Extents chunks;  ///< parallel to `shape`
  Extents shard;   ///< number of chunks in a shard, parallel to `shape`; empty: a chunk is a file
  bool has_records = false;
  /// It has records or is written like one: its chunks have codecs. Others are plain bytes, which
  /// all writers write into.
  bool is_record = false;
};

/// Returns the arrays of all variables, by their number in the spec.
std::vector<ZarrArray> zarr_arrays(const GrowingFile& file);
/// Returns the name of the file of a chunk or shard by its position in each dimension: with points
/// between, all in one folder. Version 3 puts a c in front; without dimensions its name is c, and 0
/// in version 2.
std::string zarr_key(FileFormat format, const std::vector<std::int64_t>& position);

/// A document, by its path in the store.
using ZarrDocuments = std::map<std::string, std::string>;
struct ZarrDocument {
  std::string key;
  std::string text;
};

/// The documents of one file, which has CF's attributes as NetCDF has them.
class ZarrMetadata {
 public:
  /// Makes those of the version that the file has. The file must outlive them. Throws
  /// Error{configuration} for text that is not UTF-8.
  static std::unique_ptr<ZarrMetadata> of(const GrowingFile& file);
  ZarrMetadata(const ZarrMetadata&) = delete;
  ZarrMetadata(ZarrMetadata&&) = delete;
  ZarrMetadata& operator=(const ZarrMetadata&) = delete;
  ZarrMetadata& operator=(ZarrMetadata&&) = delete;
  virtual ~ZarrMetadata() = default;

  /// Returns the document by which a folder is known as a store, as it is at first.
  virtual ZarrDocument mark() const = 0;
  /// Returns the documents that say nothing of records, besides mark().
  const ZarrDocuments& fixed() const { return fixed_; }
  /// Returns the document of fixed() with a variable's attributes, which have changed; nothing if
  /// they stand in its array().
  virtual ZarrDocuments renew_attributes(int variable) = 0;
  /// True if the shape of a variable grows.
  bool has_records(std::size_t variable) const { return arrays_[variable].has_records; }
  /// Returns the description of a variable while there are so many records.
  virtual ZarrDocument array(std::size_t variable, std::int64_t records) const = 0;
  /// Returns all descriptions in one document, from which readers of object stores take them.
  virtual ZarrDocument consolidated(std::int64_t records) const = 0;

 protected:
  explicit ZarrMetadata(const GrowingFile& file) : file_(file), arrays_(zarr_arrays(file)) {}

  const FileSpec& spec() const { return file_.spec; }
  const VariableSpec& variable(std::size_t number) const { return file_.spec.variables[number]; }
  /// Returns an array as it is with so many records.
  ZarrArray array_with(std::size_t variable, std::int64_t records) const;
  std::vector<std::string> dimensions_of(const VariableSpec& variable) const;
  ZarrDocuments fixed_;

 private:
  const GrowingFile& file_;
  std::vector<ZarrArray> arrays_;
};

/// Version 2. `_ARRAY_DIMENSIONS` names the dimensions, as xarray and GDAL expect. Unset points are
/// `fill_value` where NetCDF has a _FillValue; readers take any other number there for missing
/// values, too, so it is null elsewhere.
std::unique_ptr<ZarrMetadata> zarr2_metadata(const GrowingFile& file);
/// Version 3. `fill_value` is always that of unset points; only the attribute _FillValue says that
/// they are missing, as xarray expects it: of reals in base64.
std::unique_ptr<ZarrMetadata> zarr3_metadata(const GrowingFile& file);

}  // namespace epios::io
