/// @file
/// How a file is split in time, according to its attributes. Pure: no state, thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/calendar.hpp"
#include "config/file_dates.hpp"
#include "config/file_series.hpp"
#include "config/model_fwd.hpp"

namespace epios::config {

/// Returns the rule of a file. Throws Error{configuration} for a split_last_date that is no date.
SplitRule split_rule(const FileAttributes& file, const Calendar& calendar);

/// Returns the date that periods of a file count from, if it is not the start of the run
/// (attribute output_anchor).
std::optional<Instant> output_anchor(const FileAttributes& file, Instant time_origin);

/// Returns the parts of a file of a run.
FileSeries series_of(const Model& model, const File& file);
/// Returns the parts of a file that is read; they count from the start of the run.
FileSeries series_of(const Model& model, const ReadFile& file);
/// Returns the parts of the file if they follow the calendar (years from 1 January, months from the
/// first ...), as in most files from other sources. Returns nothing if the run starts where such a
/// part does, because both series are then the same, and if the calendar has no such parts.
std::optional<FileSeries> calendar_series_of(const Model& model, const ReadFile& file);
/// Where a record of a run is in a series that counts from the start of the run.
struct PartRecord {
  std::int64_t part = 0;
  std::int64_t number = 0;  ///< number in the part
};
/// Returns the place of a record. Instants stand at the end of their period (freq_offset is
/// output_freq), as they are written: an instant at the boundary of two parts is the last record of
/// the first one. Other records begin with their date.
PartRecord part_record(const Model& model, const FileSeries& series, const ReadField& field,
                       std::int64_t record);
/// Returns the parts of its file that may contain a record, the likeliest first. That of
/// part_record() is always among them. With time_from_file, so is the part that begins or ends at
/// its date, and both if parts follow the calendar.
std::vector<std::string> paths_of_record(const Model& model, const ReadField& field,
                                         std::int64_t record);
/// Returns the files that may contain the first record of a file that is read; none if it has no
/// fields.
std::vector<std::string> first_paths(const Model& model, const ReadFile& file);
/// Return how dates of a file that is read become dates of the run, and how values between its
/// records are made.
CalendarMapping calendar_mapping(const FileAttributes& file);
TimeInterpolation time_interpolation(const FileAttributes& file);
/// Returns the path of a part. A file that is not split has part 0 only, with an unchanged path.
std::string path_of_part(const FileSeries& series, std::string_view path, std::int64_t part);

}  // namespace epios::config
