// The byte codec of questions about files and of their answers, and the matching of variables to
// grids: which dimension of a variable is which dimension of a grid, and which one counts records.
#include "config/file_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "config/byte_fields.hpp"
#include "config/file_dates.hpp"
#include "config/index.hpp"

namespace epios::config {

template <class Archive>
void fields(Archive& archive, Described<FileQuestion> auto& question) {
  archive(question.path, question.variables, question.wants_dates, question.wants_stations);
}

template <class Archive>
void fields(Archive& archive, Described<FileFacts::Attribute> auto& attribute) {
  archive(attribute.name, attribute.text);
}

template <class Archive>
void fields(Archive& archive, Described<FileFacts::Dimension> auto& dimension) {
  archive(dimension.name, dimension.length, dimension.is_unlimited);
}

template <class Archive>
void fields(Archive& archive, Described<FileFacts::Variable> auto& variable) {
  archive(variable.name, variable.holds_numbers, variable.dimensions, variable.attributes,
          variable.dates);
}

template <class Archive>
void fields(Archive& archive, Described<FileFacts::Stations> auto& stations) {
  archive(stations.lon, stations.lat, stations.names);
}

template <class Archive>
void fields(Archive& archive, Described<FileFacts> auto& file) {
  archive(file.path, file.folder, file.exists, file.error, file.suggestion, file.dimensions,
          file.variables, file.stations);
}

namespace {

constexpr std::string_view what_is_known = "what a file says of itself";

void check_dimensions(const FileFacts& file) {
  for (const FileFacts::Variable& variable : file.variables) {
    for (const int dimension : variable.dimensions) {
      if (dimension >= 0 && static_cast<std::size_t>(dimension) < file.dimensions.size()) continue;
      refuse_bytes(what_is_known, "it names a dimension that it has not");
    }
  }
}

}  // namespace

std::string_view FileFacts::Variable::attribute(std::string_view wanted) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [wanted](const Attribute& a) { return a.name == wanted; });
  return found == attributes.end() ? std::string_view() : found->text;
}

void FileFacts::sort_names() {
  by_name.resize(variables.size());
  std::iota(by_name.begin(), by_name.end(), std::size_t{0});
  std::stable_sort(by_name.begin(), by_name.end(), [this](std::size_t a, std::size_t b) {
    return variables[a].name < variables[b].name;
  });
}

const FileFacts::Variable* FileFacts::find(std::string_view variable) const {
  if (by_name.size() == variables.size()) {
    const auto at = std::lower_bound(by_name.begin(), by_name.end(), variable,
                                     [this](std::size_t number, std::string_view wanted) {
                                       return variables[number].name < wanted;
                                     });
    return at != by_name.end() && variables[*at].name == variable ? &variables[*at] : nullptr;
  }
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [variable](const Variable& v) { return v.name == variable; });
  return found == variables.end() ? nullptr : &*found;
}

std::vector<std::int64_t> FileFacts::shape(const Variable& variable) const {
  std::vector<std::int64_t> lengths;
  for (const int dimension : variable.dimensions) lengths.push_back(length(dimension));
  return lengths;
}

std::vector<std::byte> encode(std::span<const FileQuestion> questions) {
  return encode_fields(questions);
}

std::vector<FileQuestion> decode_questions(std::span<const std::byte> bytes) {
  std::vector<FileQuestion> questions;
  decode_fields(bytes, what_is_known, questions);
  return questions;
}

std::vector<std::byte> encode(std::span<const FileFacts> facts) { return encode_fields(facts); }

std::vector<FileFacts> decode_facts(std::span<const std::byte> bytes) {
  std::vector<FileFacts> facts;
  decode_fields(bytes, what_is_known, facts);
  for (FileFacts& file : facts) {
    check_dimensions(file);
    file.sort_names();
  }
  return facts;
}

