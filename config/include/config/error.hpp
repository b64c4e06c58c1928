/// @file
/// The exception type of everything above ep_core, and diagnostics with positions.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "config/codes.hpp"

namespace epios {

/// What kind of thing went wrong. The C API's return codes are these values, one to one.
enum class ErrorCode : int {
  success = 0,
  configuration = 1,  ///< XML or attributes set by the model
  argument = 2,       ///< wrong argument of a call: size, name, range
  call_order = 3,     ///< right call at the wrong time
  mismatch = 4,       ///< clients of one context made different calls
  io = 5,             ///< a file could not be written
  protocol = 6,       ///< peers do not understand each other
  resource = 7,       ///< memory, shared memory, descriptors, thread level
  communication = 8,  ///< an error of MPI or of the endpoints library
  internal = 9,       ///< a bug of EPIOS
};

/// Text reads "problem (why). Suggestion?"; callers on the way up add what they know in front:
/// "context 'ocean': field 'tos': array has 10 values (expected 12).".
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& text) : std::runtime_error(text), code_(code) {}
  ErrorCode code() const noexcept { return code_; }
  /// The same error with "context: " in front.
  Error within(const std::string& context) const { return {code_, context + ": " + what()}; }

 private:
  ErrorCode code_;
};

namespace config {

/// A place in a configuration file; line and column count from 1, 0 means unknown.
struct Position {
  std::string file;
  int line = 0;
  int column = 0;
  /// "file:line:col", or "file" when the line is unknown.
  std::string text() const;
};

/// A note is something a run would refuse but a check of XML alone cannot know: values that the
/// model sets at run time.
enum class Severity { note, warning, error };

/// What a finding is about, apart from how bad it is.
enum class Topic {
  text,      ///< what is written
  model,     ///< what the model may still say: sizes, a calendar, elements
  unneeded,  ///< a mistake that no run meets, because no enabled file needs the place
  feature,   ///< what is well said and no run can do yet
};

/// What only the model can say: an attribute of an element, or that the element is there.
struct Gap {
  std::string context;
  std::string element;    ///< its kind, as in XML: "domain"
  std::string id;         ///< empty for the calendar, and for what nobody can name from elsewhere
  std::string attribute;  ///< empty when the element is not there
  /// What it stands in, if nothing else than that says so: a transformation in an axis.
  std::string around{};
  std::string around_id{};
};

/// One finding. `where` may be a place in a file or "API call epios_set_int(domain 'd', 'ni')".
struct Diagnostic {
  Severity severity = Severity::error;
  std::string where;
  std::string problem;     ///< "unknown attribute 'opertion' of <field>"
  std::string why;         ///< without parentheses; may be empty
  std::string suggestion;  ///< "Did you mean 'operation'?"; may be empty
  Position position{};     ///< the place behind `where`; its file is empty for an API call
  Topic topic = Topic::text;
  /// What is counted of topics `unneeded` and `feature`: "references that lead to nothing",
  /// "attribute 'expr' of <field>".
  std::string kind{};
  std::optional<Gap> gap{};  ///< what the model could say against it; always of topic `model`
  Code code = Code::none;
  /// Of an error: whether what is wrong is in the way of an enabled file or coupler.
  bool affects_output = true;
  /// "where: error: problem (why). Suggestion? [E0301]"
  std::string text() const;
};

/// Findings as a run tells them: one line per kind, and after it how many others are like it and
/// where the first of these are.
std::vector<std::string> finding_lines(const std::vector<Diagnostic>& findings);

/// All mistakes of a configuration at once: what() holds one line per diagnostic, up to a hundred.
class ConfigError : public Error {
 public:
  explicit ConfigError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace config
}  // namespace epios
