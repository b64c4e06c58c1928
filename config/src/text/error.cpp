#include "config/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace epios::config {

namespace {

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      break;
  }
  return "error";
}

std::string lines(const std::vector<Diagnostic>& diagnostics) {
  constexpr std::size_t most_shown = 100;
  std::string text;
  for (std::size_t i = 0; i < diagnostics.size() && i < most_shown; ++i) {
    if (i > 0) text += '\n';
    text += diagnostics[i].text();
  }
  if (diagnostics.size() > most_shown) {
    text += '\n';
    text += fmt::format("... and {} more", diagnostics.size() - most_shown);
  }
  return text;
}

}  // namespace

std::string Position::text() const {
  return line > 0 ? fmt::format("{}:{}:{}", file, line, column) : file;
}

std::string Diagnostic::text() const {
  std::string text = where.empty() ? "" : where + ": ";
  text += fmt::format("{}: {}", word(severity), problem);
  if (!why.empty()) text += fmt::format(" ({})", why);
  text += '.';
  if (!suggestion.empty()) text += ' ' + suggestion;
  if (code != Code::none) text += fmt::format(" [{}]", text_of(code));
  return text;
}

ConfigError::ConfigError(std::vector<Diagnostic> diagnostics)
    : Error(ErrorCode::configuration, lines(diagnostics)), diagnostics_(std::move(diagnostics)) {}

}  // namespace epios::config
