/// @file
/// An HDF5 driver of our own: HDF5 keeps the structure of a file, while data bypasses it.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <vector>

#include "disk/posix_file.hpp"

namespace epios::io {

/// The state of HDF5's accesses to one file. Outlives the HDF5 handle of that file; one thread at a
/// time.
struct DriverState {
  /// If set, this file is opened, and not what the name given to HDF5 leads to.
  const PosixFile* file = nullptr;
  std::uint64_t end_of_space =
      0;          ///< end of the space that HDF5 has allocated so far; the true size after closing
  int error = 0;  ///< errno of the first system call that failed
  bool is_dead =
      false;  ///< drops all writes and claims success: a failed file can always be closed
  /// True while space is being allocated: raw data is not written, its address is noted instead.
  bool is_probing = false;
  std::vector<std::uint64_t> probed;
  /// True while chunks are being located: raw data is not read, its address is noted instead.
  bool is_locating = false;
  std::uint64_t located = 0;  ///< the last one
};

/// Makes a file access property list that opens a file with the driver, which stays registered.
/// `state` must outlive the file. Returns the property list (the caller closes it), negative on
/// failure.
hid_t make_driver_access(DriverState* state);

}  // namespace epios::io
