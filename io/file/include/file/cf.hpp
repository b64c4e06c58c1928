/// @file
/// CF-1.11 description of a file: from the resolved model and global coordinates to a FileSpec.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/model.hpp"
#include "file/output_file.hpp"
#include "grid/coordinates.hpp"
#include "grid/remark.hpp"
#include "grid/routing.hpp"

namespace epios::io {

/// A FileSpec and where things are in it.
struct CfFile {
  FileSpec spec;
  std::vector<int> stream_variables;  ///< variable index per entry of Model::files[file].streams
  /// Time coordinate variables written with every record, with the value for a record's interval.
  struct TimeVariable {
    int variable = 0;
    enum class Part { end, middle, bounds } part = Part::end;
    bool instant_bounds = false;  ///< bounds of an instant time: both equal
    config::Instant epoch;        ///< that the units count from
  };
  std::vector<TimeVariable> times;
  /// For the user, as far as this writer sees: elements that share coordinates and gave different
  /// values, bounds without values, points without a value.
  std::vector<Remark> remarks;
};

/// Pure, and the same on all writers but for their parts of coordinates. `forms`: of all elements
/// of the model. `slabs`: what this writer has of the file's elements, one window of each at most;
/// the spec views them until the file is created. `placements` per stream of the file (chunks). The
/// size of blocks is the caller's. Throws Error{configuration} for what CF or NetCDF cannot hold
/// (names).
CfFile describe_file(const config::Model& model, int file, const CoordinateForms& forms,
                     std::span<const CoordinateSlab* const> slabs,
                     const std::vector<StreamPlacement>& placements);

/// Values of a time variable for one record: 1 or 2 (bounds) numbers in the file's time units.
std::vector<double> time_values(const config::Model& model, const config::File& file,
                                const CfFile::TimeVariable& time, const config::RecordTime& record);

}  // namespace epios::io
