#include "lenient_xml.hpp"

#include <algorithm>

namespace epios::config {

namespace {

constexpr std::string_view white_space = " \t\r\n";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

LenientText::LenientText(std::string_view original) : original_(original) {
  text_.reserve(original.size());
  std::size_t at = 0;
  while ((at = original.find('<', at)) != std::string_view::npos && take(at)) {
  }
  text_ += original.substr(copied_);
  if (at == std::string_view::npos && tolerated_.empty() && !open_.empty()) {
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
      (inside.size() == 3 || white_space.find(inside[3]) != std::string_view::npos);
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
  name = name.substr(0, name.find_first_of(white_space));
  const Open opened = open_.back();
  open_.pop_back();
  if (name != opened.name) {
    const bool is_outer =
        std::any_of(open_.begin(), open_.end(), [&](const Open& o) { return o.name == name; });
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
    }
    ++end;
  }
  if (end >= original_.size() || original_[end] == '<') {
    suspects_.push_back({Suspect::Kind::opening_tag, at, std::string(name)});
    return false;
  }
  if (original_[end - 1] != '/') open_.push_back({name, at});
  at = end + 1;
  return true;
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
