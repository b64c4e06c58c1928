/// @file
/// The exception type of everything above ep_core, and diagnostics with positions.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "config/codes.hpp"

namespace epios {

/// The kind of an error. The return codes of the C API have the same values, one to one.
enum class ErrorCode : int {
  success = 0,
  configuration = 1,  ///< the XML or attributes set by the model are wrong
  argument = 2,       ///< an argument of a call is wrong: size, name, range
  call_order = 3,     ///< the call is right, its time is wrong
  mismatch = 4,       ///< clients of one context made different calls
  io = 5,             ///< a file could not be written or read
  protocol = 6,       ///< peers do not understand each other
  resource = 7,       ///< memory, shared memory, descriptors, thread level
  communication = 8,  ///< MPI or the endpoints library reported an error
  internal = 9,       ///< EPIOS has a bug
};

/// An error. Its text reads "problem (why). Suggestion?". Callers on the way up put what they know
/// in front: "context 'ocean': field 'tos': array has 10 values (expected 12).".
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& text) : std::runtime_error(text), code_(code) {}
  ErrorCode code() const noexcept { return code_; }
  /// Returns the same error with "context: " in front.
  Error within(const std::string& context) const { return {code_, context + ": " + what()}; }

 private:
  ErrorCode code_;
};

namespace config {

/// A place in a configuration file. Line and column count from 1; 0 means unknown.
struct Position {
  std::string file;
  int line = 0;
  int column = 0;
  /// Returns "file:line:col", or "file" if the line is unknown.
  std::string text() const;
};

/// Severity of a finding. A note is something that a run would refuse but that a check of the XML
/// alone cannot decide, such as a value that the model sets at run time.
enum class Severity { note, warning, error };

/// The subject of a finding, independent of its severity.
enum class Topic {
  text,      ///< something written is wrong
  model,     ///< the model may still provide it: sizes, a calendar, elements
  unneeded,  ///< a mistake that no run meets, because no enabled file needs the place
  feature,   ///< a valid request that no run supports yet
};

/// Something that only the model can provide: an attribute of an element, or the element itself.
struct Gap {
  std::string context;
  std::string element;  ///< its kind, as in XML: "domain"
  std::string id;  ///< empty for the calendar, and for elements that cannot be named from elsewhere
  std::string attribute;  ///< empty if the element itself is missing
  /// The enclosing element, if nothing else identifies the place: a transformation in an axis.
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
  Position position{};     ///< the place that `where` shows; no file for an API call
  Topic topic = Topic::text;
  /// Name by which findings of topics `unneeded` and `feature` are counted: "references that lead
  /// to nothing", "attribute 'expr' of <field>".
  std::string kind{};
  std::optional<Gap>
      gap{};  ///< the way in which the model could resolve it; only with topic `model`
  Code code = Code::none;
  /// For an error: true if the mistake affects an enabled file or coupler.
  bool affects_output = true;
  /// Returns "where: error: problem (why). Suggestion? [E0301]".
  std::string text() const;
};

/// Returns findings as a run prints them: one line per kind, followed by the number of similar
/// findings and the place of the first of them.
std::vector<std::string> finding_lines(const std::vector<Diagnostic>& findings);

/// All mistakes of a configuration at once. what() holds one line per diagnostic, up to a hundred.
class ConfigError : public Error {
 public:
  explicit ConfigError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace config
}  // namespace epios
