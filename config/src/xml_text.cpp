#include "xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "text.hpp"

namespace epios::config {

namespace {

/// Turns the parser's nodes into elements. Names point into the buffer that was parsed in place, so
/// their offsets are positions in the text.
class Tree {
 public:
  Tree(const SourceText& source, std::vector<char>& buffer, Findings& findings)
      : source_(source), buffer_(buffer), findings_(findings) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < source.text.size(); ++i) {
      if (source.text[i] == '\n') line_starts_.push_back(i + 1);
    }
  }

  Position at(std::size_t offset) const {
    const auto line = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset) - 1;
    return {source_.path, static_cast<int>(line - line_starts_.begin()) + 1,
            static_cast<int>(offset - *line) + 1};
  }

  /// Of the '<' in front of a tag's name.
  Position of(const pugi::xml_node& node) const { return at(offset(node.name()) - 1); }

  void fill(Document::Element& element, const pugi::xml_node& node, int depth) {
    element.tag = node.name();
    element.position = of(node);
    if (depth > largest_depth) {
      if (!too_deep_) {
        findings_.error({element.position, {}}, fmt::format("<{}> is nested too deep", element.tag),
                        fmt::format("limit {}", largest_depth));
      }
      too_deep_ = true;
      return;
    }
    fill_attributes(element, node);
    std::string text;
    const char* text_begin = nullptr;
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() == pugi::node_element) {
        fill(element.children.emplace_back(), child, depth + 1);
      } else if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        const std::string_view value = child.value();
        const std::string_view inner = trimmed(value);
        if (text_begin == nullptr && !inner.empty()) text_begin = inner.data();
        text += value;
      }
    }
    element.text = trimmed(text);
    element.text_position = text_begin == nullptr ? element.position : at(offset(text_begin));
  }

 private:
  std::size_t offset(const char* name) const {
    return static_cast<std::size_t>(name - buffer_.data());
  }

  void fill_attributes(Document::Element& element, const pugi::xml_node& node) {
    std::unordered_set<std::string_view> seen;
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const Position position = at(offset(attribute.name()));
      if (!seen.insert(attribute.name()).second) {
        findings_.error({position, {}}, fmt::format("attribute '{}' of <{}> is given twice",
                                                    attribute.name(), element.tag));
      }
      element.attributes.push_back({attribute.name(), attribute.value(), position});
    }
  }

  const SourceText& source_;
  std::vector<char>& buffer_;
  Findings& findings_;
  std::vector<std::size_t> line_starts_;
  bool too_deep_ = false;
};

std::string suggestion(pugi::xml_parse_status status) {
  if (status == pugi::status_end_element_mismatch) {
    return "Is a closing tag missing or misspelt?";
  }
  if (status == pugi::status_no_document_element) return "Is the file empty?";
  return {};
}

}  // namespace

bool parse_xml(const SourceText& source, Document::Element& root, Findings& findings) {
  const Origin whole{{source.path, 0, 0}, {}};
  if (source.text.size() > largest_file_bytes) {
    findings.error(whole, "file is too large",
                   fmt::format("{} bytes, limit {}", source.text.size(), largest_file_bytes));
    return false;
  }
  std::vector<char> buffer(source.text.begin(), source.text.end());
  buffer.push_back('\0');
  Tree tree(source, buffer, findings);
  if (const std::size_t zero = source.text.find('\0'); zero != std::string::npos) {
    findings.error({tree.at(zero), {}}, "file holds a zero byte", "it is not XML text");
    return false;
  }
  if (const std::size_t bad = first_not_utf8(source.text); bad != std::string::npos) {
    const auto byte = static_cast<unsigned char>(source.text[bad]);
    findings.error({tree.at(bad), {}}, fmt::format("byte 0x{:02x} is no text", byte),
                   "files are read as UTF-8", "Convert the file to UTF-8 (iconv)?");
    return false;
  }
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer_inplace(buffer.data(), source.text.size(),
                                   pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
  if (!result) {
    std::string why = lower_case(result.description());
    findings.error({tree.at(static_cast<std::size_t>(result.offset)), {}}, "XML is not well formed",
                   why, suggestion(result.status));
    return false;
  }
  pugi::xml_node found;
  for (const pugi::xml_node& node : document.children()) {
    if (node.type() == pugi::node_doctype) {
      const Position position = tree.at(static_cast<std::size_t>(node.value() - buffer.data()));
      findings.error({position, {}}, "DOCTYPE is not accepted",
                     "no entities or outside definitions are read");
      return false;
    }
    if (node.type() != pugi::node_element) continue;
    if (!found.empty()) {
      findings.error({tree.of(node), {}}, fmt::format("a second root element <{}>", node.name()),
                     "a file holds one root element");
      return false;
    }
    found = node;
  }
  const std::size_t before = findings.all().size();
  tree.fill(root, found, 1);
  return findings.all().size() == before;
}

std::string included_path(const std::string& including, const std::string& src) {
  const std::filesystem::path path(src);
  if (path.is_absolute()) return path.lexically_normal().string();
  return (std::filesystem::path(including).parent_path() / path).lexically_normal().string();
}

}  // namespace epios::config
