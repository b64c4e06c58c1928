#include <algorithm>
#include <cerrno>
#include <vector>

#include "config/file_format.hpp"
#include "disk/posix_file.hpp"
#include "file/being_written.hpp"
#include "file/output_file.hpp"

namespace epios::io {

std::unique_ptr<OutputFile> create_file(const FileSpec& spec, const ep::Comm* writers,
                                        const FileHelpers& helpers) {
  switch (spec.format) {
    case FileFormat::netcdf4:
    case FileFormat::netcdf4_classic:
      return create_netcdf4(spec, writers, helpers.compressors);
    case FileFormat::cdf5:
      return create_cdf5(spec, writers, *helpers.endpoints);
    case FileFormat::zarr:
    case FileFormat::zarr3:
      return create_zarr(spec, writers, helpers.compressors);
  }
  return nullptr;
}

bool is_being_written(const std::string& path, FileFormat format) {
  std::vector<std::string> locks{path + ".part"};
  if (config::traits_of(format).is_folder) {
    locks = {path + ".part/.epios.lock", path + "/.epios.lock"};
  }
  return std::any_of(locks.begin(), locks.end(), [](const std::string& lock) {
    PosixFile file;
    return file.open_own(lock) == 0 && file.lock() == EWOULDBLOCK;
  });
}

}  // namespace epios::io
