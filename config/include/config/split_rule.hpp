/// @file
/// How a file wants to be cut in time, from its attributes. Pure: no state, thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/attributes.hpp"
#include "config/calendar.hpp"
#include "config/file_series.hpp"
#include "config/model.hpp"

namespace epios::config {

/// The attributes of a file. Throws Error{configuration} for a split_last_date that is no date.
SplitRule split_rule(const FileAttributes& file, const Calendar& calendar);

/// The parts of a file of a run.
FileSeries series_of(const Model& model, const File& file);
/// The same of a file that is read: its parts are counted from the start of the run.
FileSeries series_of(const Model& model, const ReadFile& file);
/// Where the first record of a file that is read is; empty: it has no fields. Of a series the part
/// that its date begins, and with time_from_file also the one that it ends, if that is another.
std::vector<std::string> first_paths(const Model& model, const ReadFile& file);
/// The path of one of them: that of a file that is not cut, which has part 0 only, as it is.
std::string path_of_part(const FileSeries& series, std::string_view path, std::int64_t part);

}  // namespace epios::config
