/// @file
/// Lists of stations in files of users: texts with columns, and NetCDF.
#pragma once

#include <string>
#include <string_view>

#include "config/file_facts.hpp"

namespace epios::io {

/// Reads a list of stations. Columns of a text are separated by commas, semicolons or tabs; the
/// first line names them: name (or station, id), lon (or longitude), lat (or latitude). Lines that
/// begin with # and empty lines are skipped. Throws Error{io}, which says the line.
config::FileFacts::Stations stations_of_text(std::string_view text);
/// Reads the list that a file has. In NetCDF, longitudes and latitudes are the variables with these
/// standard names, units or names, along one dimension; names are the variable with
/// cf_role="timeseries_id", if there is one. Sets `error` and `suggestion` of the facts if the file
/// is no such list.
void read_stations(config::FileFacts& facts);

}  // namespace epios::io
