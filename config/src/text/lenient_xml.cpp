// Rewrites what XML forbids and XIOS tolerates, so that the parser accepts it, and remembers where
// every character stood. It takes comments, tags and references one after the other and copies the
// rest.
#include "text/lenient_xml.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace epios::config {

namespace {

constexpr std::string_view xml_white_space = " \t\r\n";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::size_t longest_reference = 32;

enum class Reference { good, unknown, no_character };

/// Characters of XML 1.0, section 2.2.
bool is_character(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code < 0xD800 || (code >= 0xE000 && code <= 0xFFFD) ||
         (code >= 0x10000 && code <= 0x10FFFF);
}

/// Returns the kind of the text between '&' and ';'.
Reference kind_of(std::string_view name) {
  constexpr std::array<std::string_view, 5> entities{"lt", "gt", "amp", "quot", "apos"};
  if (!name.starts_with('#')) {
    const bool is_known = std::find(entities.begin(), entities.end(), name) != entities.end();
    return is_known ? Reference::good : Reference::unknown;
  }
  const bool is_hexadecimal = name.starts_with("#x");
  name.remove_prefix(is_hexadecimal ? 2 : 1);
  std::uint32_t code = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, code, is_hexadecimal ? 16 : 10);
  if (name.empty() || stop != end || error == std::errc::invalid_argument) {
    return Reference::unknown;
  }
  return error == std::errc{} && is_character(code) ? Reference::good : Reference::no_character;
}

}  // namespace

LenientText::LenientText(std::string_view original) : original_(original) {
  text_.reserve(original.size());
  std::size_t at = 0;
  std::size_t text_begin = 0;
  while ((at = original.find('<', at)) != std::string_view::npos) {
    look_at_references(text_begin, at);
    if (!take(at)) break;
    text_begin = at;
  }
  text_ += original.substr(copied_);
  const auto is_closing = [](const Leniency& leniency) {
    return leniency.kind == Leniency::Kind::other_closing_tag;
  };
  const bool closes_others = std::any_of(tolerated_.begin(), tolerated_.end(), is_closing);
  if (at == std::string_view::npos && !closes_others && !open_.empty()) {
    suspects_.push_back(
        {Suspect::Kind::unclosed, open_.back().offset, std::string(open_.back().name)});
  }
}

bool LenientText::take(std::size_t& at) {
  const std::string_view rest = original_.substr(at);
  if (rest.starts_with("<!--")) return take_comment(at);
  if (rest.starts_with("<?")) return take_instruction(at);
  if (rest.starts_with("</")) return take_closing_tag(at);
  if (rest.starts_with("<![CDATA[")) {
    const std::size_t end = original_.find("]]>", at);
    if (end == std::string_view::npos) return false;
    at = end;
    return true;
  }
  return !rest.starts_with("<!") && take_opening_tag(at);
}

bool LenientText::take_comment(std::size_t& at) {
  const std::size_t begin = at + 4;
  const std::size_t end = original_.find("-->", begin);
  if (end == std::string_view::npos) {
    suspects_.push_back({Suspect::Kind::comment, at});
    return false;
  }
  const std::size_t dashes = original_.substr(0, end).find("--", begin);
  if (dashes != std::string_view::npos && original_.substr(dashes - 2, 2) == "<!") {
    tolerated_.push_back({Leniency::Kind::comment_in_comment, at, {}, {}, dashes - 2});
    at = end + 3;
    return true;
  }
  const bool ends_in_dash = end > begin && original_[end - 1] == '-';
  if (dashes != std::string_view::npos || ends_in_dash) {
    tolerated_.push_back(
        {Leniency::Kind::dashes_in_comment, dashes != std::string_view::npos ? dashes : end - 1});
  }
  at = end + 3;
  return true;
}

bool LenientText::take_instruction(std::size_t& at) {
  const std::size_t end = original_.find("?>", at);
  if (end == std::string_view::npos) return false;
  const std::string_view inside = original_.substr(at + 2, end - at - 2);
  const bool is_declaration =
      inside.starts_with("xml") &&
      (inside.size() == 3 || xml_white_space.find(inside[3]) != std::string_view::npos);
  const std::size_t start = original_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  if (is_declaration && at != start) {
    tolerated_.push_back({Leniency::Kind::late_declaration, at});
  }
  at = end + 2;
  return true;
}

