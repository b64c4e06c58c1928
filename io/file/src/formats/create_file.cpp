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

}  // namespace epios::io
