/// @file
/// Where values come from, and the collector of everything that is wrong with a configuration.
#pragma once

#include <string>
#include <unordered_set>
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

/// Whose behaviour is followed where ours differs.
enum class Compat { none, xios2, xios3 };

/// How a configuration wants to be read, from the attributes of <simulation>.
struct Policy {
  bool strict = false;  ///< every warning is an error
  Compat compat = Compat::none;
};

class Findings {
 public:
  /// In a check of XML alone, what the model sets at run time is not missing yet; in a plan
  /// everything is given, but no run has to be able to do it.
  enum class Mode { run, plan, check };

  explicit Findings(Mode mode = Mode::run) : mode_(mode) {}
  Findings(Mode mode, const Policy& policy) : mode_(mode), policy_(policy) {}

  const Policy& policy() const { return policy_; }
  bool is_compatible() const { return policy_.compat != Compat::none; }

  void error(const Origin& origin, std::string problem, std::string why = {},
             std::string suggestion = {}) {
    add(Severity::error, origin, std::move(problem), std::move(why), std::move(suggestion));
  }
  void warning(const Origin& origin, std::string problem, std::string why = {},
               std::string suggestion = {}) {
    add(Severity::warning, origin, std::move(problem), std::move(why), std::move(suggestion));
  }
  /// What XIOS takes without a word: a warning unless its behaviour is asked for.
  void tolerate(const Origin& origin, std::string problem, std::string why = {},
                std::string suggestion = {}) {
    if (is_compatible()) return;
    warning(origin, std::move(problem), std::move(why), std::move(suggestion));
  }
  /// Something the model may still set: an error in a run or a plan, a note in a check.
  void missing(const Origin& origin, std::string problem, std::string why = {},
               std::string suggestion = {}) {
    add(mode_ == Mode::check ? Severity::note : Severity::error, origin, std::move(problem),
        std::move(why), std::move(suggestion));
  }
  /// Something well said that no run can do yet: an error in a run, a note otherwise.
  void not_yet(const Origin& origin, std::string problem) {
    add(mode_ == Mode::run ? Severity::error : Severity::note, origin, std::move(problem),
        "it is understood, but no run can do it", {});
  }
  void add(Severity severity, const Origin& origin, std::string problem, std::string why,
           std::string suggestion) {
    if (policy_.strict && severity == Severity::warning) severity = Severity::error;
    if (severity == Severity::error) ++error_count_;
    all_.push_back({severity, origin.text(), std::move(problem), std::move(why),
                    std::move(suggestion), origin.position});
  }

  bool has_errors() const { return error_count_ > 0; }
  std::size_t error_count() const { return error_count_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  /// Throws ConfigError with the errors, if there are any: each once, since what a group brings to
  /// many elements is one mistake.
  void throw_errors() const {
    if (!has_errors()) return;
    std::vector<Diagnostic> errors;
    std::unordered_set<std::string> seen;
    for (const Diagnostic& finding : all_) {
      if (finding.severity != Severity::error) continue;
      if (seen.insert(finding.text()).second) errors.push_back(finding);
    }
    throw ConfigError(std::move(errors));
  }

 private:
  Mode mode_;
  Policy policy_;
  std::size_t error_count_ = 0;
  std::vector<Diagnostic> all_;
};

}  // namespace epios::config
