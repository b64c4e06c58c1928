/// @file
/// How a file wants to be cut in time, from its attributes. Pure: no state, thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/calendar.hpp"
#include "config/file_series.hpp"
#include "config/model_fwd.hpp"

namespace epios::config {

/// The attributes of a file. Throws Error{configuration} for a split_last_date that is no date.
SplitRule split_rule(const FileAttributes& file, const Calendar& calendar);

/// The parts of a file of a run.
FileSeries series_of(const Model& model, const File& file);
/// The same of a file that is read: its parts are counted from the start of the run.
FileSeries series_of(const Model& model, const ReadFile& file);
/// The parts of the same file if they follow the calendar (years from 1 January, months from the
/// first ...), as those that others made mostly do. None: the run begins where such a part does, so
/// that both are the same, or the calendar knows no such parts.
std::optional<FileSeries> calendar_series_of(const Model& model, const ReadFile& file);
/// Where a record of a run is in a series that is counted from its start.
struct PartRecord {
  std::int64_t part = 0;
  std::int64_t number = 0;  ///< in the part
};
/// Instants stand at the end of their period (freq_offset is output_freq), as they are written:
/// that of the date between two parts is the last of the first one. Others begin with their date.
PartRecord part_record(const Model& model, const FileSeries& series, const ReadField& field,
                       std::int64_t record);
/// Parts of its file that a record may be in, likeliest first: that of part_record(), with
/// time_from_file also the one that its date ends or begins, and both if parts follow the calendar.
std::vector<std::string> paths_of_record(const Model& model, const ReadField& field,
                                         std::int64_t record);
/// Where the first record of a file that is read may be; empty: it has no fields.
std::vector<std::string> first_paths(const Model& model, const ReadFile& file);
/// The path of one of them: that of a file that is not cut, which has part 0 only, as it is.
std::string path_of_part(const FileSeries& series, std::string_view path, std::int64_t part);

}  // namespace epios::config
