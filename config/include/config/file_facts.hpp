/// @file
/// Metadata of a file that is read, without its data. One process reads it and sends its bytes to
/// all that need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/index.hpp"

namespace epios::config {

/// A file and the variables of interest. The answer also covers the variables that describe these.
struct FileQuestion {
  std::string path;
  std::vector<std::string> variables;
  bool wants_dates = false;     ///< values of coordinates with units "... since ..." are wanted
  bool wants_stations = false;  ///< nothing but its list of stations is wanted
  bool operator==(const FileQuestion&) const = default;
};

struct FileFacts {
  struct Dimension {
    std::string name;
    std::int64_t length = 0;
    bool is_unlimited = false;
  };
  /// An attribute. Numbers are written as text.
  struct Attribute {
    std::string name;
    std::string text;
  };
  struct Variable {
    std::string name;
    bool holds_numbers = true;
    std::vector<int> dimensions;  ///< indices into FileFacts::dimensions
    std::vector<Attribute> attributes;
    std::vector<double> dates{};  ///< dates that are wanted, as they stand in the file

    /// Returns the text of an attribute, "" if there is none with this name.
    std::string_view attribute(std::string_view name) const;
  };

  std::string path;
  std::string folder;      ///< folder that file names are relative to
  bool exists = false;     ///< if false, only path and folder are set
  std::string error;       ///< why the file cannot be read; empty if it can
  std::string suggestion;  ///< what to do about it; empty if nothing special is known
  std::vector<Dimension> dimensions;
  std::vector<Variable> variables;  ///< all variables; attributes only of those of interest
  /// The stations that a file lists, if they are wanted. Then dimensions and variables are empty.
  struct Stations {
    std::vector<double> lon, lat;    ///< in degrees, as they stand in the file
    std::vector<std::string> names;  ///< empty if the file names none
  };
  Stations stations{};

  /// Numbers of the variables in the order of their names; find() searches in it.
  std::vector<std::size_t> by_name;

  /// Sorts the names. Call it when `variables` is complete; without it, find() looks at all of
  /// them.
  void sort_names();
  const Variable* find(std::string_view variable) const;
  std::int64_t length(int dimension) const { return nth(dimensions, dimension).length; }
  /// Returns the lengths of all dimensions of a variable.
  std::vector<std::int64_t> shape(const Variable& variable) const;
};

std::vector<std::byte> encode(std::span<const FileQuestion> questions);
std::vector<std::byte> encode(std::span<const FileFacts> facts);
/// Throw Error{protocol} for bytes that encode() did not make.
std::vector<FileQuestion> decode_questions(std::span<const std::byte> bytes);
std::vector<FileFacts> decode_facts(std::span<const std::byte> bytes);

/// Matches each of `sizes` (of a grid, slowest first; an empty one is not known yet) to a
/// dimension. -1 means that it has no dimension: dimensions of length 1 may be missing on either
/// side. Returns nothing if they do not match.
std::optional<std::vector<int>> fit_dimensions(std::span<const std::int64_t> lengths,
                                               std::span<const std::optional<std::int64_t>> sizes);

/// How a variable matches a grid.
struct FittedVariable {
  bool has_records = false;     ///< true if its first dimension counts records
  std::vector<int> dimensions;  ///< dimension of each size of the grid, an index into
                                ///< FileFacts::dimensions; -1 if it has none
};
/// Returns true if a first dimension of fixed length counts records, judging by its name or by the
/// attributes of its coordinate.
bool says_time(std::string_view dimension, std::string_view units, std::string_view axis,
               std::string_view standard_name);
/// Which way a horizontal coordinate goes.
enum class Direction { longitude, latitude };
/// Returns true if a coordinate goes that way, judging by its attributes: units, standard name or
/// axis (CF 4.1, 4.2; 5.6 for projections).
bool says_direction(Direction direction, std::string_view units, std::string_view axis,
                    std::string_view standard_name);
/// `time_name` names the dimension of records, in addition to unlimited dimensions and those of
/// says_time().
std::optional<FittedVariable> fit_variable(const FileFacts& file,
                                           const FileFacts::Variable& variable,
                                           std::string_view time_name,
                                           std::span<const std::optional<std::int64_t>> sizes);

}  // namespace epios::config
