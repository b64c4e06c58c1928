/// @file
/// XML text, and its elements with their positions.
#pragma once

#include <string>
#include <vector>

#include "config/error.hpp"

namespace epios::config {

/// The text of one file of a configuration; one process reads all files and every process parses
/// them.
struct SourceText {
  std::string path;  ///< as shown in messages
  std::string text;
};
using SourceTexts = std::vector<SourceText>;

/// An attribute `name="value"` with its position.
struct XmlAttribute {
  std::string name;
  std::string value;
  Position position;        ///< position of the name
  Position value_position;  ///< position of the first character of `value`
  std::string raw_value{};  ///< the text in the file, if it differs from `value`
};

/// An XML element with everything inside.
struct XmlElement {
  std::string tag;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::string text;  ///< trimmed
  Position position;
  Position text_position;  ///< position of the first character of `text`
  std::string raw_text{};  ///< the text in the file, if it differs from `text`
};

}  // namespace epios::config
