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

Paint paint_of(Severity severity) {
  if (severity == Severity::note) return Paint::cyan;
  return severity == Severity::warning ? Paint::yellow : Paint::red;
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
