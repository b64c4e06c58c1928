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

/// A FileSpec and where things are in it.
struct CfFile {
  FileSpec spec;
  /// Variable index per entry of Model::files[file].streams; -1: it is in files of other writers.
  std::vector<int> stream_variables;
  /// Of a writer's own share of a file: per stream where it begins in the whole. Else empty.
  std::vector<Extents> origins;
  /// Time coordinate variables written with every record, with the value for a record's interval.
  struct TimeVariable {
    int variable = 0;
    /// number: no time, but which record of the file it is, from 0.
    enum class Part { end, middle, bounds, number } part = Part::end;
    bool instant_bounds = false;  ///< bounds of an instant time: both equal
    config::Instant epoch;        ///< that the units count from
  };
  std::vector<TimeVariable> times;
  /// Attributes of the file that stamp() fills.
  int time_stamp = 0, uuid = 0;
  /// For the user, as far as this writer sees: elements that share coordinates and gave different
  /// values, bounds without values, points without a value.
  std::vector<Remark> remarks;
  /// Numbers that the spec views, beside those of slabs.
  std::vector<std::shared_ptr<const void>> own{};
};

/// Pure, and the same on all writers but for their parts of coordinates. `forms`: of all elements
/// of the model. `slabs`: what this writer has of the file's elements and of those lent to its
/// meshes, one window of each at most; the spec views them until the file is created. `placements`
/// per stream of the file (chunks). The size of blocks is the caller's. Throws Error{configuration}
/// for what CF or NetCDF cannot hold (names).
CfFile describe_file(const config::Model& model, int file, const CoordinateForms& forms,
                     std::span<const CoordinateSlab* const> slabs,
                     const std::vector<StreamPlacement>& placements);

/// Makes of the description of a whole file that of the share which writer number `writer` of
/// `writers` has in a file of its own (type="multiple_file"): its part of each dimension, without
/// what it has nothing of, and where that is in the whole as the attributes `ibegin`, `ni`,
/// `DOMAIN_*` that rebuild tools read. `slabs`: this writer's, per stream of the file.
void take_share(CfFile& described, const config::Model& model, int file, int writer, int writers,
                std::span<const Box> slabs);

/// A field of which only some points are written (indexed_output).
struct GatheredStream {
  int stream = 0;  ///< of the file
  /// Per element of its grid, in model order: places in its part of the element; empty: all.
  std::vector<std::span<const std::int64_t>> points;
};
/// Gives fields a dimension of the points that they are written at, with a variable that says which
/// (CF-1.11, 8.2), instead of those of the elements. Behind take_share().
void gather(CfFile& described, const config::Model& model, int file,
            std::span<const GatheredStream> streams);

/// Says when a file was made, and gives it a name of its own: the time in GMT as the file's
/// time_stamp_format wants it, and `uuid` in the text of its uuid_format.
void stamp(CfFile& described, const config::File& file, std::int64_t seconds_since_1970,
           std::string_view uuid);
/// A random UUID (RFC 4122, version 4) from bytes of the system. Throws Error{resource}.
std::string random_uuid();

/// Values of a time variable for one record, number `number` of the file: 1 or 2 (bounds) numbers
/// in the file's time units.
std::vector<double> time_values(const config::Model& model, const config::File& file,
                                const CfFile::TimeVariable& time, const config::RecordTime& record,
                                std::int64_t number);

}  // namespace epios::io
