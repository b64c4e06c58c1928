// Reads lists of stations. First come texts: lines, columns, numbers; then variables of NetCDF.
#include "reading/station_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <vector>

#include "config/error.hpp"
#include "file/data_file.hpp"
#include "grid/index.hpp"

namespace epios::io {

namespace {

using Stations = config::FileFacts::Stations;

/// Larger texts are no lists of stations.
constexpr std::uintmax_t most_bytes = 256U << 20U;

std::string_view without_space(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// Splits a line. A cell in quotes may have separators in it, and "" for a quote.
std::vector<std::string> cells_of_line(std::string_view line, char separator) {
  std::vector<std::string> cells;
  std::string cell;
  bool is_quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (c == '"' && is_quoted && k + 1 < line.size() && line[k + 1] == '"') {
      cell += line[++k];
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == separator && !is_quoted) {
      cells.emplace_back(without_space(cell));
      cell.clear();
    } else {
      cell += c;
    }
  }
  cells.emplace_back(without_space(cell));
  return cells;
}

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

/// Reads a text line by line.
class StationText {
 public:
  Stations read(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";  // of UTF-8, which spreadsheets write
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      const std::string_view line = without_space(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.empty() || line.starts_with('#')) continue;
      if (lon_ < 0) {
        take_header(line);
      } else {
        take_station(cells_of_line(line, separator_));
      }
    }
    if (stations_.lon.empty()) throw Error(ErrorCode::io, "it lists no station");
    return std::move(stations_);
  }

 private:
  Error at_line(const std::string& why) const {
    return Error(ErrorCode::io, fmt::format("line {}: {}", line_, why));
  }

  void take_header(std::string_view line) {
    const auto separator = std::find_if(line.begin(), line.end(),
                                        [](char c) { return c == ',' || c == ';' || c == '\t'; });
    if (separator != line.end()) separator_ = *separator;
    const std::vector<std::string> names = cells_of_line(line, separator_);
    count_ = names.size();
    const auto column = [&](std::initializer_list<std::string_view> wanted) {
      const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
        return std::find(wanted.begin(), wanted.end(), in_small_letters(name)) != wanted.end();
      });
      return found == names.end() ? std::ptrdiff_t{-1} : found - names.begin();
    };
    lon_ = column({"lon", "longitude"});
    lat_ = column({"lat", "latitude"});
    name_ = column({"name", "station", "station_name", "id"});
    if (lon_ >= 0 && lat_ >= 0) return;
    throw at_line(fmt::format("no column is called {}, the first line names columns",
                              lon_ < 0 ? "lon" : "lat"));
  }

  void take_station(const std::vector<std::string>& cells) {
    if (cells.size() != count_) {
      throw at_line(fmt::format("{} columns, the first line names {}", cells.size(), count_));
    }
    const auto take = [&](std::ptrdiff_t column, const char* what) {
      const std::string& cell = cells[as_index(column)];
      const auto number = number_of(cell);
      if (!number) throw at_line(fmt::format("'{}' is no {}", cell, what));
      return *number;
    };
    stations_.lon.push_back(take(lon_, "longitude"));
    stations_.lat.push_back(take(lat_, "latitude"));
    if (name_ >= 0) stations_.names.push_back(cells[as_index(name_)]);
  }

  std::size_t line_ = 0, count_ = 0;
  std::ptrdiff_t lon_ = -1, lat_ = -1, name_ = -1;
  char separator_ = ',';
  Stations stations_;
};

bool is_netcdf(const std::string& path) {
  if (std::filesystem::is_directory(path)) return true;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> begin{};
  file.read(begin.data(), begin.size());
  const std::string_view magic(begin.data(), begin.size());
  return magic.starts_with("CDF") || magic == "\x89HDF";
}

