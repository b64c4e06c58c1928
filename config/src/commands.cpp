#include "commands.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>

#include "config/check.hpp"
#include "config/explain.hpp"
#include "config/model_xml.hpp"
#include "config/unused.hpp"
#include "text.hpp"

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

/// Finds lines of files without walking through them for each.
class Lines {
 public:
  explicit Lines(const SourceTexts& sources) {
    for (const SourceText& source : sources) files_.emplace(source.path, File{source.text, {}});
  }

  /// The line of a finding, without its end; empty when there is no such place.
  std::string_view at(const Position& position) {
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

 private:
  struct File {
    std::string_view text;
    std::vector<std::size_t> starts;  ///< of lines; empty until the first question
  };
  std::unordered_map<std::string_view, File> files_;
};

/// No terminal shows more of a line; a generated file may be one line of megabytes.
constexpr std::size_t longest_shown = 400;

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// What is shown of a line, and where the column of a finding is in it.
struct Excerpt {
  std::string text;
  std::size_t offset = 0;
};

Excerpt excerpt_of(std::string_view line, int column) {
  const std::size_t at =
      column < 1 ? 0 : std::min(static_cast<std::size_t>(column) - 1, line.size());
  std::size_t begin = line.size() > longest_shown ? at - std::min(at, longest_shown / 2) : 0;
  std::size_t end = std::min(line.size(), begin + longest_shown);
  while (begin > 0 && continues_utf8(line[begin])) --begin;
  while (end < line.size() && continues_utf8(line[end])) ++end;
  const std::string_view front = begin > 0 ? "..." : "";
  return {
      fmt::format("{}{}{}", front, line.substr(begin, end - begin), end < line.size() ? "..." : ""),
      front.size() + at - begin};
}

/// Under the column; tabs stay tabs, and a character of several bytes takes one place, so that the
/// caret stands where the terminal put the text.
std::string caret(const Excerpt& line) {
  std::string result;
  for (const char c : std::string_view(line.text).substr(0, line.offset)) {
    if (!continues_utf8(c)) result += c == '\t' ? '\t' : ' ';
  }
  return result + '^';
}

void print(Lines& lines, const Diagnostic& finding, Colour colour) {
  std::string text = finding.text();
  if (colour == Colour::on) {
    const std::string kind = fmt::format("{}: ", word(finding.severity));
    const std::size_t at = text.find(kind, finding.where.size());
    text.replace(at, kind.size(), painted(colour, colour_code(finding.severity), kind));
  }
  fmt::print("{}\n", text);
  const std::string_view line = lines.at(finding.position);
  if (line.empty()) return;
  const Excerpt excerpt = excerpt_of(line, finding.position.column);
  fmt::print("  {}\n  {}\n", excerpt.text,
             painted(colour, colour_code(finding.severity), caret(excerpt)));
}

int count(const std::vector<Diagnostic>& findings, Severity severity) {
  return static_cast<int>(
      std::count_if(findings.begin(), findings.end(),
                    [severity](const Diagnostic& f) { return f.severity == severity; }));
}

/// Which of many findings a human looks at: the first ones, errors before all others.
std::vector<const Diagnostic*> shown(const std::vector<Diagnostic>& findings, bool all) {
  constexpr std::size_t most_shown = 100;
  std::size_t room = all ? findings.size() : most_shown;
  std::vector<bool> is_shown(findings.size(), false);
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    for (std::size_t i = 0; i < findings.size() && room > 0; ++i) {
      if (findings[i].severity != severity) continue;
      is_shown[i] = true;
      --room;
    }
  }
  std::vector<const Diagnostic*> result;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (is_shown[i]) result.push_back(&findings[i]);
  }
  return result;
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

Json json_of(const std::string& file, const std::vector<Diagnostic>& findings, int notes) {
  Json list = Json::array();
  for (const Diagnostic& finding : findings) list.push_back(json_of(finding));
  return {{"file", file},
          {"errors", count(findings, Severity::error)},
          {"warnings", count(findings, Severity::warning)},
          {"notes", notes},
          {"findings", std::move(list)}};
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

void print_failure_json(const std::string& file, const std::exception& failure) {
  const auto* mistakes = dynamic_cast<const ConfigError*>(&failure);
  const std::vector<Diagnostic> findings =
      mistakes != nullptr ? mistakes->diagnostics()
                          : std::vector<Diagnostic>{{Severity::error, {}, failure.what(), {}, {}}};
  print_json(json_of(file, findings, count(findings, Severity::note)));
}

int run_check(const CheckOptions& options) {
  const ReadSources read = try_read_sources(options.file);
  std::vector<Diagnostic> findings = read.mistakes.empty() ? check(read.sources) : read.mistakes;
  int hidden = 0;
  if (!options.notes && !options.json) {
    hidden = count(findings, Severity::note);
    std::erase_if(findings, [](const auto& f) { return f.severity == Severity::note; });
  }
  if (options.unused && read.mistakes.empty()) {
    const std::vector<Diagnostic> notes = unused(read.sources);
    findings.insert(findings.end(), notes.begin(), notes.end());
  }
  const int errors = count(findings, Severity::error);
  const int notes = count(findings, Severity::note) + hidden;
  if (options.json) {
    print_json(json_of(options.file, findings, notes));
    return errors > 0 ? 1 : 0;
  }
  if (findings.empty()) return 0;  // good configurations pass in silence
  Lines lines(read.sources);
  const std::vector<const Diagnostic*> visible = shown(findings, options.all);
  for (const Diagnostic* finding : visible) print(lines, *finding, options.colour);
  if (visible.size() < findings.size()) {
    fmt::print("... and {} more (--all shows them)\n", findings.size() - visible.size());
  }
  fmt::print("{}: {}, {}, {}{}\n", options.file, counted(errors, "error"),
             counted(count(findings, Severity::warning), "warning"), counted(notes, "note"),
             hidden > 0 ? " (--notes shows them)" : "");
  return errors > 0 ? 1 : 0;
}

int run_resolve(const ResolveOptions& options) {
  const Checked checked = check_and_resolve(read_sources(options.file));
  for (const Diagnostic& finding : checked.findings) {
    if (finding.severity == Severity::error) fmt::print(stderr, "{}\n", finding.text());
  }
  if (count(checked.findings, Severity::error) > 0) return 1;
  fmt::print("{}", to_xml(checked.models));
  return 0;
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
