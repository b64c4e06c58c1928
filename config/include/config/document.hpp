/// @file
/// XML text with positions: the first of Document -> Definitions -> Model.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/error.hpp"

namespace epios::config {

/// The text of all files of one configuration, so that one process reads and all parse.
struct SourceText {
  std::string path;  ///< as shown in messages
  std::string text;
};
using SourceTexts = std::vector<SourceText>;

/// Reads `entry` and, following `src` attributes, every file it includes: relative to the including
/// file or, with compat="xios2" on the root element, to the working directory. Local; one process
/// of a job does it. Throws ConfigError (unreadable, include loop, limits).
SourceTexts read_sources(const std::filesystem::path& entry);

struct ReadSources {
  SourceTexts sources;               ///< what could be read, also when it is not well formed
  std::vector<Diagnostic> mistakes;  ///< with any of them there is no configuration
};
/// As read_sources(), for who shows the lines of mistakes. Throws nothing for them.
ReadSources try_read_sources(const std::filesystem::path& entry);

/// Parsed XML: a tree of elements that know where they stand. Immutable.
class Document {
 public:
  struct Attribute {
    std::string name;
    std::string value;
    Position position;        ///< of the name
    Position value_position;  ///< of the first character of `value`
    std::string raw_value{};  ///< as it stands in the file, when that is not `value`
  };
  struct Element {
    std::string tag;
    std::vector<Attribute> attributes;
    std::vector<Element> children;
    std::string text;  ///< trimmed
    Position position;
    Position text_position;  ///< of the first character of `text`
    std::string raw_text{};  ///< as it stands in the file, when that is not `text`
  };

  /// Parses the first text; includes are looked up in `sources`. An included file's root brings its
  /// attributes and children: (1) attributes of the including tag, (2) the included root's, (3)
  /// inline children. Throws ConfigError with every syntax error's file:line:column.
  explicit Document(const SourceTexts& sources);
  const Element& root() const { return root_; }
  /// What is tolerated although XML forbids it.
  const std::vector<Diagnostic>& warnings() const { return warnings_; }

 private:
  Element root_;
  std::vector<Diagnostic> warnings_;
};

}  // namespace epios::config
