/// @file
/// The names of a component in a run, and the placeholders for them in the texts of a
/// configuration. Members of an ensemble share their XML and write files of their own. Pure: no
/// state, thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace epios::config {

/// The texts that replace %component% and %member%.
struct RunNames {
  std::string component{};  ///< "ocean_003"; if empty, nothing runs, and the placeholders stay
  std::string member{};     ///< "003" for a member of an ensemble; empty otherwise
  bool operator==(const RunNames&) const = default;
};

/// Returns the names of a process that joins with a code id. `member` is appended: "ocean" and
/// "003" make the component "ocean_003". Without it, digits behind the last '_' of the id are the
/// member. Throws Error{argument} for a member with characters other than letters, digits, '.' and
/// '-', or if the id has a member already.
RunNames run_names(std::string_view code_id, std::string_view member);

/// Returns the text with placeholders replaced by names.
std::string with_names(std::string_view text, const RunNames& names);
/// Returns why the placeholders cannot be replaced (there is one for a member, and the component is
/// none), or "".
std::string complaint(std::string_view text, const RunNames& names);

}  // namespace epios::config
