#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "config/check.hpp"
#include "config/document.hpp"
#include "config/error.hpp"
#include "config/reference.hpp"

namespace {

using epios::config::Diagnostic;
using epios::config::Severity;
using epios::config::SourceTexts;

/// The line of a finding, without its end; empty when there is no such place.
std::string_view line_of(const SourceTexts& sources, const epios::config::Position& position) {
  const auto source = std::find_if(sources.begin(), sources.end(),
                                   [&](const auto& s) { return s.path == position.file; });
  if (position.line < 1 || source == sources.end()) return {};
  std::string_view rest = source->text;
  for (int line = 1; line < position.line; ++line) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  const std::string_view line = rest.substr(0, rest.find('\n'));
  return line.substr(0, line.find('\r'));
}

/// Under the column; tabs stay tabs, so that the caret stands where the terminal put the text.
std::string caret(std::string_view line, int column) {
  std::string result;
  for (int i = 1; i < column; ++i) {
    const auto at = static_cast<std::size_t>(i - 1);
    result += at < line.size() && line[at] == '\t' ? '\t' : ' ';
  }
  return result + '^';
}

void print(const SourceTexts& sources, const Diagnostic& finding) {
  fmt::print("{}\n", finding.text());
  const std::string_view line = line_of(sources, finding.position);
  if (line.empty()) return;
  fmt::print("  {}\n  {}\n", line, caret(line, finding.position.column));
}

int count(const std::vector<Diagnostic>& findings, Severity severity) {
  return static_cast<int>(
      std::count_if(findings.begin(), findings.end(),
                    [severity](const Diagnostic& f) { return f.severity == severity; }));
}

std::string counted(int number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

int check(const std::string& path) {
  SourceTexts sources;
  std::vector<Diagnostic> findings;
  try {
    sources = epios::config::read_sources(path);
    findings = epios::config::check(sources);
  } catch (const epios::config::ConfigError& error) {
    findings = error.diagnostics();
  }
  for (const Diagnostic& finding : findings) print(sources, finding);
  const int errors = count(findings, Severity::error);
  fmt::print("{}: {}, {}, {}\n", path, counted(errors, "error"),
             counted(count(findings, Severity::warning), "warning"),
             counted(count(findings, Severity::note), "note"));
  return errors > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Looks after EPIOS configurations.", "epios");
  app.require_subcommand(1);
  std::string path;
  CLI::App* check_command = app.add_subcommand("check", "Read a configuration, name all mistakes");
  check_command->add_option("file", path, "the entry file, usually iodef.xml")->required();
  CLI::App* doc_command = app.add_subcommand("doc", "Print the reference page of all XML");
  CLI::App* schema_command = app.add_subcommand("schema", "Print an XML Schema for editors");
  CLI11_PARSE(app, argc, argv);
  try {
    if (check_command->parsed()) return check(path);
    if (doc_command->parsed()) fmt::print("{}", epios::config::reference_page());
    if (schema_command->parsed()) fmt::print("{}", epios::config::xml_schema());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "epios: {}\n", error.what());
    return 2;
  }
}
