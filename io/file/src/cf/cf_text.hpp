/// @file
/// Texts in the form that CF and NetCDF require.
#pragma once

#include <string>
#include <vector>

#include "config/calendar.hpp"
#include "config/model_fwd.hpp"
#include "file/output_file.hpp"

namespace epios::io {

/// Returns a duration in one unit ("6 h", "1 month"), or "" if that is impossible. `ts` counts as
/// `timestep`.
std::string cf_interval(const config::Duration& duration, const config::Duration& timestep);

/// Returns a text that is the same for equal intervals in all units: "1 d 6 h".
std::string interval_text(const config::Duration& duration, const config::Duration& timestep);

/// Describes a calendar for which CF has no name (CF-1.11 4.4.1: month_lengths, leap_year and
/// leap_month, for twelve months and a leap year every four years). Days of another length and
/// years without months, which CF cannot describe, get attributes of our own.
void add_calendar(std::vector<FileAttribute>& attributes, const config::Calendar& calendar);

/// Returns the attribute of a <variable>. Throws Error{configuration} for a type that NetCDF does
/// not have, or text that is no value of the type. `owner` is "file 'x'" or "field 'y'".
FileAttribute attribute_of(const config::Variable& variable, const std::string& owner);

/// Adds attributes whose text is not empty.
void add_text(std::vector<FileAttribute>& attributes, const char* name,
              const std::optional<std::string>& text);

/// Throws Error{configuration} for a name that NetCDF does not accept; `what` is "field", "axis",
/// ...
void check_name(const std::string& path, const std::string& what, const std::string& name);

/// Returns the names of variables in an attribute cell_measures: "area: areacello" names areacello.
std::vector<std::string> measure_variables(const std::string& cell_measures);

}  // namespace epios::io
