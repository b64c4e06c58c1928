/// @file
/// Origins of values, and the collector of all mistakes of a configuration.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "text/call.hpp"
#include "text/printable.hpp"
#include "text/suggestions.hpp"
#include "text/text.hpp"

namespace epios::config {

/// A place in a file, an API call or an option of the command.
struct Origin {
  Position position;
  Call call;
  std::string text() const { return call.is_empty() ? position.text() : call.place(); }
};

/// Reads the result of text(), which the Model keeps.
Origin origin_of_text(const std::string& where);

/// The software whose behaviour is followed where ours differs.
enum class Compat { none, xios2, xios3 };

/// How a configuration is to be read, from the attributes of <simulation>.
struct Policy {
  bool strict = false;  ///< every warning is an error
  Compat compat = Compat::none;
};

/// Collects all mistakes of a configuration.
class Findings {
 public:
  /// In a check of XML alone, what the model sets at run time is not missing yet. In a whole check
  /// and a plan everything is given, but no run has to support it.
  enum class Mode { run, plan, check, whole_check };

  explicit Findings(Mode mode = Mode::run) : mode_(mode) {}
  Findings(Mode mode, const Policy& policy) : mode_(mode), policy_(policy) {}

  const Policy& policy() const { return policy_; }
  bool is_run() const { return mode_ == Mode::run; }
  bool is_compatible() const { return policy_.compat != Compat::none; }

  void error(Code code, const Origin& origin, std::string problem, std::string why = {},
             std::string suggestion = {}) {
    add(Severity::error, code, origin, std::move(problem), std::move(why), std::move(suggestion));
  }
  void warning(Code code, const Origin& origin, std::string problem, std::string why = {},
               std::string suggestion = {}) {
    add(Severity::warning, code, origin, std::move(problem), std::move(why), std::move(suggestion));
  }
  /// Reports what XIOS accepts silently: a warning, unless its behaviour was requested.
  void tolerate(Code code, const Origin& origin, std::string problem, std::string why = {},
                std::string suggestion = {}) {
    if (is_compatible()) return;
    warning(code, origin, std::move(problem), std::move(why), std::move(suggestion));
  }
  /// Reports something that the model may still provide: a note while it may, then an error.
  void missing(Code code, const Origin& origin, Gap gap, std::string problem, std::string why = {},
               std::string suggestion = {}) {
    add(is_open() ? Severity::note : Severity::error, code, origin, std::move(problem),
        std::move(why), std::move(suggestion), is_open() ? Topic::model : Topic::text);
    if (all_.back().topic == Topic::model) all_.back().gap = std::move(gap);
  }
  /// Reports a likely mistake, unless the model provides what is missing.
  void doubtful(Code code, const Origin& origin, Gap gap, std::string problem, std::string why,
                std::string suggestion) {
    warning(code, origin, std::move(problem), std::move(why), std::move(suggestion));
    if (all_.back().topic == Topic::text) all_.back().gap = std::move(gap);
  }
  /// Reports something that matters to a run only: an error there, a note otherwise.
  void in_run(Code code, const Origin& origin, std::string problem, std::string why,
              std::string suggestion = {}) {
    add(mode_ == Mode::run ? Severity::error : Severity::note, code, origin, std::move(problem),
        std::move(why), std::move(suggestion));
  }
  /// Reports a valid request that no run supports yet. `feature` is its name wherever it occurs:
  /// "attribute 'expr' of <field>".
  void not_yet(const Origin& origin, std::string feature, std::string problem) {
    add(mode_ == Mode::run ? Severity::error : Severity::note, Code::not_available, origin,
        std::move(problem), "it is understood, but no run can do it", {}, Topic::feature,
        std::move(feature));
  }
  void not_yet(const Origin& origin, const std::string& feature) {
    not_yet(origin, feature, feature + " is not available yet");
  }
  void add(Severity severity, Code code, const Origin& origin, std::string problem, std::string why,
           std::string suggestion, Topic topic = Topic::text, std::string kind = {}) {
    if (!unneeded_.empty()) {
      severity = Severity::note;
      topic = Topic::unneeded;
      kind = unneeded_;
    } else if (policy_.strict && severity == Severity::warning) {
      severity = Severity::error;
    }
    if (severity == Severity::error) {
      ++error_count_;
      if (about_ != nullptr)
        subjects_.push_back({all_.size(), std::string(about_->context_), about_->node_});
    }
    all_.push_back({severity, printable(origin.text()), shortened(std::move(problem)),
                    shortened(std::move(why)), shortened(std::move(suggestion)), origin.position,
                    topic, std::move(kind), std::nullopt, code});
  }

  /// While it lives, findings are about an element of a context.
  class About {
   public:
    About(Findings& findings, std::string_view context, int node)
        : findings_(findings), context_(context), node_(node), before_(findings.about_) {
      findings.about_ = this;
    }
    About(const About&) = delete;
    About(About&&) = delete;
    About& operator=(const About&) = delete;
    About& operator=(About&&) = delete;
    ~About() { findings_.about_ = before_; }

   private:
    friend class Findings;
    Findings& findings_;
    std::string_view context_;
    int node_;
    const About* before_;
  };
  /// While it lives, findings are harmless: notes, counted as `kind`.
  class Unneeded {
   public:
    Unneeded(Findings& findings, std::string kind)
        : findings_(findings), before_(std::exchange(findings.unneeded_, std::move(kind))) {}
    Unneeded(const Unneeded&) = delete;
    Unneeded(Unneeded&&) = delete;
    Unneeded& operator=(const Unneeded&) = delete;
    Unneeded& operator=(Unneeded&&) = delete;
    ~Unneeded() { findings_.unneeded_ = std::move(before_); }

   private:
    Findings& findings_;
    std::string before_;
  };
  /// Marks the errors about elements of a context: those affect output whose element is needed.
  template <class IsNeeded>
  void settle(std::string_view context, const IsNeeded& is_needed) {
    for (const Subject& subject : subjects_) {
      if (subject.context == context && !is_needed(subject.node)) {
        all_[subject.finding].affects_output = false;
      }
    }
  }

  bool is_check() const { return mode_ == Mode::check || mode_ == Mode::whole_check; }
  /// Returns true if the model may still provide what is missing.
  bool is_open() const { return mode_ == Mode::check; }
  Suggestions& suggestions() { return suggestions_; }

  bool has_errors() const { return error_count_ > 0; }
  std::size_t error_count() const { return error_count_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  /// Returns the errors, each once, because what a group gives to many elements is one mistake.
  std::vector<Diagnostic> errors() const { return each_once(Severity::error); }
  std::vector<Diagnostic> warnings() const { return each_once(Severity::warning); }
  /// Throws ConfigError with the errors, if there are any.
  void throw_errors() const {
    if (has_errors()) throw ConfigError(errors());
  }

 private:
  std::vector<Diagnostic> each_once(Severity severity) const {
    std::vector<Diagnostic> result;
    std::unordered_set<std::string> seen;
    for (const Diagnostic& finding : all_) {
      if (finding.severity != severity) continue;
      if (seen.insert(finding.text()).second) result.push_back(finding);
    }
    return result;
  }

  struct Subject {
    std::size_t finding;  ///< index into all_
    std::string context;
    int node;
  };

  Mode mode_;
  Policy policy_;
  const About* about_ = nullptr;
  std::vector<Subject> subjects_;  ///< subjects of errors
  std::string unneeded_;           ///< kind of the current findings; empty if they are needed
  std::size_t error_count_ = 0;
  std::vector<Diagnostic> all_;
  Suggestions suggestions_;
};

}  // namespace epios::config