std::string text_of_file(const std::string& path) {
  std::error_code problem;
  if (std::filesystem::file_size(path, problem) > most_bytes) {
    throw Error(ErrorCode::io, "it is too large for a list of stations");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, "it cannot be opened");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The variable along one dimension that says what is wanted in one of these ways, or -1.
int find_coordinate(const DataFile& file, const std::string& standard_name, const std::string& unit,
                    std::string_view short_name) {
  const auto find = [&](const auto& is_it) {
    const auto& all = file.variables();
    const auto found = std::find_if(all.begin(), all.end(), [&](const StoredVariable& variable) {
      return variable.dimensions.size() <= 1 &&
             variable.content == StoredVariable::Content::numbers && is_it(variable);
    });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
  };
  int out =
      find([&](const StoredVariable& v) { return v.attribute("standard_name") == standard_name; });
  if (out < 0) out = find([&](const StoredVariable& v) { return v.attribute("units") == unit; });
  if (out < 0) {
    out = find([&](const StoredVariable& v) {
      const std::string name = in_small_letters(v.name);
      return name == short_name || name == standard_name;
    });
  }
  return out;
}

Box whole_of(const DataFile& file, int variable) {
  const Extents shape = file.shape(variable);
  return {Extents(shape.size(), 0), shape};
}

std::vector<std::string> names_of(const DataFile& file, std::size_t count) {
  const auto& all = file.variables();
  const auto found = std::find_if(all.begin(), all.end(), [](const StoredVariable& variable) {
    return variable.attribute("cf_role") == "timeseries_id";
  });
  if (found == all.end()) return {};
  const int id = static_cast<int>(found - all.begin());
  const Box whole = whole_of(file, id);
  std::vector<std::string> names;
  if (found->content == StoredVariable::Content::numbers) {
    for (const double number : file.values(id, whole)) names.push_back(fmt::format("{}", number));
  } else if (found->content == StoredVariable::Content::text) {
    const std::string text = file.text(id, whole);
    const std::size_t width = text.size() / std::max<std::size_t>(1, count);
    for (std::size_t k = 0; k < count && width > 0; ++k) {
      const std::string_view name(text.data() + k * width, width);
      names.emplace_back(without_space(name.substr(0, std::min(name.find('\0'), width))));
    }
  } else {
    throw Error(ErrorCode::io,
                fmt::format("variable '{}' has names of a type that cannot be read (characters "
                            "and numbers can)",
                            found->name));
  }
  if (names.size() == count) return names;
  throw Error(ErrorCode::io, fmt::format("variable '{}' has {} names of {} stations", found->name,
                                         names.size(), count));
}

Stations stations_of_netcdf(const std::string& path) {
  const DataFile file(path);
  const int lon = find_coordinate(file, "longitude", "degrees_east", "lon");
  const int lat = find_coordinate(file, "latitude", "degrees_north", "lat");
  if (lon < 0 || lat < 0) {
    throw Error(ErrorCode::io, fmt::format("no variable along one dimension is a {}",
                                           lon < 0 ? "longitude" : "latitude"));
  }
  Stations out;
  out.lon = file.values(lon, whole_of(file, lon));
  out.lat = file.values(lat, whole_of(file, lat));
  if (nth(file.variables(), lon).dimensions != nth(file.variables(), lat).dimensions) {
    throw Error(ErrorCode::io,
                fmt::format("'{}' and '{}' are along different dimensions: they are of a grid",
                            nth(file.variables(), lon).name, nth(file.variables(), lat).name));
  }
  for (const auto& [id, values] : {std::pair{lon, &out.lon}, std::pair{lat, &out.lat}}) {
    const StoredVariable& variable = nth(file.variables(), id);
    for (std::size_t k = 0; k < values->size(); ++k) {
      if (std::isfinite((*values)[k]) && !variable.is_missing((*values)[k])) continue;
      throw Error(ErrorCode::io,
                  fmt::format("'{}' of station {} is missing", variable.name, k + 1));
    }
  }
  if (out.lon.empty()) throw Error(ErrorCode::io, "it lists no station");
  out.names = names_of(file, out.lon.size());
  return out;
}

}  // namespace

Stations stations_of_text(std::string_view text) { return StationText().read(text); }

void read_stations(config::FileFacts& facts) {
  try {
    facts.stations = is_netcdf(facts.path) ? stations_of_netcdf(facts.path)
                                           : stations_of_text(text_of_file(facts.path));
  } catch (const Error& error) {
    facts.error = error.what();
    facts.suggestion =
        "Is it a text with a first line \"name,lon,lat\", or a NetCDF file with lon and lat of "
        "stations?";
  }
}

}  // namespace epios::io
