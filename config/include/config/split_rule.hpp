/// @file
/// How a file wants to be cut in time, from its attributes. Pure: no state, thread-safe.
#pragma once

#include "config/attributes.hpp"
#include "config/calendar.hpp"
#include "config/file_series.hpp"
#include "config/model.hpp"

namespace epios::config {

/// The attributes of a file. Throws Error{configuration} for a split_last_date that is no date.
SplitRule split_rule(const FileAttributes& file, const Calendar& calendar);

/// The parts of a file of a run.
FileSeries series_of(const Model& model, const File& file);
/// The path of one of them: that of a file that is not cut, which has part 0 only, as it is.
std::string path_of_part(const FileSeries& series, std::string_view path, std::int64_t part);

}  // namespace epios::config
