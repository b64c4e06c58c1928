/// @file
/// What a run calls a component, and the places for it in the texts of a configuration: members of
/// an ensemble share their XML and write files of their own. Pure: no state, thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace epios::config {

/// What stands for %component% and %member%.
struct RunNames {
  std::string component{};  ///< "ocean_003"; empty: nobody runs it, and the places stay
  std::string member{};     ///< "003", of an ensemble; empty: the component is none
  bool operator==(const RunNames&) const = default;
};

/// Of a process that joins with a code id. `member` is added to it: "ocean" and "003" are the
/// component "ocean_003"; without one, digits behind the last '_' of the id are the member. Throws
/// Error{argument} for a member that is not of letters, digits, '.' and '-', or where the id has
/// one already.
RunNames run_names(std::string_view code_id, std::string_view member);

/// The text with names in their places.
std::string with_names(std::string_view text, const RunNames& names);
/// Why it cannot be, "" when it can: it has a place for a member, and the component is none.
std::string complaint(std::string_view text, const RunNames& names);

}  // namespace epios::config
