/// @file
/// Where values come from, and the collector of everything that is wrong with a configuration.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/suggestion.hpp"

namespace epios::config {

/// "API call epios_set_int(...)", or "option --start": what is not in a file.
inline std::string place_of_call(std::string_view call) {
  return std::string(call.starts_with("--") ? "option " : "API call ").append(call);
}

/// A place in a file, an API call or an option of the command.
struct Origin {
  Position position;
  std::string call;
  std::string text() const { return call.empty() ? position.text() : place_of_call(call); }
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
  /// Something that only a run minds: an error there, a note otherwise.
  void in_run(const Origin& origin, std::string problem, std::string why,
              std::string suggestion = {}) {
    add(mode_ == Mode::run ? Severity::error : Severity::note, origin, std::move(problem),
        std::move(why), std::move(suggestion));
  }
  /// Something well said that no run can do yet.
  void not_yet(const Origin& origin, std::string problem) {
    in_run(origin, std::move(problem), "it is understood, but no run can do it");
  }
  void add(Severity severity, const Origin& origin, std::string problem, std::string why,
           std::string suggestion) {
    if (policy_.strict && severity == Severity::warning) severity = Severity::error;
    if (severity == Severity::error) ++error_count_;
    all_.push_back({severity, origin.text(), std::move(problem), std::move(why),
                    std::move(suggestion), origin.position});
  }

  /// "Did you mean ...?" with one of `candidates()`, which `set` names. After many comparisons
  /// there are no more suggestions: a configuration full of mistakes is checked in linear time too.
  template <class Candidates>
  std::string suggestion(std::string_view set, std::string_view word,
                         const Candidates& candidates) {
    constexpr std::size_t most_comparisons = 2'000'000;
    std::string key(set);
    (key += '\n') += word;
    if (const auto known = suggestions_.find(key); known != suggestions_.end()) {
      return known->second;
    }
    if (comparisons_ >= most_comparisons) return {};
    const auto words = candidates();
    comparisons_ += words.size();
    return suggestions_[std::move(key)] = did_you_mean(word, words);
  }

  bool has_errors() const { return error_count_ > 0; }
  std::size_t error_count() const { return error_count_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  /// Each once, since what a group brings to many elements is one mistake.
  std::vector<Diagnostic> errors() const {
    std::vector<Diagnostic> errors;
    std::unordered_set<std::string> seen;
    for (const Diagnostic& finding : all_) {
      if (finding.severity != Severity::error) continue;
      if (seen.insert(finding.text()).second) errors.push_back(finding);
    }
    return errors;
  }
  /// Throws ConfigError with the errors, if there are any.
  void throw_errors() const {
    if (has_errors()) throw ConfigError(errors());
  }

 private:
  Mode mode_;
  Policy policy_;
  std::size_t error_count_ = 0;
  std::vector<Diagnostic> all_;
  std::size_t comparisons_ = 0;
  std::unordered_map<std::string, std::string> suggestions_;
};

}  // namespace epios::config