std::optional<std::vector<int>> fit_dimensions(std::span<const std::int64_t> lengths,
                                               std::span<const std::optional<std::int64_t>> sizes) {
  // fits[i][j]: from size i and length j on they go together. Few of each.
  const std::size_t rows = sizes.size();
  const std::size_t columns = lengths.size();
  std::vector<std::vector<char>> fits(rows + 1, std::vector<char>(columns + 1, 0));
  const auto may_meet = [&](std::size_t i, std::size_t j) {
    return sizes[i].value_or(lengths[j]) == lengths[j];
  };
  for (std::size_t i = rows + 1; i-- > 0;) {
    for (std::size_t j = columns + 1; j-- > 0;) {
      const bool meet = i < rows && j < columns && may_meet(i, j) && fits[i + 1][j + 1] != 0;
      const bool skip_length = j < columns && lengths[j] == 1 && fits[i][j + 1] != 0;
      const bool skip_size = i < rows && sizes[i] == 1 && fits[i + 1][j] != 0;
      fits[i][j] = (i == rows && j == columns) || meet || skip_length || skip_size ? 1 : 0;
    }
  }
  if (fits[0][0] == 0) return std::nullopt;
  std::vector<int> out(rows, -1);
  std::size_t j = 0;
  for (std::size_t i = 0; i < rows;) {
    if (j < columns && may_meet(i, j) && fits[i + 1][j + 1] != 0) {
      out[i++] = static_cast<int>(j++);
    } else if (j < columns && lengths[j] == 1 && fits[i][j + 1] != 0) {
      ++j;
    } else {
      ++i;
    }
  }
  return out;
}

bool says_time(std::string_view dimension, std::string_view units, std::string_view axis,
               std::string_view standard_name) {
  return dimension == "time" || dimension == "time_counter" || axis == "T" ||
         standard_name == "time" || say_dates(units);
}

bool says_direction(Direction direction, std::string_view units, std::string_view axis,
                    std::string_view standard_name) {
  constexpr std::array<std::string_view, 6> east{"degrees_east", "degree_east", "degree_E",
                                                 "degrees_E",    "degreeE",     "degreesE"};
  constexpr std::array<std::string_view, 6> north{"degrees_north", "degree_north", "degree_N",
                                                  "degrees_N",     "degreeN",      "degreesN"};
  const bool is_lon = direction == Direction::longitude;
  const auto& known = is_lon ? east : north;
  return std::find(known.begin(), known.end(), units) != known.end() ||
         standard_name == (is_lon ? "longitude" : "latitude") ||
         standard_name == (is_lon ? "projection_x_coordinate" : "projection_y_coordinate") ||
         axis == (is_lon ? "X" : "Y");
}

std::optional<FittedVariable> fit_variable(const FileFacts& file,
                                           const FileFacts::Variable& variable,
                                           std::string_view time_name,
                                           std::span<const std::optional<std::int64_t>> sizes) {
  const std::vector<std::int64_t> lengths = file.shape(variable);
  const auto fitted = [&](bool has_records) -> std::optional<FittedVariable> {
    const std::size_t skipped = has_records ? 1 : 0;
    const auto places = fit_dimensions(std::span(lengths).subspan(skipped), sizes);
    if (!places) return std::nullopt;
    FittedVariable out{has_records, {}};
    for (const int place : *places) {
      out.dimensions.push_back(
          place < 0 ? -1 : variable.dimensions[static_cast<std::size_t>(place) + skipped]);
    }
    return out;
  };
  if (lengths.empty()) return fitted(false);
  const auto& first = nth(file.dimensions, variable.dimensions.front());
  if (first.is_unlimited || first.name == time_name) return fitted(true);
  const FileFacts::Variable* const coordinate = file.find(first.name);
  const auto says = [coordinate](std::string_view name) {
    return coordinate == nullptr ? std::string_view() : coordinate->attribute(name);
  };
  if (says_time(first.name, says("units"), says("axis"), says("standard_name"))) {
    if (auto with = fitted(true)) return with;
  }
  return fitted(false);
}

}  // namespace epios::config
