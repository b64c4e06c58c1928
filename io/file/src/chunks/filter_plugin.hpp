/// @file
/// HDF5 filters from plug-ins: those of the distribution's packages, or those that HDF5_PLUGIN_PATH
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

/// Numbers in the filter register of the HDF Group.
constexpr H5Z_filter_t zfp_filter = 32013;
constexpr H5Z_filter_t zstd_filter = 32015;
constexpr H5Z_filter_t sz_filter = 32017;

/// A loaded plug-in, which stays until the end of the program.
class FilterPlugin {
 public:
  /// Looks for the filter with this number in the folders of HDF5_PLUGIN_PATH or, if that is not
  /// set, in those of the distribution. From then on HDF5 can use the filter to write and read
  /// values.
  static std::optional<FilterPlugin> find(H5Z_filter_t filter);
  /// Returns why there is none and where to get it: "filter ZFP (32013) of HDF5 is not installed
  /// (no plug-in of it in /a, /b). Install the package ...".
  static std::string missing_text(H5Z_filter_t filter);

  /// Returns the parameters of the filter for chunks of a variable: those of the user, completed by
  /// the plug-in itself with the HDF5 that it was built for. Returns nullopt if it does not accept
  /// such chunks.
  std::optional<std::vector<unsigned>> parameters(ValueKind kind, const Extents& chunk,
                                                  const std::vector<unsigned>& given) const;
  /// Applies the filter to `from` and puts the result at the front of `to`. Returns its size, or 0
  /// if the filter fails or `to` is too small.
  std::size_t encode(const std::vector<unsigned>& parameters, std::span<const std::byte> from,
                     std::span<std::byte> to) const;

 private:
  FilterPlugin(void* library, const H5Z_class2_t* filter) : library_(library), filter_(filter) {}
  static std::optional<FilterPlugin> load(const std::string& path, H5Z_filter_t filter);

  void* library_;
  const H5Z_class2_t* filter_;
};

/// Calls nc_open() for reading, after HDF5 has learned all filters of the file that have plug-ins.
int open_with_filters(const std::string& path, int& netcdf_file);
/// Returns missing_text() of the first filter of a variable that HDF5 does not know, or "".
std::string missing_filter(int netcdf_file, int variable);

}  // namespace epios::io
