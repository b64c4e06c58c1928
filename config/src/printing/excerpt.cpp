#include "printing/excerpt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text/printable.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

/// No terminal shows more of a line; a generated file may be one line of megabytes.
constexpr std::size_t longest_shown = 400;

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Returns the printable text, but keeps tabs.
std::string shown(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t tab = text.find('\t');
    result += printable(text.substr(0, tab));
    if (tab == std::string_view::npos) break;
    result += '\t';
    text.remove_prefix(tab + 1);
  }
  return result;
}

}  // namespace

Lines::Lines(const SourceTexts& sources) {
  for (const SourceText& source : sources) files_.emplace(source.path, File{source.text, {}});
}

std::string_view Lines::at(const Position& position) {
  const auto found = files_.find(position.file);
  if (position.line < 1 || found == files_.end()) return {};
  File& file = found->second;
  if (file.starts.empty()) file.starts = line_starts(file.text);
  const auto line = static_cast<std::size_t>(position.line) - 1;
  if (line >= file.starts.size()) return {};
  const std::size_t begin = file.starts[line];
  const bool is_last = line + 1 == file.starts.size();
  std::size_t end = is_last ? file.text.size() : file.starts[line + 1];
  while (end > begin && (file.text[end - 1] == '\n' || file.text[end - 1] == '\r')) --end;
  return file.text.substr(begin, end - begin);
}

Excerpt excerpt_of(std::string_view line, int column) {
  const std::size_t at =
      column < 1 ? 0 : std::min(static_cast<std::size_t>(column) - 1, line.size());
  std::size_t begin = line.size() > longest_shown ? at - std::min(at, longest_shown / 2) : 0;
  std::size_t end = std::min(line.size(), begin + longest_shown);
  while (begin > 0 && continues_utf8(line[begin])) --begin;
  while (end < line.size() && continues_utf8(line[end])) ++end;
  const std::string before = (begin > 0 ? "..." : "") + shown(line.substr(begin, at - begin));
  const std::string after = shown(line.substr(at, end - at)) + (end < line.size() ? "..." : "");
  Excerpt excerpt{before + after, {}};
  // A character of several bytes takes one place, so that the caret stands where the terminal put
  // the text.
  for (const char c : before) {
    if (!continues_utf8(c)) excerpt.caret += c == '\t' ? '\t' : ' ';
  }
  excerpt.caret += '^';
  return excerpt;
}

}  // namespace epios::config
