/// @file
/// The dimension scales of HDF5, which link variables to their dimensions.
#pragma once

#include <hdf5.h>

#include "file/output_file.hpp"

namespace epios::io {

/// Attaches its dimensions to every variable of a file that netCDF-C has defined without them.
/// Writes what H5DSattach_scale writes (HDF5 Dimension Scale Specification), but the list of
/// variables of each dimension only once; H5DSattach_scale would rewrite it for each of them.
/// Returns false if HDF5 fails.
bool attach_dimensions(hid_t file, const FileSpec& spec);

}  // namespace epios::io
