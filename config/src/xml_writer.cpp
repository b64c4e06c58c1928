#include "xml_writer.hpp"

#include <fmt/format.h>

#include <cassert>

namespace epios::config {

namespace {

/// What a parser reads back as the same characters, in attributes and in text.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
      case '\t':
      case '\r':
        result += fmt::format("&#{};", static_cast<int>(c));
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

void XmlWriter::begin(std::string_view tag, const XmlAttributes& attributes) {
  text_.append(2 * open_.size(), ' ');
  text_ += fmt::format("<{}", tag);
  for (const XmlAttribute& attribute : attributes) {
    text_ += fmt::format(" {}=\"{}\"", attribute.name, escaped(attribute.value));
  }
}

void XmlWriter::open(std::string_view tag, const XmlAttributes& attributes) {
  begin(tag, attributes);
  text_ += ">\n";
  open_.emplace_back(tag);
}

void XmlWriter::close() {
  assert(!open_.empty());
  const std::string tag = open_.back();
  open_.pop_back();
  text_.append(2 * open_.size(), ' ');
  text_ += fmt::format("</{}>\n", tag);
}

void XmlWriter::element(std::string_view tag, const XmlAttributes& attributes,
                        std::string_view text) {
  begin(tag, attributes);
  text_ += text.empty() ? std::string("/>\n") : fmt::format(">{}</{}>\n", escaped(text), tag);
}

}  // namespace epios::config