bool LenientText::take_closing_tag(std::size_t& at) {
  const std::size_t end = original_.find('>', at);
  if (end == std::string_view::npos || open_.empty()) return false;
  std::string_view name = original_.substr(at + 2, end - at - 2);
  name = name.substr(0, name.find_first_of(xml_white_space));
  const Open opened = open_.back();
  open_.pop_back();
  --open_names_[opened.name];
  if (name != opened.name) {
    const auto outer = open_names_.find(name);
    const bool is_outer = outer != open_names_.end() && outer->second > 0;
    tolerated_.push_back({Leniency::Kind::other_closing_tag, at, std::string(name),
                          std::string(opened.name), opened.offset, is_outer});
    text_ += original_.substr(copied_, at + 2 - copied_);
    text_ += opened.name;
    copied_ = at + 2 + name.size();
    anchors_.push_back({text_.size(), copied_});
  }
  at = end + 1;
  return true;
}

bool LenientText::take_opening_tag(std::size_t& at) {
  const std::size_t name_end = original_.find_first_of(" \t\r\n/>", at + 1);
  if (name_end == std::string_view::npos || name_end == at + 1) {
    suspects_.push_back({Suspect::Kind::bracket, at});
    return false;
  }
  const std::string_view name = original_.substr(at + 1, name_end - at - 1);
  std::size_t end = name_end;
  while (end < original_.size() && original_[end] != '>' && original_[end] != '<') {
    if (original_[end] == '"' || original_[end] == '\'') {
      const std::size_t quote = end;
      end = original_.find(original_[quote], quote + 1);
      const std::string_view value = original_.substr(quote, end - quote);
      const bool holds_tag = value.find('<', value.find('\n')) != std::string_view::npos;
      if (holds_tag || end == std::string_view::npos) {
        suspects_.push_back({Suspect::Kind::quote, quote, std::string(name)});
      }
      if (end == std::string_view::npos) return false;
      if (const std::size_t bracket = value.find('<'); bracket != std::string_view::npos) {
        tolerated_.push_back({Leniency::Kind::bracket_in_value, quote + bracket});
      }
      look_at_references(quote, end);
    }
    ++end;
  }
  if (end >= original_.size() || original_[end] == '<') {
    suspects_.push_back({Suspect::Kind::opening_tag, at, std::string(name)});
    return false;
  }
  if (original_[end - 1] != '/') {
    open_.push_back({name, at});
    ++open_names_[name];
  }
  at = end + 1;
  return true;
}

void LenientText::look_at_references(std::size_t begin, std::size_t end) {
  const std::string_view part = original_.substr(begin, end - begin);
  for (std::size_t at = part.find('&'); at != std::string_view::npos; at = part.find('&', at + 1)) {
    const std::string_view rest = part.substr(at + 1, longest_reference);
    const std::size_t length = rest.find(';');
    const std::string_view name = rest.substr(0, length == std::string_view::npos ? 0 : length);
    const Reference kind = kind_of(name);
    const bool is_said = at > 0 && part[at - 1] == '&';  // "&&" is one mistake
    if (kind == Reference::good || is_said) continue;
    const bool is_name = name.find_first_of(" \t\r\n&\"'") == std::string_view::npos;
    std::string text(part.substr(at, is_name && !name.empty() ? name.size() + 2 : 1));
    tolerated_.push_back({kind == Reference::no_character ? Leniency::Kind::no_character
                                                          : Leniency::Kind::unknown_reference,
                          begin + at, std::move(text)});
  }
}

std::size_t LenientText::original(std::size_t offset) const {
  const auto next = std::upper_bound(
      anchors_.begin(), anchors_.end(), offset,
      [](std::size_t wanted, const Anchor& anchor) { return wanted < anchor.adjusted; });
  if (next == anchors_.begin()) return offset;
  const Anchor& anchor = *(next - 1);
  return anchor.original + (offset - anchor.adjusted);
}

}  // namespace epios::config
