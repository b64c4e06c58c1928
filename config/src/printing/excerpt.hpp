/// @file
/// Excerpts of the lines that findings are about.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "config/document.hpp"

namespace epios::config {

/// Finds lines of files with an index instead of a scan for each.
class Lines {
 public:
  explicit Lines(const SourceTexts& sources);

  /// Returns the line of a finding, without its end; empty if there is no such place.
  std::string_view at(const Position& position);

 private:
  struct File {
    std::string_view text;
    std::vector<std::size_t> starts;  ///< starts of lines; filled at the first question
  };
  std::unordered_map<std::string_view, File> files_;
};

/// The part of a line that is shown: all of it, or the part around `column` of a long one.
struct Excerpt {
  std::string text;
  std::string caret;  ///< '^' under the column
};
Excerpt excerpt_of(std::string_view line, int column);

}  // namespace epios::config
