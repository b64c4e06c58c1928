/// @file
/// What a file that is read says of itself, apart from its data. One process reads it and everybody
/// who has to know gets its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace epios::config {

/// A file and the variables that matter: what describes these is told, too.
struct FileQuestion {
  std::string path;
  std::vector<std::string> variables;
  bool wants_dates = false;  ///< values of coordinates in units of "... since ..."
  bool operator==(const FileQuestion&) const = default;
};

struct FileFacts {
  struct Dimension {
    std::string name;
    std::int64_t length = 0;
    bool is_unlimited = false;
  };
  /// Numbers are written as text.
  struct Attribute {
    std::string name;
    std::string text;
  };
  struct Variable {
    std::string name;
    bool holds_numbers = true;
    std::vector<int> dimensions;  ///< into FileFacts::dimensions
    std::vector<Attribute> attributes;
    std::vector<double> dates{};  ///< that are wanted, as they stand in the file

    /// "" when there is none of this name.
    std::string_view attribute(std::string_view name) const;
  };

  std::string path;
  std::string folder;   ///< that names of files are relative to
  bool exists = false;  ///< else only path and folder say something
  std::string error;    ///< why it cannot be read; empty: it can
  std::vector<Dimension> dimensions;
  std::vector<Variable> variables;  ///< all of them; attributes only of those that matter

  /// Numbers of variables in the order of their names; what find() looks into.
  std::vector<std::size_t> by_name;

  /// To be called when `variables` are complete: without it, find() looks at all of them.
  void sort_names();
  const Variable* find(std::string_view variable) const;
  std::int64_t length(int dimension) const {
    return dimensions[static_cast<std::size_t>(dimension)].length;
  }
  /// Lengths of all dimensions of a variable.
  std::vector<std::int64_t> shape(const Variable& variable) const;
};

std::vector<std::byte> encode(std::span<const FileQuestion> questions);
std::vector<std::byte> encode(std::span<const FileFacts> facts);
/// Throw Error{protocol} for bytes that encode() did not make.
std::vector<FileQuestion> decode_questions(std::span<const std::byte> bytes);
std::vector<FileFacts> decode_facts(std::span<const std::byte> bytes);

/// Which dimension each of `sizes` is (of a grid, slowest first; none: not known yet), -1: it has
/// no dimension. Dimensions of length 1 may be missing on either side. None: they do not go
/// together.
std::optional<std::vector<int>> fit_dimensions(std::span<const std::int64_t> lengths,
                                               std::span<const std::optional<std::int64_t>> sizes);

/// How a variable goes together with a grid.
struct FittedVariable {
  bool has_records = false;     ///< its first dimension is that of records
  std::vector<int> dimensions;  ///< per size of the grid, into FileFacts::dimensions; -1: none
};
/// Whether a first dimension of a fixed length is that of records: by its name, or by what its
/// coordinate says of itself.
bool says_time(std::string_view dimension, std::string_view units, std::string_view axis,
               std::string_view standard_name);
/// `time_name`: the dimension of records, beside unlimited ones and those of says_time().
std::optional<FittedVariable> fit_variable(const FileFacts& file,
                                           const FileFacts::Variable& variable,
                                           std::string_view time_name,
                                           std::span<const std::optional<std::int64_t>> sizes);

}  // namespace epios::config
