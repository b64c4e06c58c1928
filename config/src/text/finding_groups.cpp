#include "text/finding_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "config/codes.hpp"
#include "text/printable.hpp"

namespace epios::config {

namespace {

/// Number of places listed for a group that is shown by one example.
constexpr std::size_t most_places = 5;

int rank(const Diagnostic& finding) {
  if (finding.severity == Severity::error) return finding.affects_output ? 0 : 1;
  return finding.severity == Severity::warning ? 2 : 3;
}

/// Ids and values make no difference, names of attributes do: "unknown attribute 'opertion' of
/// <field>" is one mistake wherever it stands, and another one than 'unti'.
std::string kind_of(const Diagnostic& finding) {
  constexpr std::string_view attribute = "attribute ";
  std::string kind = fmt::format("{} {} ", rank(finding), text_of(finding.code));
  std::string_view rest = finding.problem;
  for (std::size_t open = rest.find('\''); open != std::string_view::npos; open = rest.find('\'')) {
    const std::size_t close = rest.find('\'', open + 1);
    const std::size_t end = close == std::string_view::npos ? rest.size() : close;
    const bool is_kept = rest.substr(0, open).ends_with(attribute);
    kind += rest.substr(0, is_kept ? end : open);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return kind.append(rest);
}

}  // namespace

std::vector<const Diagnostic*> in_order_of_weight(const std::vector<Diagnostic>& findings) {
  std::vector<const Diagnostic*> result;
  result.reserve(findings.size());
  for (const Diagnostic& finding : findings) result.push_back(&finding);
  std::stable_sort(result.begin(), result.end(),
                   [](const Diagnostic* a, const Diagnostic* b) { return rank(*a) < rank(*b); });
  return result;
}

std::vector<FindingGroup> grouped(const std::vector<Diagnostic>& findings) {
  std::vector<FindingGroup> groups;
  std::unordered_map<std::string, std::size_t> known;
  for (const Diagnostic* finding : in_order_of_weight(findings)) {
    const auto [at, is_new] = known.try_emplace(kind_of(*finding), groups.size());
    if (is_new) {
      groups.push_back({finding, {}});
    } else {
      groups[at->second].others.push_back(finding);
    }
  }
  return groups;
}

std::string places_of(const std::vector<const Diagnostic*>& findings) {
  std::string text;
  std::string_view file;
  const std::size_t shown = std::min(findings.size(), most_places);
  for (std::size_t i = 0; i < shown; ++i) {
    const Position& position = findings[i]->position;
    const bool is_known = position.line > 0;
    if (is_known && position.file == file) {
      text += fmt::format(", {}", position.line);
    } else {
      text += text.empty() ? "" : "; ";
      text += is_known ? printable(fmt::format("{}:{}", position.file, position.line))
                       : findings[i]->where;
      file = position.file;
    }
  }
  if (findings.size() > shown) text += fmt::format(" and {} more", findings.size() - shown);
  return text;
}

std::vector<std::string> finding_lines(const std::vector<Diagnostic>& findings) {
  std::vector<std::string> lines;
  for (const FindingGroup& group : grouped(findings)) {
    lines.push_back(group.example->text());
    if (group.others.empty()) continue;
    lines.push_back(fmt::format("  ... and {} more like this: {}", group.others.size(),
                                places_of(group.others)));
  }
  return lines;
}

}  // namespace epios::config
