/// @file
/// The dimension scales of HDF5: which dimension of which variable is which.
#pragma once

#include <hdf5.h>

#include "file/output_file.hpp"

namespace epios::io {

/// Attaches its dimensions to every variable of a file that netCDF-C has defined without. What
/// H5DSattach_scale writes (HDF5 Dimension Scale Specification), but of each dimension the list of
/// its variables once: scale by scale it is written anew for each of them. False: HDF5 has failed.
bool attach_dimensions(hid_t file, const FileSpec& spec);

}  // namespace epios::io
