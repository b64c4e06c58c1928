/// @file
/// Where values come from, and the collector of everything that is wrong with a configuration.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/error.hpp"

namespace epios::config {

/// A place in a file, or an API call.
struct Origin {
  Position position;
  std::string call;
  std::string text() const { return call.empty() ? position.text() : "API call " + call; }
};

class Findings {
 public:
  /// In a check of XML alone, what the model sets at run time is not missing yet.
  enum class Mode { run, check };

  explicit Findings(Mode mode = Mode::run) : mode_(mode) {}

  void error(const Origin& origin, std::string problem, std::string why = {},
             std::string suggestion = {}) {
    add(Severity::error, origin, std::move(problem), std::move(why), std::move(suggestion));
  }
  void warning(const Origin& origin, std::string problem, std::string why = {},
               std::string suggestion = {}) {
    add(Severity::warning, origin, std::move(problem), std::move(why), std::move(suggestion));
  }
  /// Something the model may still set: an error in a run, a note in a check.
  void missing(const Origin& origin, std::string problem, std::string why = {},
               std::string suggestion = {}) {
    add(mode_ == Mode::run ? Severity::error : Severity::note, origin, std::move(problem),
        std::move(why), std::move(suggestion));
  }
  void add(Severity severity, const Origin& origin, std::string problem, std::string why,
           std::string suggestion) {
    has_errors_ = has_errors_ || severity == Severity::error;
    all_.push_back({severity, origin.text(), std::move(problem), std::move(why),
                    std::move(suggestion), origin.position});
  }

  bool has_errors() const { return has_errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  /// Throws ConfigError with the errors, if there are any.
  void throw_errors() const {
    if (!has_errors_) return;
    std::vector<Diagnostic> errors;
    for (const Diagnostic& finding : all_) {
      if (finding.severity == Severity::error) errors.push_back(finding);
    }
    throw ConfigError(std::move(errors));
  }

 private:
  Mode mode_;
  bool has_errors_ = false;
  std::vector<Diagnostic> all_;
};

}  // namespace epios::config
