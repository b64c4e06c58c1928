#include "commands.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "config/check.hpp"
#include "config/explain.hpp"
#include "config/unused.hpp"

namespace epios::config {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view red = "31";
constexpr std::string_view yellow = "33";
constexpr std::string_view cyan = "36";
constexpr std::string_view bold = "1";
constexpr std::string_view faint = "2";

std::string painted(Colour colour, std::string_view code, std::string_view text) {
  if (colour == Colour::off) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string_view word(Severity severity) {
  if (severity == Severity::note) return "note";
  return severity == Severity::warning ? "warning" : "error";
}

std::string_view colour_code(Severity severity) {
  if (severity == Severity::note) return cyan;
  return severity == Severity::warning ? yellow : red;
}

/// The line of a finding, without its end; empty when there is no such place.
std::string_view line_of(const SourceTexts& sources, const Position& position) {
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

void print(const SourceTexts& sources, const Diagnostic& finding, Colour colour) {
  std::string text = finding.text();
  if (colour == Colour::on) {
    const std::string kind = fmt::format("{}: ", word(finding.severity));
    const std::size_t at = text.find(kind, finding.where.size());
    text.replace(at, kind.size(), painted(colour, colour_code(finding.severity), kind));
  }
  fmt::print("{}\n", text);
  const std::string_view line = line_of(sources, finding.position);
  if (line.empty()) return;
  fmt::print("  {}\n  {}\n", line,
             painted(colour, colour_code(finding.severity), caret(line, finding.position.column)));
}

int count(const std::vector<Diagnostic>& findings, Severity severity) {
  return static_cast<int>(
      std::count_if(findings.begin(), findings.end(),
                    [severity](const Diagnostic& f) { return f.severity == severity; }));
}

std::string counted(int number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

void print_json(const Json& json) {
  // Text from users may be any bytes; what is no UTF-8 is shown as replacement characters.
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

Json json_of(const Diagnostic& finding) {
  return {{"severity", word(finding.severity)},
          {"file", finding.position.file},
          {"line", finding.position.line},
          {"column", finding.position.column},
          {"where", finding.where},
          {"problem", finding.problem},
          {"why", finding.why},
          {"suggestion", finding.suggestion}};
}

Json json_of(const ExplainedValue& value) {
  return {{"value", value.text}, {"source", value.source}, {"where", value.where}};
}

Json json_of(const ExplainedElement& element) {
  Json attributes = Json::object();
  for (const ExplainedAttribute& attribute : element.attributes) {
    Json json = json_of(attribute.value);
    json["overridden"] = Json::array();
    for (const ExplainedValue& value : attribute.overridden) {
      json["overridden"].push_back(json_of(value));
    }
    attributes[attribute.name] = std::move(json);
  }
  return {{"context", element.context},
          {"element", element.title},
          {"where", element.where},
          {"attributes", std::move(attributes)}};
}

std::string origin_of(const ExplainedValue& value) {
  if (value.where.empty()) return value.source;
  return fmt::format("{}, {}", value.source, value.where);
}

void print(const ExplainedElement& element, Colour colour) {
  fmt::print("{}\n", painted(colour, bold,
                             fmt::format("context '{}', {} ({})", element.context, element.title,
                                         element.where)));
  for (const ExplainedAttribute& attribute : element.attributes) {
    fmt::print("  {} = {}  {}\n", attribute.name, attribute.value.text,
               painted(colour, faint, fmt::format("({})", origin_of(attribute.value))));
    for (const ExplainedValue& value : attribute.overridden) {
      fmt::print(
          "    {}\n",
          painted(colour, faint, fmt::format("instead of {} ({})", value.text, origin_of(value))));
    }
  }
}

}  // namespace

Colour colour_of_output() {
  const bool is_unwanted = std::getenv("NO_COLOR") != nullptr;
  return !is_unwanted && isatty(STDOUT_FILENO) == 1 ? Colour::on : Colour::off;
}

int run_check(const CheckOptions& options) {
  SourceTexts sources;
  std::vector<Diagnostic> findings;
  try {
    sources = read_sources(options.file);
    findings = check(sources);
    if (options.unused) {
      const std::vector<Diagnostic> notes = unused(sources);
      findings.insert(findings.end(), notes.begin(), notes.end());
    }
  } catch (const ConfigError& error) {
    findings = error.diagnostics();
  }
  const int errors = count(findings, Severity::error);
  const int warnings = count(findings, Severity::warning);
  const int notes = count(findings, Severity::note);
  if (options.json) {
    Json list = Json::array();
    for (const Diagnostic& finding : findings) list.push_back(json_of(finding));
    print_json({{"file", options.file},
                {"errors", errors},
                {"warnings", warnings},
                {"notes", notes},
                {"findings", std::move(list)}});
  } else {
    for (const Diagnostic& finding : findings) print(sources, finding, options.colour);
    fmt::print("{}: {}, {}, {}\n", options.file, counted(errors, "error"),
               counted(warnings, "warning"), counted(notes, "note"));
  }
  return errors > 0 ? 1 : 0;
}

int run_explain(const ExplainOptions& options) {
  const std::vector<ExplainedElement> elements =
      explain(read_sources(options.file), options.question);
  if (options.json) {
    Json list = Json::array();
    for (const ExplainedElement& element : elements) list.push_back(json_of(element));
    print_json(list);
  } else {
    for (const ExplainedElement& element : elements) print(element, options.colour);
  }
  return 0;
}

}  // namespace epios::config
