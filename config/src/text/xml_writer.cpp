#include "text/xml_writer.hpp"

#include <fmt/format.h>

#include <cassert>

namespace epios::config {

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

void XmlWriter::begin(std::string_view tag, const WrittenAttributes& attributes) {
  text_.append(2 * open_.size(), ' ');
  text_ += fmt::format("<{}", tag);
  for (const WrittenAttribute& attribute : attributes) {
    text_ += fmt::format(" {}=\"{}\"", attribute.name, escaped(attribute.value));
  }
}

void XmlWriter::open(std::string_view tag, const WrittenAttributes& attributes) {
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

void XmlWriter::element(std::string_view tag, const WrittenAttributes& attributes,
                        std::string_view text) {
  begin(tag, attributes);
  text_ += text.empty() ? std::string("/>\n") : fmt::format(">{}</{}>\n", escaped(text), tag);
}

void XmlWriter::comment(std::string_view text) {
  text_.append(2 * open_.size(), ' ');
  text_ += "<!-- ";
  for (const char c : text) {
    // Two dashes would end it.
    if (c == '-' && text_.back() == '-') text_ += ' ';
    text_ += c;
  }
  text_ += " -->\n";
}

}  // namespace epios::config
