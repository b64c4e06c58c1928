// Parses the XML of one file with pugixml, the only place that knows it. Text is first made
// acceptable (lenient_xml) and then parsed into XmlElement with positions in the original text;
// mistakes are translated for authors of XML.
#include "text/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "text/lenient_xml.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

constexpr const char* not_well_formed = "XML is not well formed";

struct SyntaxMistake {
  std::string_view why, suggestion;
};

/// Explains a code of the parser to authors of XML.
SyntaxMistake mistake_of(pugi::xml_parse_status status) {
  switch (static_cast<int>(status)) {  // some of its codes are of no mistake
    case pugi::status_bad_attribute:
      return {"an attribute reads name=\"value\" after white space", "Is a quote missing?"};
    case pugi::status_bad_start_element:
      return {"a tag reads <name attribute=\"value\">", "Is a quote, '>' or '/>' missing?"};
    case pugi::status_bad_end_element:
      return {"a closing tag reads </name>", "Is there a '>' at its end?"};
    case pugi::status_bad_pi:
      return {"what begins with <? ends with ?>", {}};
    case pugi::status_bad_cdata:
      return {"what begins with <![CDATA[ ends with ]]>", {}};
    case pugi::status_bad_doctype:
      return {"DOCTYPE is not accepted", "Remove it."};
    case pugi::status_unrecognized_tag:
      return {"no tag begins here", "Write '<' in text as '&lt;'."};
    case pugi::status_end_element_mismatch:
      return {"opening and closing tags do not match", "Is a closing tag missing or misspelt?"};
    case pugi::status_no_document_element:
      return {"there is no element", "Is the file empty?"};
    default:
      return {};
  }
}

/// Turns the parser's nodes into elements. Names point into the buffer that was parsed in place, so
/// their offsets are positions in the text.
class Tree {
 public:
  Tree(const SourceText& source, const LenientText& lenient, std::vector<char>& buffer,
       Findings& findings)
      : source_(source),
        lenient_(lenient),
        buffer_(buffer),
        findings_(findings),
        line_starts_(line_starts(source.text)) {}

