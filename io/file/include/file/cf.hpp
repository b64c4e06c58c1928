/// @file
/// CF-1.11 description of a file: from the resolved model and global coordinates to a FileSpec.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/calendar.hpp"
#include "config/model_fwd.hpp"
#include "config/temporal.hpp"
#include "file/output_file.hpp"
#include "grid/coordinates.hpp"
#include "grid/remark.hpp"
#include "grid/routing.hpp"

namespace epios::io {

/// A FileSpec, and where it has which data.
struct CfFile {
  FileSpec spec;
  /// Variable of each entry of Model::files[file].streams; -1 if it is in files of other writers.
  std::vector<int> stream_variables;
  /// For a writer's share of a file: where each stream begins in the whole. Otherwise empty.
  std::vector<Extents> origins;
  /// Time variables that are written with every record, and which value of its interval each holds.
  struct TimeVariable {
    int variable = 0;
    /// `number` is not a time but the number of the record in the file, from 0.
    enum class Part { end, middle, bounds, number } part = Part::end;
    bool instant_bounds = false;  ///< bounds of an instant time: both are equal
    config::Instant epoch;        ///< date from which the units count
  };
  std::vector<TimeVariable> times;
  /// Attributes of the file that stamp() fills.
  int time_stamp = 0, uuid = 0;
  /// Remarks for the user, as far as this writer sees: elements that share coordinates and have
  /// different values, bounds without values, points without a value.
  std::vector<Remark> remarks;
  /// Numbers that the spec refers to, in addition to those of the slabs.
  std::vector<std::shared_ptr<const void>> own{};
};

/// Describes a file. Pure, and the same on all writers except for their parts of coordinates.
/// `forms` are those of all elements of the model. `slabs` are what this writer has of the elements
/// of the file and of those that number its meshes, at most one window of each; the spec refers to
/// them until the file is created. `placements` has one entry per stream of the file (chunks). The
/// caller sets the size of blocks. Throws Error{configuration} for what CF or NetCDF cannot hold
/// (names).
CfFile describe_file(const config::Model& model, int file, const CoordinateForms& forms,
                     std::span<const CoordinateSlab* const> slabs,
                     const std::vector<StreamPlacement>& placements);

/// Turns the description of a whole file into that of the share that writer number `writer` of
/// `writers` has in a file of its own (type="multiple_file"): its part of each dimension, without
/// what it has nothing of. The attributes `ibegin`, `ni` and `DOMAIN_*`, which rebuild tools read,
/// say where that is in the whole. `slabs` are those of this writer, one per stream of the file.
void take_share(CfFile& described, const config::Model& model, int file, int writer, int writers,
                std::span<const Box> slabs);

/// A field of which only some points are written (indexed_output).
struct GatheredStream {
  int stream = 0;  ///< number of the stream in the file
  /// For each element of its grid, in model order: places in its part of the element; empty means
  /// all.
  std::vector<std::span<const std::int64_t>> points;
};
/// Gives fields one dimension for the points that are written, with a variable that names the
/// points (CF-1.11, 8.2), instead of the dimensions of the elements. Call it after take_share().
void gather(CfFile& described, const config::Model& model, int file,
            std::span<const GatheredStream> streams);

/// Sets the time at which the file is made, in GMT and in the time_stamp_format of the file, and
/// its name `uuid`, in the text of its uuid_format.
void stamp(CfFile& described, const config::File& file, std::int64_t seconds_since_1970,
           std::string_view uuid);
/// Returns a random UUID (RFC 4122, version 4) from bytes of the system. Throws Error{resource}.
std::string random_uuid();

/// Returns the values of a time variable for one record, number `number` of the file: 1 or 2
/// (bounds) numbers in the time units of the file.
std::vector<double> time_values(const config::Model& model, const config::File& file,
                                const CfFile::TimeVariable& time, const config::RecordTime& record,
                                std::int64_t number);

}  // namespace epios::io
