/// @file
/// Filters of HDF5 that come as plug-ins: the distribution's packages, or what HDF5_PLUGIN_PATH
/// names.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "file/output_file.hpp"

namespace epios::io {

/// Numbers in the HDF Group's register of filters.
constexpr H5Z_filter_t zfp_filter = 32013;
constexpr H5Z_filter_t zstd_filter = 32015;
constexpr H5Z_filter_t sz_filter = 32017;

/// A plug-in that has been loaded; it stays so until the program's end.
class FilterPlugin {
 public:
  /// Looks for the filter of this number in the folders of
  /// HDF5_PLUGIN_PATH, without it in those of the distribution. HDF5 knows the filter from then on,
  /// as far as it takes to write and read values.
  static std::optional<FilterPlugin> find(H5Z_filter_t filter);
  /// Why there is none and where it is to be had: "filter ZFP (32013) of HDF5 is not installed
  /// (no plug-in of it in /a, /b). Install the package ...".
  static std::string missing_text(H5Z_filter_t filter);

  /// Returns the parameters of the filter for chunks of a variable: those of the user, completed by
  /// the plug-in itself with the HDF5 that it was built for. Returns nullopt if it does not accept
  /// such chunks.
  std::optional<std::vector<unsigned>> parameters(ValueKind kind, const Extents& chunk,
                                                  const std::vector<unsigned>& given) const;
  /// Runs the filter forwards: bytes that it makes of `from`, at the front of `to`; 0: it fails, or
  /// they are more than `to` holds.
  std::size_t encode(const std::vector<unsigned>& parameters, std::span<const std::byte> from,
                     std::span<std::byte> to) const;

 private:
  FilterPlugin(void* library, const H5Z_class2_t* filter) : library_(library), filter_(filter) {}
  static std::optional<FilterPlugin> load(const std::string& path, H5Z_filter_t filter);

  void* library_;
  const H5Z_class2_t* filter_;
};

/// nc_open() for reading, with HDF5 knowing all filters of the file that there are plug-ins of.
int open_with_filters(const std::string& path, int& netcdf_file);
/// Returns missing_text() of the first filter of a variable that HDF5 does not know, or "".
std::string missing_filter(int netcdf_file, int variable);

}  // namespace epios::io