  /// Returns the position of an offset into the original text.
  Position at(std::size_t offset) const {
    const auto line = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset) - 1;
    return {source_.path, static_cast<int>(line - line_starts_.begin()) + 1,
            static_cast<int>(offset - *line) + 1};
  }

  /// Returns the position of something inside the buffer.
  Position of(const char* place) const { return at(original_of(place)); }
  /// Returns the position of the '<' before the name of a tag.
  Position of(const pugi::xml_node& node) const { return of(node.name() - 1); }

  void report_tolerated() {
    for (const Leniency& leniency : lenient_.tolerated()) report(leniency, false);
  }

  /// Reports the likely cause of what the parser met at `place`.
  void blame(const pugi::xml_parse_result& result) {
    const Position place = of(buffer_.data() + result.offset);
    const Suspect* cause = nullptr;
    for (const Suspect& suspect : lenient_.suspects()) {
      const Position position = at(suspect.offset);
      if (std::pair(position.line, position.column) <= std::pair(place.line, place.column)) {
        cause = &suspect;
      }
    }
    if (cause != nullptr) return report(*cause);
    if (result.status == pugi::status_end_element_mismatch) {
      // A closing tag of another name is the likely cause of whatever else does not fit.
      for (const Leniency& leniency : lenient_.tolerated()) {
        if (leniency.kind == Leniency::Kind::other_closing_tag) return report(leniency, true);
      }
    }
    const SyntaxMistake mistake = mistake_of(result.status);
    findings_.error(
        Code::not_well_formed, {place, {}}, not_well_formed,
        mistake.why.empty() ? lower_case(result.description()) : std::string(mistake.why),
        std::string(mistake.suggestion));
  }

  void fill(XmlElement& element, const pugi::xml_node& node, int depth) {
    element.tag = node.name();
    element.position = of(node);
    if (depth > largest_depth) {
      if (!too_deep_) {
        findings_.error(Code::too_large, {element.position, {}},
                        fmt::format("<{}> is nested too deep", element.tag),
                        fmt::format("limit {}", largest_depth));
      }
      too_deep_ = true;
      return;
    }
    fill_attributes(element, node);
    std::string text;
    const char* text_begin = nullptr;
    const char* last_piece = nullptr;
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() == pugi::node_element) {
        fill(element.children.emplace_back(), child, depth + 1);
      } else if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        const std::string_view value = child.value();
        const std::string_view inner = trimmed(value);
        if (text_begin == nullptr && !inner.empty()) text_begin = inner.data();
        if (!inner.empty()) last_piece = value.data();
        text += value;
      }
    }
    element.text = trimmed(text);
    element.text_position = text_begin == nullptr ? element.position : of(text_begin);
    if (text_begin != nullptr) keep_raw_text(element, text_begin, last_piece);
  }

 private:
  void report(const Leniency& leniency, bool as_error) {
    const Origin origin{at(leniency.offset), {}};
    switch (leniency.kind) {
      case Leniency::Kind::dashes_in_comment:
        return findings_.warning(Code::tolerated_syntax, origin, "'--' inside a comment",
                                 "XML forbids it", "Write the comment without it.");
      case Leniency::Kind::comment_in_comment:
        return findings_.warning(
            Code::tolerated_syntax, origin, "a comment holds the beginning of another one",
            fmt::format("it ends behind that one, which is at {}", at(leniency.opened).text()),
            "Is '-->' missing?");
      case Leniency::Kind::late_declaration:
        return findings_.warning(
            Code::tolerated_syntax, origin, "the XML declaration is not at the very start",
            "XML wants nothing in front of it, it is ignored", "Remove what stands before.");
      case Leniency::Kind::bracket_in_value:
        return findings_.warning(Code::tolerated_syntax, origin, "'<' in the value of an attribute",
                                 "XML forbids it", "Write '&lt;'.");
      case Leniency::Kind::unknown_reference:
        return findings_.warning(
            Code::tolerated_syntax, origin, fmt::format("'{}' stands for nothing", leniency.found),
            "it stays as it is; known are &lt; &gt; &amp; &quot; &apos; and numbers as in &#65;",
            "Write '&amp;' for '&'.");
      case Leniency::Kind::no_character:
        return findings_.error(Code::not_well_formed, origin,
                               fmt::format("'{}' is no character", leniency.found),
                               "XML has none of that number");
      case Leniency::Kind::other_closing_tag:
        break;
    }
    if (as_error && leniency.is_outer) {
      return findings_.error(
          Code::not_well_formed, {at(leniency.opened), {}},
          fmt::format("<{}> is not closed", leniency.closed),
          fmt::format("</{}> comes first, at {}", leniency.found, origin.position.text()),
          fmt::format("Is </{}> missing?", leniency.closed));
    }
    std::string problem =
        fmt::format("closing tag </{}> ends <{}>", leniency.found, leniency.closed);
    std::string why = fmt::format("it was opened at {}", at(leniency.opened).text());
    std::string suggestion = "Is a closing tag missing or misspelt?";
    findings_.add(as_error ? Severity::error : Severity::warning,
                  as_error ? Code::not_well_formed : Code::tolerated_syntax, origin,
                  std::move(problem), std::move(why), std::move(suggestion));
  }

  void report(const Suspect& suspect) {
    const Origin origin{at(suspect.offset), {}};
    switch (suspect.kind) {
      case Suspect::Kind::quote:
        return findings_.error(
            Code::not_well_formed, origin, not_well_formed,
            fmt::format("a value of <{}> begins here and goes on behind the next tag", suspect.tag),
            "Is a quote missing?");
      case Suspect::Kind::opening_tag:
        return findings_.error(Code::not_well_formed, origin, not_well_formed,
                               fmt::format("<{}> does not end before the next tag", suspect.tag),
                               "Is a '>' missing?");
      case Suspect::Kind::comment:
        return findings_.error(Code::not_well_formed, origin, not_well_formed,
                               "a comment begins here and does not end", "Is a '-->' missing?");
      case Suspect::Kind::unclosed:
        return findings_.error(
            Code::not_well_formed, origin, fmt::format("<{}> is not closed", suspect.tag),
            "the file ends before", fmt::format("Is </{}> missing?", suspect.tag));
      case Suspect::Kind::bracket:
        break;
    }
    findings_.error(Code::not_well_formed, origin, not_well_formed, "no tag begins here",
                    "Write '<' in text as '&lt;'.");
  }

  void fill_attributes(XmlElement& element, const pugi::xml_node& node) {
    std::unordered_set<std::string_view> seen;
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const Position position = of(attribute.name());
      if (!seen.insert(attribute.name()).second) {
        findings_.warning(
            Code::tolerated_syntax, {position, {}},
            fmt::format("attribute '{}' of <{}> is given twice", attribute.name(), element.tag),
            "XML forbids it; the last one counts", "Remove one of them.");
        std::erase_if(element.attributes,
                      [&](const auto& known) { return known.name == attribute.name(); });
      }
      const std::size_t begin = original_of(attribute.value());
      const std::string_view whole = source_.text;
      const std::size_t end = begin == 0 ? 0 : whole.find(whole[begin - 1], begin);
      const std::string_view raw = whole.substr(begin, end == begin ? 0 : end - begin);
      const std::string_view value = attribute.value();
      element.attributes.push_back({attribute.name(), std::string(value), position, at(begin),
                                    raw == value ? std::string() : std::string(raw)});
    }
  }

  std::size_t original_of(const char* place) const {
    return lenient_.original(static_cast<std::size_t>(place - buffer_.data()));
  }

  /// From the first character of a text to the end of its last piece, with what is in between.
  void keep_raw_text(XmlElement& element, const char* begin, const char* last_piece) {
    const std::size_t first = original_of(begin);
    const std::size_t last = original_of(last_piece);
    const std::string_view raw =
        trimmed(std::string_view(source_.text).substr(first, source_.text.find('<', last) - first));
    if (raw != element.text) element.raw_text = raw;
  }

  const SourceText& source_;
  const LenientText& lenient_;
  std::vector<char>& buffer_;
  Findings& findings_;
  std::vector<std::size_t> line_starts_;
  bool too_deep_ = false;
};

