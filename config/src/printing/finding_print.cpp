#include "printing/finding_print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "printing/excerpt.hpp"
#include "text/printable.hpp"

namespace epios::config {

namespace {

constexpr std::size_t most_shown = 100;
/// Of a group that is shown by one example.
constexpr std::size_t most_places = 5;

Paint paint_of(Severity severity) {
  if (severity == Severity::note) return Paint::cyan;
  return severity == Severity::warning ? Paint::yellow : Paint::red;
}

int rank(const Diagnostic& finding) {
  if (finding.severity == Severity::error) return finding.affects_output ? 0 : 1;
  return finding.severity == Severity::warning ? 2 : 3;
}

std::vector<const Diagnostic*> in_order_of_weight(const std::vector<Diagnostic>& findings) {
  std::vector<const Diagnostic*> result;
  result.reserve(findings.size());
  for (const Diagnostic& finding : findings) result.push_back(&finding);
  std::stable_sort(result.begin(), result.end(),
                   [](const Diagnostic* a, const Diagnostic* b) { return rank(*a) < rank(*b); });
  return result;
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

void print(Lines& lines, const Diagnostic& finding, Colour colour) {
  std::string text = finding.text();
  if (colour == Colour::on) {
    const std::string kind = fmt::format("{}: ", word(finding.severity));
    const std::size_t at = text.find(kind, finding.where.size());
    text.replace(at, kind.size(), painted(colour, paint_of(finding.severity), kind));
  }
  fmt::print("{}\n", text);
  const std::string_view line = lines.at(finding.position);
  if (line.empty()) return;
  const Excerpt excerpt = excerpt_of(line, finding.position.column);
  fmt::print("  {}\n  {}\n", excerpt.text,
             painted(colour, paint_of(finding.severity), excerpt.caret));
}

/// "a.xml:3, 4; b.xml:7 and 12 more".
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

}  // namespace

std::string_view word(Severity severity) {
  if (severity == Severity::note) return "note";
  return severity == Severity::warning ? "warning" : "error";
}

int count(const std::vector<Diagnostic>& findings, Severity severity) {
  return static_cast<int>(
      std::count_if(findings.begin(), findings.end(),
                    [severity](const Diagnostic& f) { return f.severity == severity; }));
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

std::vector<CodeCount> counts_of(const std::vector<Diagnostic>& findings) {
  std::map<Code, CodeCount> by_code;
  for (const Diagnostic& finding : findings) {
    CodeCount& count = by_code[finding.code];
    count.code = finding.code;
    if (finding.severity == Severity::error) ++count.errors;
    if (finding.severity == Severity::warning) ++count.warnings;
    if (finding.severity == Severity::note) ++count.notes;
  }
  std::vector<CodeCount> counts;
  counts.reserve(by_code.size());
  for (const auto& [code, count] : by_code) counts.push_back(count);
  std::stable_sort(counts.begin(), counts.end(), [](const CodeCount& a, const CodeCount& b) {
    return std::tie(a.errors, a.warnings, a.notes) > std::tie(b.errors, b.warnings, b.notes);
  });
  return counts;
}

void print_findings(const std::vector<Diagnostic>& findings, const SourceTexts& sources,
                    const FindingPrint& options) {
  Lines lines(sources);
  if (options.all) {
    for (const Diagnostic* finding : in_order_of_weight(findings)) {
      print(lines, *finding, options.colour);
    }
    return;
  }
  const std::vector<FindingGroup> groups = grouped(findings);
  std::size_t left = findings.size();
  for (std::size_t i = 0; i < groups.size() && i < most_shown; ++i) {
    const FindingGroup& group = groups[i];
    print(lines, *group.example, options.colour);
    if (!group.others.empty()) {
      const std::string more = fmt::format("{} more like this", group.others.size());
      fmt::print("  ... and {}: {} (--all shows each)\n",
                 painted(options.colour, Paint::bold, more), places_of(group.others));
    }
    left -= 1 + group.others.size();
  }
  if (left > 0) fmt::print("... and {} more of other kinds (--all shows them)\n", left);
}

}  // namespace epios::config
