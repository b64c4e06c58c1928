/// @file
/// Text of XML, and the elements in it, which know where they stand.
#pragma once

#include <string>
#include <vector>

#include "config/error.hpp"

namespace epios::config {

/// The text of all files of one configuration, so that one process reads and all parse.
struct SourceText {
  std::string path;  ///< as shown in messages
  std::string text;
};
using SourceTexts = std::vector<SourceText>;

/// `name="value"` and where it stands.
struct XmlAttribute {
  std::string name;
  std::string value;
  Position position;        ///< of the name
  Position value_position;  ///< of the first character of `value`
  std::string raw_value{};  ///< as it stands in the file, when that is not `value`
};

/// One element of XML with all that is inside.
struct XmlElement {
  std::string tag;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::string text;  ///< trimmed
  Position position;
  Position text_position;  ///< of the first character of `text`
  std::string raw_text{};  ///< as it stands in the file, when that is not `text`
};

}  // namespace epios::config