/// Offset of the first byte that no text has, npos when there is none.
std::size_t first_control(std::string_view text) {
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  };
  const auto found = std::find_if(text.begin(), text.end(), is_control);
  return found == text.end() ? std::string_view::npos
                             : static_cast<std::size_t>(found - text.begin());
}

}  // namespace

bool parse_xml(const SourceText& source, XmlElement& root, Findings& findings) {
  const Origin whole{{source.path, 0, 0}, {}};
  if (source.text.size() > largest_file_bytes) {
    findings.error(Code::too_large, whole, "file is too large",
                   fmt::format("{} bytes, limit {}", source.text.size(), largest_file_bytes));
    return false;
  }
  const LenientText lenient(source.text);
  std::vector<char> buffer(lenient.text().begin(), lenient.text().end());
  buffer.push_back('\0');
  Tree tree(source, lenient, buffer, findings);
  if (const std::size_t zero = source.text.find('\0'); zero != std::string::npos) {
    const std::string_view text = source.text;
    const bool is_utf16 = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
    findings.error(
        Code::no_text, {tree.at(zero), {}}, "file holds a zero byte",
        is_utf16 ? "it is UTF-16 or UTF-32, files are read as UTF-8" : "it is not XML text",
        is_utf16 ? "Convert the file to UTF-8 (iconv)?" : "");
    return false;
  }
  if (const std::size_t bad = first_not_utf8(source.text); bad != std::string::npos) {
    const auto byte = static_cast<unsigned char>(source.text[bad]);
    findings.error(Code::no_text, {tree.at(bad), {}}, fmt::format("byte 0x{:02x} is no text", byte),
                   "files are read as UTF-8", "Convert the file to UTF-8 (iconv)?");
    return false;
  }
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer_inplace(buffer.data(), lenient.text().size(),
                                   pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
  if (!result) {
    tree.blame(result);
    return false;
  }
  pugi::xml_node found;
  for (const pugi::xml_node& node : document.children()) {
    if (node.type() == pugi::node_doctype) {
      findings.error(Code::doctype, {tree.of(node.value()), {}}, "DOCTYPE is not accepted",
                     "no entities or outside definitions are read");
      return false;
    }
    if (node.type() != pugi::node_element) continue;
    if (!found.empty()) {
      findings.error(Code::not_well_formed, {tree.of(node), {}},
                     fmt::format("a second root element <{}>", node.name()),
                     "a file holds one root element");
      return false;
    }
    found = node;
  }
  const std::size_t before = findings.error_count();
  const std::size_t control = first_control(source.text);
  if (control != std::string::npos) {
    findings.warning(
        Code::tolerated_syntax, {tree.at(control), {}},
        fmt::format("control character 0x{:02x}", static_cast<unsigned>(source.text[control])),
        "XML forbids it", "Remove it.");
  }
  tree.report_tolerated();
  tree.fill(root, found, 1);
  return findings.error_count() == before;
}

std::string included_path(const std::string& including, const std::string& src, Compat compat) {
  const std::filesystem::path path(src);
  if (path.is_absolute() || compat == Compat::xios2) return path.lexically_normal().string();
  return (std::filesystem::path(including).parent_path() / path).lexically_normal().string();
}

std::optional<Compat> compat_named(std::string_view word) {
  if (word == "none") return Compat::none;
  if (word == "xios2") return Compat::xios2;
  if (word == "xios3") return Compat::xios3;
  return std::nullopt;
}

Policy policy_of(const XmlElement& root) {
  Policy policy;
  for (const XmlAttribute& attribute : root.attributes) {
    if (attribute.name == "strict") policy.strict = parse_boolean(attribute.value).value_or(false);
    if (attribute.name != "compat") continue;
    policy.compat = compat_named(lower_case(trimmed(attribute.value))).value_or(Compat::none);
  }
  return policy;
}

}  // namespace epios::config
